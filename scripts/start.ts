import { resolve } from "node:path";
import { takePreviewFolder, unlessInterrupted, untilInterrupted } from "../build/dev/folder.ts";
import { homeOf } from "../build/dev/develop.ts";
import { plural } from "../build/base/numbers.ts";
import { serve } from "../build/hosting/config/serve.ts";
import { readHeaders } from "../build/hosting/conformance.ts";
import { whileRunning, writeConfiguration } from "../build/hosting/run.ts";
import { realPath } from "../build/base/paths.ts";
import { build } from "../build/site/build.ts";
import { command, print, siteOptions, withProgress } from "./command.ts";
import { onPort, portOption, takenNote } from "./ports.ts";
import { report, shared } from "./reporting.ts";

await command(
  {
    name: "start",
    summary:
      "Builds the pages for a local address, into .preview/, and serves them there with serve. Ctrl-C ends it.",
    status: "0 ended with Ctrl-C, 1 the content has errors, 2 it could not be served.",
  },
  { ...siteOptions, ...portOption, ...shared("at INSTANT") },
  async ({ port: wanted, at }, _, { site, content, headersFile, cache }) => {
    const interrupted = untilInterrupted();
    return onPort(wanted, async (reserved) => {
      const { port } = reserved;
      const baseUrl = `http://localhost:${port}`;
      // Absolute, because the server starts in another folder.
      const folder = takePreviewFolder(resolve(site), port);
      try {
        const options = { content, out: folder.path, headersFile, cache, baseUrl, browse: true, at };
        const building = withProgress("Building", "pages", (progress) => build({ ...options, progress }));
        const built = await unlessInterrupted(building, interrupted, folder.release);
        const result = `${plural(built.pages, "page")} built for port ${port}`;
        const status = report("human", content, built, result);
        if (status !== 0) return status;

        const home = homeOf(realPath(content), baseUrl)[0]?.[1] ?? baseUrl;
        const host = {
          root: folder.path,
          folder: folder.path,
          listen: { address: "127.0.0.1", port },
          rules: readHeaders(headersFile).rules,
          ready: { url: home, text: `"detail_url":${JSON.stringify(home)}` },
          interrupted,
        };
        writeConfiguration(serve, host, folder.path);
        await reserved.release();
        const problem = await whileRunning(serve, host, (failed) => {
          print(
            `\n${takenNote(reserved)}  ${baseUrl}/   the browse UI\n  ${home}   the home page\n\nRequest any page by its id. Ctrl-C ends the preview.\n`,
          );
          return Promise.race([interrupted, failed]);
        });
        if (problem !== undefined) throw problem;
        return 0;
      } finally {
        folder.release();
      }
    });
  },
);
