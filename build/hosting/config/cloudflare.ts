import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM_FOLDER } from "../../base/folders.ts";
import {
  compatibilityDate,
  devArguments,
  listenArguments,
  wranglerEnvironment,
  wranglerProgram,
} from "../cloudflare/wrangler.ts";
import type { Host, HostOptions, Launch } from "./host.ts";

/** Cloudflare's hosts, in its local emulator, with the configuration of the program's repository. */

const ENVIRONMENT = { ...wranglerEnvironment, CI: "1" };

const emulator = ({ root, listen }: HostOptions, worker: boolean): Launch => ({
  command: process.execPath,
  args: [wranglerProgram(PROGRAM_FOLDER), ...devArguments(PROGRAM_FOLDER, root, listen, worker)],
  cwd: PROGRAM_FOLDER,
  env: ENVIRONMENT,
});

const CACHED_ERROR =
  "a 404 has the Cache-Control of the shards, which the block in _headers sets for every status";
const HTML_404 = "a 404 outside of the API is the file 404.html, which has the type of HTML";
const NO_OPTIONS = "without the Worker, OPTIONS gets 405";

export const workers: Host = {
  name: "workers",
  title: "Workers",
  launch: (options) => emulator(options, true),
  limits: { "bulk-missing": CACHED_ERROR, "not-found-elsewhere": HTML_404 },
};

export const assets: Host = {
  name: "workers-assets",
  title: "Workers, no Worker",
  launch: (options) => emulator(options, false),
  limits: {
    options: NO_OPTIONS,
    "bulk-missing": CACHED_ERROR,
    "not-found-elsewhere": HTML_404,
    "malformed-id":
      "an id with a percent-encoded character is redirected to another spelling first, which is 404",
  },
};

const SYMLINKED = ["--preserve-symlinks", "--preserve-symlinks-main"];

export const pages: Host = {
  name: "pages",
  title: "Pages",
  launch: ({ root, listen }, folder) => {
    // The emulator of Pages would use the configuration of wrangler's project, and behave like a Worker.
    // With these links, wrangler seems to be in another folder.
    symlinkSync(join(PROGRAM_FOLDER, "node_modules"), join(folder, "node_modules"));
    const program = join(folder, "node_modules", "wrangler", "bin", "wrangler.js");
    const date = ["--compatibility-date", compatibilityDate(PROGRAM_FOLDER)];
    return {
      command: process.execPath,
      args: [...SYMLINKED, program, "pages", "dev", root, ...date, ...listenArguments(listen)],
      env: ENVIRONMENT,
    };
  },
  limits: {
    options: NO_OPTIONS,
    "not-found-headers": "the Cache-Control of a 404 is no-store, whatever _headers contains",
    "method-not-allowed": "the local emulator does not respond to TRACE",
    "hostile-id": "the local emulator fails if a name is longer than a file name may be",
    spellings:
      "the local emulator chooses the headers before it joins slashes and decodes characters, and fails for a path behind a file",
    "not-found-elsewhere": HTML_404,
  },
};
