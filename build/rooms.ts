/**
 * The map of the program: its rooms, from the ground up. Each may import from those above it in this list and from none
 * below, also types; a test holds every import to that.
 */
export const ROOMS = {
  base: "failures, the project's folder, paths, stats of files, numbers in words",
  findings: "codes with their words and examples; reporters",
  http: "requests to a running host, sent as they are written",
  json: "a strict parser that knows the place of everything; the printer of sources",
  page: "what a page is: fields, forms, types, HTML; rules between fields, derived fields",
  sources: "find, list and read sources; what a file's path determines: slug, parent, address",
  check: "a source against what a page is; all sources together",
  response: "from a source to the bytes of its response: the full path, and in fast/ the fast path",
  hosting: "_headers; in config/ the configuration of each host; Cloudflare",
  contract: "JSON Schemas, OpenAPI and types, made of what a page is; comparing them with former ones",
  browse: "the page to look at: what the build writes for it; in client/ what runs in the browser",
  output: "the layout of the output, the lock, writing aside, publishing",
  manifest: "what a build remembers",
  pipeline: "a build: discover, find changes, plan, read, publish, remember",
  release: "releases in a bucket: packing and putting them, the reader",
  import: "sources made of a live API, or of the Tate's data",
  edit: "the commands new, fix, move, retire and redirects",
  dev: "the command dev, and previews",
  diff: "the command diff",
  verify: "checks of a running host; in hosts/ how each real server is started",
} as const;
