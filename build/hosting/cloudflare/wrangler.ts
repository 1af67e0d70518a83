import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { Failure } from "../../base/failure.ts";
import type { Listen } from "../listen.ts";

export const WITHOUT_WORKER = `Without the Worker:
  - OPTIONS gets 405, so browsers block requests from other websites that need a preflight. A plain GET needs none
    and works.
  - The 405 for other methods has no body.
  - A malformed id with percent-encoded characters (such as +7) is redirected before it gets 404.
The rest is the same, and no request is billed.
`;

/** The configuration of a site's Worker. */
const CONFIGURATION = "wrangler.jsonc";

/** Keeps wrangler from sending data that its task does not need. */
export const wranglerEnvironment = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

/**
 * The file of wrangler's command. Commands call this first.
 *
 * @throws Failure if the site has no wrangler, or no configuration for it.
 */
export function wranglerProgram(site: string, configuration = CONFIGURATION): string {
  if (!existsSync(resolve(site, configuration)))
    throw new Failure(
      `There is no ${configuration} in the site folder. Run npx page-api init ${configuration === CONFIGURATION ? "--cloudflare" : "--bucket"}, then npm install.`,
    );
  try {
    return join(
      dirname(createRequire(resolve(site, "package.json")).resolve("wrangler/package.json")),
      "bin",
      "wrangler.js",
    );
  } catch {
    throw new Failure(
      "The package wrangler is not installed: npm leaves it out with --omit=dev or NODE_ENV=production. Run npm ci --include=dev.",
    );
  }
}

/** Writes the file that keeps wrangler from publishing dotfiles, unless the folder has one. */
export function writeAssetsIgnore(folder: string): void {
  const file = join(folder, ".assetsignore");
  if (!existsSync(file)) writeFileSync(file, ".*\n");
}

export const startWrangler = (
  site: string,
  args: string[],
  stdio: StdioOptions,
  program = wranglerProgram(site),
): ChildProcess =>
  spawn(process.execPath, [program, ...args], {
    cwd: site,
    env: { ...process.env, ...wranglerEnvironment },
    stdio,
  });

export interface Deployment {
  site: string;
  args: string[];
  print: (text: string) => void;
  /** Maximum milliseconds without output; after them, wrangler has stalled. */
  patience: number;
  attempts: number;
  /** The file to run; wrangler's own by default. */
  program?: string;
}

/**
 * Runs wrangler, and runs it again if it stalls: it does not upload a file twice.
 *
 * @param stalled called each time after a stalled wrangler was ended.
 * @returns its exit status, or “stalled” if each attempt stalled.
 */
export async function runDeployment(
  deployment: Deployment,
  stalled: (attempt: number) => void,
): Promise<number | "stalled"> {
  for (let attempt = 1; attempt <= deployment.attempts; attempt++) {
    const ended = await runOnce(deployment);
    if (ended !== "stalled") return ended;
    stalled(attempt);
  }
  return "stalled";
}

function runOnce({ site, args, print, patience, program }: Deployment): Promise<number | "stalled"> {
  const child = startWrangler(site, args, ["inherit", "pipe", "pipe"], program);
  return new Promise((end, reject) => {
    let isStalled = false;
    const watch = setTimeout(() => {
      isStalled = true;
      child.kill("SIGKILL");
    }, patience);
    const heard = (text: Buffer): void => {
      watch.refresh();
      print(text.toString());
    };
    child.stdout?.on("data", heard);
    child.stderr?.on("data", heard);
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(watch);
      end(isStalled ? "stalled" : (code ?? 1));
    });
  });
}

const configurationOf = (site: string): string => resolve(site, CONFIGURATION);

interface WranglerConfiguration {
  compatibility_date: string;
  main?: string;
  assets: { directory: string; binding?: string; run_worker_first?: unknown };
}

/** Parses JSON with trailing commas, and with comments on their own lines, as the formatter writes them. */
const parse = (text: string): WranglerConfiguration =>
  JSON.parse(text.replace(/^\s*\/\/.*$/gm, "").replace(/,(?=\s*[\]}])/g, "")) as WranglerConfiguration;

/** The only value in a site's configuration that Cloudflare Pages needs. */
export const compatibilityDate = (site: string): string =>
  parse(readFileSync(configurationOf(site), "utf8")).compatibility_date;

/** The arguments that name the configuration: the site's own, or a copy of it without the Worker. */
export function configurationArguments(site: string, worker: boolean): string[] {
  const configuration = configurationOf(site);
  if (worker) return ["--config", configuration];
  const folder = resolve(site, ".wrangler");
  const derived = join(folder, "without-worker.json");
  mkdirSync(folder, { recursive: true });
  writeFileSync(derived, withoutWorker(readFileSync(configuration, "utf8"), resolve(site)));
  return ["--config", derived];
}

/** The arguments of `wrangler dev` for a folder, on this machine only. */
export const devArguments = (site: string, root: string, listen: Listen, worker: boolean): string[] => [
  "dev",
  "--local",
  ...configurationArguments(site, worker),
  "--assets",
  resolve(root),
  ...listenArguments(listen),
];

export const listenArguments = ({ address, port }: Listen): string[] => [
  "--ip",
  address,
  "--port",
  `${port}`,
  "--inspector-port",
  "0",
];

/** The configuration without its Worker, for use from another folder. */
export function withoutWorker(text: string, project: string): string {
  const { main: _main, ...rest } = parse(text);
  const { binding: _binding, run_worker_first: _first, ...assets } = rest.assets;
  const directory = join(project, assets.directory);
  return `${JSON.stringify({ ...rest, assets: { ...assets, directory } }, null, 2)}\n`;
}
