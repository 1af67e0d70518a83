import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { wranglerEnvironment, wranglerProgram } from "../../build/hosting/cloudflare/wrangler.ts";
import { printListen } from "../../build/hosting/listen.ts";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { bucketArguments, publishLocally, publish } from "../../build/release/publish.ts";
import type { PublishedHost } from "../verify/hosts/host-test.ts";
import { commandLine } from "../command.ts";
import { openBucket } from "./s3.ts";

/** Bucket servers, as hosts that are tested against the contract like all others. */

const ENVIRONMENT_FILE = "bucket.env";

export const bucketServer: PublishedHost = {
  name: "bucket",
  title: "bucket, Node",
  publish: async (output, folder) => {
    const { store, address, environment, close } = await openBucket();
    await publish(output, store, { address, concurrency: 8 });
    const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(folder, ENVIRONMENT_FILE), lines.join(""));
    return close;
  },
  launch: ({ listen }, folder) => ({
    command: process.execPath,
    args: [
      "--env-file",
      join(folder, ENVIRONMENT_FILE),
      ...commandLine("serve:bucket", "--bucket", "s3://pages", "--listen", printListen(listen)),
    ],
  }),
  limits: {},
};

export const bucketWorker: PublishedHost = {
  name: "bucket-worker",
  title: "bucket, Worker",
  publish: async (output, folder) => {
    await publishLocally(PROGRAM_FOLDER, output, join(folder, "bucket"));
    return () => Promise.resolve();
  },
  launch: ({ listen }, folder) => ({
    command: process.execPath,
    args: [
      wranglerProgram(PROGRAM_FOLDER),
      ...bucketArguments(PROGRAM_FOLDER, join(folder, "bucket"), listen),
    ],
    cwd: PROGRAM_FOLDER,
    env: { ...wranglerEnvironment, CI: "1" },
  }),
  limits: {},
};

export const bucketHosts: readonly PublishedHost[] = [bucketServer, bucketWorker];
