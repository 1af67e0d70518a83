import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { listenArguments, wranglerEnvironment } from "../hosting/cloudflare/wrangler.ts";
import type { Listen } from "../hosting/listen.ts";
import type { Output } from "../site/outcome.ts";
import { publish } from "./publish.ts";
import { openR2, type R2Bucket } from "./r2.ts";

/** The configuration of the Worker that serves a bucket. */
export const BUCKET_CONFIGURATION = "wrangler.bucket.jsonc";

const configurationOf = (site: string): string => resolve(site, BUCKET_CONFIGURATION);

/** Publishes an output to wrangler's local R2, which stores it in a folder. */
export async function publishLocally(site: string, output: Output, folder: string): Promise<void> {
  Object.assign(process.env, wranglerEnvironment);
  const wrangler = createRequire(resolve(site, "package.json")).resolve("wrangler");
  const { getPlatformProxy } = (await import(pathToFileURL(wrangler).href)) as typeof import("wrangler");
  const proxy = await getPlatformProxy<{ BUCKET: R2Bucket; PREFIX: string }>({
    configPath: configurationOf(site),
    persist: { path: resolve(folder, "v3") },
  });
  try {
    const { BUCKET, PREFIX } = proxy.env;
    await publish(output, openR2(BUCKET, PREFIX), { address: folder, concurrency: 8 });
  } finally {
    await proxy.dispose();
  }
}

/** The arguments of `wrangler` that serve the bucket in a folder with the Worker. */
export const bucketArguments = (site: string, folder: string, listen: Listen): string[] => [
  "dev",
  "--local",
  "--config",
  configurationOf(site),
  "--persist-to",
  resolve(folder),
  ...listenArguments(listen),
];
