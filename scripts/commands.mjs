// The list of commands: the output of `npx page-api`, and the files in this folder that are commands. Plain JavaScript,
// because run.mjs reads it on Node 20 too.

/** Commands with their summaries, grouped by reader. The command `a:b` is in the file `a-b.ts`. */
export const COMMANDS = {
  Editors: {
    start: "build for a local address and preview the pages there",
    dev: "preview the site, drafts too, and show every save at once",
    check: "list the mistakes in the page sources; write nothing",
    fix: "fix mistakes that need no judgement",
    new: "write the source of a new page",
    move: "move a page and record its old address",
    retire: "remove a page and record its id, its address and a redirect",
    diff: "show the effect of a change on the published site",
    schedule: "list the pages that go live or expire",
  },
  Operators: {
    init: "write the smallest site: _site.json and a home page",
    build: "check the page sources and write the responses",
    deploy: "build and publish: to Cloudflare, a folder of a web server, or a bucket",
    verify: "check a running host against the contract",
    hosting: "print a host's configuration",
    redirects: "print the redirects from old addresses for the website's server",
    "preview:cloudflare": "build and serve the pages as Cloudflare would",
    releases: "list, check, prune or download the releases in a bucket",
    rollback: "make an earlier release current again, in a bucket or a folder",
    "serve:bucket": "serve the current release in a bucket",
    sync: "keep pages in step with the exports of a collection system",
    import: "turn a running API, such as Wagtail's, into page sources",
    "import:tate": "turn Tate's open collection data into page sources",
  },
  "Client developers": {
    mirror: "keep a local copy of a host's pages",
    types: "write the TypeScript types of the responses",
    contract: "list the changes of the contract that break clients",
  },
  "Developers of this program": {
    bench: "measure builds, saves and diff, and compare builds with Hugo",
    prepack: "compile the program for npm pack",
    "generate:commands": "write docs/commands.md",
    "generate:findings": "write docs/findings.md",
    "generate:schema": "write the JSON Schemas",
    "generate:hosts": "write the table of checks by host in docs/hosting.md",
    "generate:screenshots": "write the pictures of the README",
  },
};

/** The group of the commands that the package does not have. */
export const FOR_DEVELOPERS = "Developers of this program";

/** The files of the commands that the package has. */
export const PACKAGED = [
  ...Object.entries(COMMANDS).flatMap(([group, commands]) =>
    group === FOR_DEVELOPERS ? [] : Object.keys(commands).map(fileOf),
  ),
  "help",
];

/** Old names that still work. */
export const ALIASES = { "preview:edge": "preview:cloudflare" };

/** Scripts that only other commands start. */
const INTERNAL = ["bench/saves"];

export const NAMES = Object.values(COMMANDS).flatMap((group) => Object.keys(group));

/** The command with a name or an old name; undefined if there is none. */
export function commandNamed(/** @type {string | undefined} */ name) {
  const current = Object.hasOwn(ALIASES, name ?? "") ? ALIASES[/** @type {keyof ALIASES} */ (name)] : name;
  return [...NAMES, ...INTERNAL].find((one) => one === current);
}

/** The name of a command's file, without `.ts`. */
export function fileOf(/** @type {string} */ name) {
  return name.replaceAll(":", "-");
}
