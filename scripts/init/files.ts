import { readFileSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { installedPackage, nearestAbove, PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { readManifest } from "./package.ts";

/* The files of a site that `init` writes: its own, and copies of the program's that are adapted to a site. */

const programFile = (path: string): string => readFileSync(join(PROGRAM_FOLDER, path), "utf8");

export const IGNORED = `/node_modules/
/public/
/.preview/
/content/.schema/
/.cache/
/.wrangler/
.DS_Store
Thumbs.db
desktop.ini
*~
*.orig
*.rej
~$*
`;

export const readme = (title: string): string => `# ${title}

The pages of our website's API. Each page is a file in \`content/\`: \`content/visit/cafe.json\` is the page \`/visit/cafe/\`.

You need [Node](https://nodejs.org) 20.20 or later. Install the program once, and again after each update:

\`\`\`sh
npm install
\`\`\`

| to | run |
|---|---|
| see the site, and edit its pages in forms | \`npm run dev\` |
| add a page | \`npx page-api new general visit/cafe --title "Café"\` |
| list mistakes in the pages | \`npm run check\` |
| fix mistakes that need no judgement | \`npx page-api fix\` |
| move or remove a page | \`npx page-api move FROM TO\`, \`npx page-api retire PATH\` |
| write the responses to \`public/\` | \`npm run build\` |
| publish them | \`npm run deploy\` |

\`npx page-api\` lists all commands. The editors' guide is \`node_modules/static-page-api/docs/editing.md\`.

## Update the program

PACKAGE is the new version, such as \`static-page-api@1.2.0\`, or a file or an address:

\`\`\`sh
npm install --save-exact PACKAGE
npm run check
npx page-api init --github
\`\`\`

The last command is for sites with workflows: it updates them.
`;

const WORKFLOWS = ["checks.yml", "publish.yml", "pull-request.yml"].map(
  (name) => `.github/workflows/${name}`,
);

/** The workflows of a site only call its commands. */
const workflow = (path: string): string =>
  programFile(path)
    // The tests of the program.
    .replace(/\n {2}test:\n(?: {4}.*\n|\n)+/, "\n")
    .replaceAll(/^ +actions: read # to find the last successful run on the main branch\n/gm, "")
    .replaceAll(/\bnpm run --silent ([\w:]+)(?: --(?= ))?/g, "npx page-api $1")
    .trimEnd()
    .concat("\n");

/**
 * The files for GitHub, which reads them only at the root of a repository. If the site is a folder of a larger repository,
 * their names begin with the folder's, and their commands run in it.
 */
function githubFiles(site: string): Map<string, string> {
  const files = [
    ...WORKFLOWS.map((path): [string, string] => [path, workflow(path)]),
    ...[".github/actions/install/action.yml", ".github/CODEOWNERS"].map((path): [string, string] => [
      path,
      programFile(path),
    ]),
  ];
  const root = nearestAbove(resolve(site), ".git") ?? resolve(site);
  const fromRoot = (path: string): string => relative(root, resolve(path)).split(sep).join("/");
  const folder = fromRoot(site);
  if (folder === "") return new Map(files);
  const packages = fromRoot(nearestAbove(resolve(site), "package-lock.json") ?? site) || ".";
  const prefix = `${folder.replace(/[^\w.]+/g, "-")}-`;
  const named = (text: string): string =>
    text.replaceAll(/\b(workflows|actions)\/(?=checks|publish|pull-request|install)/g, `$1/${prefix}`);
  const adapted = (text: string): string =>
    named(text)
      .replaceAll(/^( *group: )/gm, `$1${prefix}`)
      .replaceAll(
        /^( +)(?=run: (?:\|\n +)?npx page-api )/gm,
        `$1working-directory: ${JSON.stringify(folder)}\n$1`,
      )
      .replace("run: npm ci", `working-directory: ${JSON.stringify(packages)}\n      $&`)
      .replace(/^\* /m, `/${folder}/ `)
      .replaceAll(/^\/content\//gm, `/${folder}/content/`);
  return new Map(files.map(([path, text]) => [join(relative(site, root), named(path)), adapted(text)]));
}

/** A configuration of wrangler, whose `main` is the Worker in the package. */
const wranglerFile = (site: string, path: string, worker: string): string => {
  const name = readManifest(site)?.name ?? basename(resolve(site));
  const program = relative(resolve(site), installedPackage(resolve(site)))
    .split(sep)
    .join("/");
  return programFile(path)
    .replace(/"name": "static-page-api/, `"name": "${name}`)
    .replace(/"main": "[^"]*"/, `"main": "${program}/dist/${worker}"`);
};

/** The files of each option of `init`, by their paths in the site. */
export const ADDITIONS = {
  github: githubFiles,
  cloudflare: (site: string) =>
    new Map([["wrangler.jsonc", wranglerFile(site, "wrangler.jsonc", "worker.mjs")]]),
  bucket: (site: string) =>
    new Map([["wrangler.bucket.jsonc", wranglerFile(site, "wrangler.bucket.jsonc", "bucket-worker.mjs")]]),
};

export type Addition = keyof typeof ADDITIONS;
