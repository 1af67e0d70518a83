import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { homeOf } from "../build/dev/develop.ts";
import { reserveFreePort } from "../build/hosting/port.ts";
import { untilInterrupted } from "../build/dev/folder.ts";
import { plural } from "../build/base/numbers.ts";
import {
  devArguments,
  startWrangler,
  WITHOUT_WORKER,
  wranglerProgram,
  writeAssetsIgnore,
} from "../build/hosting/cloudflare/wrangler.ts";
import { BUCKET_CONFIGURATION, bucketArguments, publishLocally } from "../build/release/publish.ts";
import { realPath } from "../build/base/paths.ts";
import { build } from "../build/site/build.ts";
import { command, CommandError, print, siteOptions, withProgress } from "./command.ts";
import { report } from "./reporting.ts";

await command(
  {
    name: "preview:cloudflare",
    summary:
      "Builds the pages for a local address and serves them as Cloudflare would, with wrangler dev and without a network.\n" +
      "Ctrl-C ends it.",
    status: "0 ended with Ctrl-C, 1 the content has errors, 2 it could not be served.",
  },
  {
    ...siteOptions,
    "no-worker": "serve them as npm run deploy -- --no-worker would publish them",
    bucket:
      "upload them to a local R2 bucket, and serve them with the Worker that reads releases (docs/hosting.md)",
  },
  async (values, _, { site, content, headersFile, cache }) => {
    if (values.bucket && values["no-worker"])
      throw new CommandError("--bucket needs the Worker that --no-worker leaves out.");
    wranglerProgram(site, values.bucket ? BUCKET_CONFIGURATION : undefined);
    const { port, release } = await reserveFreePort(8787);
    try {
      // The pages contain the address, so each port has its own folder, which is never published.
      const out = join(site, ".wrangler", `preview-${port}`);
      mkdirSync(out, { recursive: true });
      writeAssetsIgnore(out);
      const baseUrl = `http://127.0.0.1:${port}`;
      const bucket = values.bucket ? join(site, ".wrangler", `bucket-${port}`) : undefined;
      const options = { content, out, headersFile, cache, baseUrl, browse: true };
      const built = await withProgress("Building", "pages", (progress, clear) =>
        build({ ...options, progress }, async ({ output }) => {
          clear();
          if (bucket !== undefined && output !== undefined) await publishLocally(site, output, bucket);
        }),
      );
      const status = report("human", content, built, `${plural(built.pages, "page")} built for ${baseUrl}`);
      if (status !== 0) return status;
      if (values["no-worker"]) print(WITHOUT_WORKER);

      const home = homeOf(realPath(content), baseUrl)[0]?.[1] ?? baseUrl;
      print(`The home page will be at ${home}\n`);
      await release();
      const listen = { address: "127.0.0.1", port };
      const args =
        bucket === undefined
          ? devArguments(site, out, listen, !values["no-worker"])
          : bucketArguments(site, bucket, listen);
      const server = startWrangler(site, args, "inherit");
      process.once("exit", () => server.kill());
      const ended = once(server, "close");
      const isInterrupted = await Promise.race([
        untilInterrupted().then(() => true),
        ended.then(() => false),
      ]);
      if (!isInterrupted) throw new CommandError("wrangler ended unexpectedly; its output is above.");
      server.kill("SIGTERM");
      await ended;
      return 0;
    } finally {
      await release();
    }
  },
);
