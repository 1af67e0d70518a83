import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { installedPackage, nearestAbove, PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { lockFileOf, readManifest } from "./package.ts";

/* The files of a site that `init` writes: its own, and copies of the program's that are adapted to a site. */

const programFile = (path: string): string => readFileSync(join(PROGRAM_FOLDER, path), "utf8");

export const IGNORED = programFile("scripts/init/site/gitignore");

export const readme = (title: string): string =>
  programFile("scripts/init/site/README.md").replace("TITLE", () => title);

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

const INSTALL = ".github/actions/install/action.yml";
const PUBLISH = ".github/workflows/publish.yml";

/** A workflow that the program itself has not, with the version of an action that the program uses. */
const siteWorkflow = (name: string): string =>
  programFile(`scripts/init/site/${name}`).replace(
    "uses: actions/checkout@VERSION",
    () => /uses: actions\/checkout@.*/.exec(programFile(PUBLISH))?.[0] ?? "",
  );

/**
 * The files for GitHub, which reads them only at the root of a repository. If the site is a folder of a larger repository,
 * their names begin with the folder's, and their commands run in it.
 */
function githubFiles(site: string, hasSync = false): Map<string, string> {
  const lockFile = lockFileOf(site);
  const files = [
    ...WORKFLOWS.map((path): [string, string] => [
      path,
      // Without `wrangler.jsonc`, a timer of the server, or the server of the bucket, publishes on time.
      path === PUBLISH && !existsSync(join(site, "wrangler.jsonc"))
        ? siteWorkflow("publish.yml")
        : workflow(path),
    ]),
    ...(hasSync ? [[".github/workflows/sync.yml", siteWorkflow("sync.yml")] as const] : []),
    [INSTALL, programFile(INSTALL).replace(/npm ci.*/, lockFile?.install ?? "$&")] as const,
    [".github/CODEOWNERS", programFile(".github/CODEOWNERS")] as const,
  ];
  const root = nearestAbove(resolve(site), ".git") ?? resolve(site);
  const fromRoot = (path: string): string => relative(root, resolve(path)).split(sep).join("/");
  const folder = fromRoot(site);
  if (folder === "") return new Map(files);
  const packages = fromRoot(lockFile === undefined ? site : dirname(lockFile.path)) || ".";
  const prefix = `${folder.replace(/[^\w.]+/g, "-")}-`;
  const named = (text: string): string =>
    text.replaceAll(/\b(workflows|actions)\/(?=checks|publish|pull-request|sync|install)/g, `$1/${prefix}`);
  const adapted = (text: string): string =>
    named(text)
      .replaceAll("page-api-sync", `${prefix}page-api-sync`)
      .replace(/^( {8}working-directory: )\.$/m, `$1${JSON.stringify(folder)}`)
      .replaceAll(/^( *group: )/gm, `$1${prefix}`)
      .replaceAll(
        /^( +)(?=run: (?:\|\n +)?npx page-api )/gm,
        `$1working-directory: ${JSON.stringify(folder)}\n$1`,
      )
      .replace(/run: (?=.*(?:ci|install) --)/, `working-directory: ${JSON.stringify(packages)}\n      $&`)
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

/** The files of each option of `init`, by their paths in the site. The workflows depend on the other files. */
export const ADDITIONS = {
  cloudflare: (site: string) =>
    new Map([["wrangler.jsonc", wranglerFile(site, "wrangler.jsonc", "worker.mjs")]]),
  bucket: (site: string) =>
    new Map([["wrangler.bucket.jsonc", wranglerFile(site, "wrangler.bucket.jsonc", "bucket-worker.mjs")]]),
  github: githubFiles,
};

export type Addition = keyof typeof ADDITIONS;
