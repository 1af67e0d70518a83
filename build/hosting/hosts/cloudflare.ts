import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../../project.ts";
import {
  compatibilityDate,
  configurationArguments,
  wranglerEnvironment,
  wranglerProgram,
} from "../cloudflare/wrangler.ts";
import { publishedDefects } from "./defects.ts";
import type { Host, HostOptions, Launch } from "./host.ts";

/** Cloudflare's hosts, as its local emulator has them. */

const emulator = (args: string[], { listen }: HostOptions): Launch => ({
  command: process.execPath,
  // prettier-ignore
  args: [wranglerProgram(), ...args, "--ip", listen.address, "--port", String(listen.port), "--inspector-port", "0"],
  cwd: PROJECT,
  env: { ...wranglerEnvironment, CI: "1" },
});

const assetsDev = (options: HostOptions, worker: boolean): Launch =>
  emulator(["dev", "--local", ...configurationArguments(worker), "--assets", options.root], options);

const NO_OPTIONS = "assets alone answer OPTIONS with 405";

export const workers: Host = {
  name: "workers",
  title: "Workers",
  launch: (options) => assetsDev(options, true),
  limits: {},
  defects: publishedDefects,
};

export const assets: Host = {
  name: "workers-assets",
  title: "Workers, no Worker",
  launch: (options) => assetsDev(options, false),
  limits: {
    options: NO_OPTIONS,
    "malformed-id":
      "an id with a percent-encoded character is redirected to another spelling first, which is 404",
  },
  defects: publishedDefects,
};

export const pages: Host = {
  name: "pages",
  title: "Pages",
  launch: (options, folder) => {
    // The emulator of Pages takes the configuration of the project that wrangler lies in, and would serve as a Worker
    // does; so it is made to believe that it lies elsewhere.
    symlinkSync(join(PROJECT, "node_modules"), join(folder, "node_modules"));
    const { args, ...launch } = emulator(
      ["pages", "dev", options.root, "--compatibility-date", compatibilityDate()],
      options,
    );
    const program = join(folder, "node_modules", "wrangler", "bin", "wrangler.js");
    return {
      ...launch,
      args: ["--preserve-symlinks", "--preserve-symlinks-main", program, ...args.slice(1)],
      cwd: folder,
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
