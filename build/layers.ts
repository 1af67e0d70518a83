/**
 * The folders of the program, in four layers. A folder may import from lower layers and, within its own layer, from the
 * folders listed before it. Folders of commands do not import from each other. A test checks every import, type imports
 * included.
 */
export const LAYERS = {
  ground: {
    base: "failures, files, locks, the folders of the program and the site, paths, concurrency, numbers in words, columns of numbers",
    findings: "codes with their messages and examples; reporters",
    json: "a strict parser with locations; the printer of sources; differences between two values",
    page: "types and fields of pages, as one model; formats, HTML; rules between fields, derived fields",
  },
  middle: {
    sources: "find, list and read sources; a file's path determines its slug, parent and address",
    check: "one engine that checks a page and prints its response; all pages together",
    http: "requests to a running host, sent exactly as written",
    hosting:
      "_headers; the required responses; in config/ the configuration of each host; the start of a host; Cloudflare",
    contract: "JSON Schemas, OpenAPI and types, generated from page/; comparison with former versions",
    edit: "operations on source files: new, fix, move, retire and redirects",
  },
  build: {
    browse: "the browse UI: its files in the output; in client/ the code that runs in the browser",
    editor:
      "the editor of the browse UI: its form, and the stores that it opens and saves source files in; in client/ what only a browser runs",
    website: "the files for websites: pages by address and by parent page",
    shards: "ZIP files of pages: packing and reading them, for the output, releases and mirrors",
    output: "the layout of the output, staging, publishing",
    manifest: "data of the last build for the next one",
    pipeline: "a build: discover, find changes, plan, read, publish, save the manifest",
  },
  commands: {
    init: "the files of a new site, and their update by a later version of the program",
    import: "sources made from a live API, or from Tate's data",
    diff: "the command diff",
    dev: "the command dev, and previews",
    release: "releases: in a bucket, with its bucket server, and in a folder of a web server; notices",
    mirror: "the command mirror: a local copy of a host's pages",
    verify: "checks of a running host",
  },
} as const;
