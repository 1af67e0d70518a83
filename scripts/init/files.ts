import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { installedPackage, nearestAbove, PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { lockFileOf, readManifest } from "./package.ts";

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

const INSTALL = ".github/actions/install/action.yml";
const PUBLISH = ".github/workflows/publish.yml";

/** The workflow for a site without `wrangler.jsonc`: a timer of the server, or the server of the bucket, publishes on time. */
const publishElsewhere = (): string => `name: Publish

on:
  push:
    branches: [main]
  # The timeline of a bucket has 30 days.
  schedule:
    - cron: "17 3 * * 1"
  workflow_dispatch:

permissions: {}

# Deployments run one after the other: a newer change does not cancel a running deployment.
concurrency:
  group: publish
  cancel-in-progress: false

jobs:
  checks:
    name: Checks
    uses: ./.github/workflows/checks.yml
    permissions:
      contents: read

  deploy:
    name: Deploy
    needs: checks
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    permissions:
      contents: read
    environment: production
    env:
      BUCKET: \${{ vars.BUCKET }}
      SERVER: \${{ vars.SERVER }}
    steps:
      - name: Report the missing variable
        if: \${{ env.BUCKET == '' && env.SERVER == '' }}
        run: echo "::notice::The site is not deployed from here, because this repository has no variable SERVER or BUCKET."
      # The server's own user runs deploy, as its timer does (docs/hosting.md).
      - name: Start the deployment on the server
        if: \${{ env.SERVER != '' }}
        env:
          SSH_KEY: \${{ secrets.SSH_KEY }}
          KNOWN_HOSTS: \${{ secrets.KNOWN_HOSTS }}
        run: |
          umask 077
          mkdir -p ~/.ssh
          printf '%s\\n' "$SSH_KEY" > ~/.ssh/deploy
          printf '%s\\n' "$KNOWN_HOSTS" >> ~/.ssh/known_hosts
          ssh -i ~/.ssh/deploy "$SERVER" sudo systemctl start page-api.service
      - ${/uses: actions\/checkout@.*/.exec(programFile(PUBLISH))?.[0]}
        if: \${{ env.BUCKET != '' }}
        with:
          # All commits, for the times of changes in the files for websites.
          fetch-depth: 0
          persist-credentials: false
      - uses: ./.github/actions/install
        if: \${{ env.BUCKET != '' }}
      - name: Deploy to the bucket
        if: \${{ env.BUCKET != '' }}
        env:
          AWS_ACCESS_KEY_ID: \${{ secrets.AWS_ACCESS_KEY_ID }}
          AWS_SECRET_ACCESS_KEY: \${{ secrets.AWS_SECRET_ACCESS_KEY }}
          AWS_ENDPOINT_URL: \${{ vars.AWS_ENDPOINT_URL }}
          AWS_REGION: \${{ vars.AWS_REGION }}
          NOTIFY_URL: \${{ secrets.NOTIFY_URL }}
          NOTIFY_SECRET: \${{ secrets.NOTIFY_SECRET }}
        run: npx page-api deploy --bucket "$BUCKET"
`;

/**
 * The files for GitHub, which reads them only at the root of a repository. If the site is a folder of a larger repository,
 * their names begin with the folder's, and their commands run in it.
 */
function githubFiles(site: string): Map<string, string> {
  const lockFile = lockFileOf(site);
  const files = [
    ...WORKFLOWS.map((path): [string, string] => [
      path,
      path === PUBLISH && !existsSync(join(site, "wrangler.jsonc")) ? publishElsewhere() : workflow(path),
    ]),
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
    text.replaceAll(/\b(workflows|actions)\/(?=checks|publish|pull-request|install)/g, `$1/${prefix}`);
  const adapted = (text: string): string =>
    named(text)
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
