/**
 * The folders of the program. A folder imports only from those above it. From `dev` on, they are commands, which do not
 * import from each other. A test checks every import, type imports included. `build/contract/` has no code: it contains the
 * generated schemas.
 */
export const FOLDERS = {
  base: "failures, files, locks, the folders of the program and the site, threads, columns of numbers",
  findings: "codes with their messages and examples; reporters",
  source: "JSON with places, and its printer; names of files; find, list and read sources; git",
  model:
    "types and fields of pages as one model, a site's own too; formats, HTML, rules, derived fields, a page's position; JSON Schemas",
  check: "one engine that checks a page and prints its response; all pages together",
  browse: "the browse UI that runs in the browser",
  hosting:
    "_headers; the required responses; configurations of hosts; in http/ requests sent exactly as written",
  outputs:
    "what is made of pages: the contract, data of the browse UI and the editor, files for websites, ZIP files",
  site: "a build: discover, find changes, plan, read, publish; in parts/ what a build writes beside pages; the manifest",
  change: "changes of sources: new, fix, move, retire, save; the comparison of two sites",
  editor: "the editor of the browse UI: its form, and the places where it opens and saves sources",
  dev: "the command dev, and previews",
  release: "releases in a bucket and in a folder of a web server; notices",
  exchange: "sources made from a live API or from Tate's data; a local copy of a host's pages",
  verify: "checks of a running host",
} as const;

export const FIRST_COMMAND = "dev" satisfies keyof typeof FOLDERS;
