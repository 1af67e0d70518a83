import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../../base/project.ts";
import {
  compatibilityDate,
  devArguments,
  listenArguments,
  wranglerEnvironment,
  wranglerProgram,
} from "../cloudflare/wrangler.ts";
import { publishedDefects } from "./defects.ts";
import type { Host, HostOptions, Launch } from "./host.ts";

/** Cloudflare's hosts, as its local emulator has them. */

const ENVIRONMENT = { ...wranglerEnvironment, CI: "1" };

const emulator = ({ root, listen }: HostOptions, worker: boolean): Launch => ({
  command: process.execPath,
  args: [wranglerProgram(), ...devArguments(root, listen, worker)],
  cwd: PROJECT,
  env: ENVIRONMENT,
});

const NO_OPTIONS = "assets alone answer OPTIONS with 405";

export const workers: Host = {
  name: "workers",
  title: "Workers",
  launch: (options) => emulator(options, true),
  limits: {},
  defects: publishedDefects,
};

export const assets: Host = {
  name: "workers-assets",
  title: "Workers, no Worker",
  launch: (options) => emulator(options, false),
  limits: {
    options: NO_OPTIONS,
    "malformed-id":
      "an id with a percent-encoded character is redirected to another spelling first, which is 404",
  },
  defects: publishedDefects,
};

const SYMLINKED = ["--preserve-symlinks", "--preserve-symlinks-main"];

export const pages: Host = {
  name: "pages",
  title: "Pages",
  launch: ({ root, listen }, folder) => {
    // The emulator of Pages takes the configuration of the project that wrangler lies in, and would serve as a Worker
    // does; so it is made to believe that it lies elsewhere.
    symlinkSync(join(PROJECT, "node_modules"), join(folder, "node_modules"));
    const program = join(folder, "node_modules", "wrangler", "bin", "wrangler.js");
    const date = ["--compatibility-date", compatibilityDate()];
    return {
      command: process.execPath,
      args: [...SYMLINKED, program, "pages", "dev", root, ...date, ...listenArguments(listen)],
      env: ENVIRONMENT,
    };
  },
  limits: {
    options: NO_OPTIONS,
    "not-found-headers": "the Cache-Control of a 404 is no-store, whatever _headers says",
    "method-not-allowed": "the local emulator does not answer TRACE",
    "hostile-id": "the local emulator fails where a name is longer than a file name may be",
  },
  defects: publishedDefects,
};
