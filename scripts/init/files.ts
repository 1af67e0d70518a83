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

/** The workflow for a site without `wrangler.jsonc`: a timer of the server, or the server of the bucket, publishes on time. */
const publishElsewhere = (): string =>
  programFile("scripts/init/site/publish.yml").replace(
    "uses: actions/checkout@VERSION",
    () => /uses: actions\/checkout@.*/.exec(programFile(PUBLISH))?.[0] ?? "",
  );

/** The workflow that keeps pages in step with a collection system, in one pull request. */
const syncWorkflow = (): string => `name: Sync

on:
  schedule:
    - cron: "41 2 * * *"
  workflow_dispatch:

permissions: {}

concurrency:
  group: sync
  cancel-in-progress: false

jobs:
  sync:
    name: Sync
    runs-on: ubuntu-24.04
    timeout-minutes: 60
    defaults:
      run:
        working-directory: .
    permissions:
      contents: write # to push the branch of the pull request
      pull-requests: write
    steps:
      - ${/uses: actions\/checkout@.*/.exec(programFile(PUBLISH))?.[0]}
        # No workflow runs for a push or a pull request by github.token: give the secret SYNC_TOKEN, which may write both.
        with:
          token: \${{ secrets.SYNC_TOKEN || github.token }}
      - uses: ./.github/actions/install
      # The museum's own command, in the variable EXPORT, such as: curl --fail --output exports/works.csv "$EXPORT_URL"
      - name: Get the export
        env:
          EXPORT: \${{ vars.EXPORT }}
          EXPORT_URL: \${{ secrets.EXPORT_URL }}
        run: bash -euo pipefail -c "$EXPORT"
      # Exit status 1: pages with errors are not written, and listed.
      - id: sync
        env:
          MODULES: \${{ vars.MODULES || 'works.mjs' }}
        run: |
          npx page-api sync --reporter markdown $MODULES > "$RUNNER_TEMP/sync.md" || [ $? = 1 ]
          printf '\\n%s\\n' "Each night replaces this branch: edit pages on the main branch." >> "$RUNNER_TEMP/sync.md"
          cat "$RUNNER_TEMP/sync.md" >> "$GITHUB_STEP_SUMMARY"
      - id: propose
        env:
          GH_TOKEN: \${{ secrets.SYNC_TOKEN || github.token }}
        run: |
          number=$(gh pr list --head page-api-sync --json number,isCrossRepository --jq '.[] | select(.isCrossRepository | not).number')
          git add --all -- content
          if git diff --cached --quiet; then
            [ -z "$number" ] || gh pr close "$number" --comment "The export has no changes any more."
            exit 0
          fi
          git config user.name "github-actions[bot]"
          git config user.email "41898282+github-actions[bot]@users.noreply.github.com"
          git commit --quiet --message "Follow the collection system"
          git push --quiet --force origin HEAD:refs/heads/page-api-sync
          if [ -n "$number" ]; then gh pr edit "$number" --body-file "$RUNNER_TEMP/sync.md"
          else gh pr create --head page-api-sync --title "Follow the collection system" --body-file "$RUNNER_TEMP/sync.md"
          fi
`;

/**
 * The files for GitHub, which reads them only at the root of a repository. If the site is a folder of a larger repository,
 * their names begin with the folder's, and their commands run in it.
 */
function githubFiles(site: string, hasSync = false): Map<string, string> {
  const lockFile = lockFileOf(site);
  const files = [
    ...WORKFLOWS.map((path): [string, string] => [
      path,
      path === PUBLISH && !existsSync(join(site, "wrangler.jsonc")) ? publishElsewhere() : workflow(path),
    ]),
    ...(hasSync ? [[".github/workflows/sync.yml", syncWorkflow()] as const] : []),
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
