import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PROJECT } from "../../project.ts";

/** What a publication without the Worker does not answer, for those who choose it. */
export const WITHOUT_WORKER = `Without the Worker:
  - OPTIONS is answered 405, so browsers refuse requests from other sites that ask beforehand (a preflight);
    a plain GET needs none and is answered.
  - The 405 of other methods has no body.
  - A malformed id with characters that are written in percent (such as +7) is redirected before it is 404.
Everything else is the same, and no request is billed.
`;

/** wrangler asks nobody and tells nobody anything that its task does not need. */
export const wranglerEnvironment = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

/** The file that the package's command runs. */
export const wranglerProgram = (): string =>
  join(dirname(createRequire(import.meta.url).resolve("wrangler/package.json")), "bin", "wrangler.js");

/** Starts the project's wrangler, in the project's folder. */
export const startWrangler = (args: string[], stdio: StdioOptions): ChildProcess =>
  spawn(process.execPath, [wranglerProgram(), ...args], {
    cwd: PROJECT,
    env: { ...process.env, ...wranglerEnvironment },
    stdio,
  });

const CONFIGURATION = join(PROJECT, "wrangler.jsonc");

interface Configuration {
  compatibility_date: string;
  main?: string;
  assets: { directory: string; binding?: string; run_worker_first?: unknown };
}

/** JSON with comments, on lines of their own, and commas before what closes: as the project's formatter leaves it. */
const parse = (text: string): Configuration =>
  JSON.parse(text.replace(/^\s*\/\/.*$/gm, "").replace(/,(?=\s*[\]}])/g, "")) as Configuration;

/** Pages has no use for the rest of the project's configuration. */
export const compatibilityDate = (): string => parse(readFileSync(CONFIGURATION, "utf8")).compatibility_date;

/** The arguments that name the configuration: the project's own, or one made of it that has no Worker. */
export function configurationArguments(worker: boolean): string[] {
  if (worker) return ["--config", CONFIGURATION];
  const folder = join(PROJECT, ".wrangler");
  const derived = join(folder, "without-worker.json");
  mkdirSync(folder, { recursive: true });
  writeFileSync(derived, withoutWorker(readFileSync(CONFIGURATION, "utf8"), PROJECT));
  return ["--config", derived];
}

/** The same configuration without its Worker, to be read from another folder. */
export function withoutWorker(text: string, project: string): string {
  const { main: _main, ...rest } = parse(text);
  const { binding: _binding, run_worker_first: _first, ...assets } = rest.assets;
  const directory = join(project, assets.directory);
  return `${JSON.stringify({ ...rest, assets: { ...assets, directory } }, null, 2)}\n`;
}
