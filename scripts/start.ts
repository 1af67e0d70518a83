import { takePreviewFolder } from "../build/dev/folder.ts";
import { homeOf } from "../build/dev/addresses.ts";
import { holdFreePort } from "../build/dev/port.ts";
import { untilInterrupted } from "../build/dev/signals.ts";
import { plural } from "../build/base/numbers.ts";
import { serve } from "../build/hosting/config/serve.ts";
import { readHeaders } from "../build/hosting/read.ts";
import { whileRunning, writeConfiguration } from "../build/verify/hosts/run.ts";
import { realPath } from "../build/base/paths.ts";
import { build } from "../build/pipeline/build.ts";
import { PROJECT } from "../build/base/project.ts";
import { command } from "./command.ts";
import { print, progressOn } from "./output.ts";
import { contentOption, report } from "./reporting.ts";

await command(
  {
    name: "start",
    does: "Builds the pages for a local address, into .preview/, and serves them there with serve. Ctrl-C ends it.",
    status: "0 ended with Ctrl-C, 1 the content has errors, 2 it could not be served.",
  },
  contentOption,
  async ({ content }) => {
    const { port, release } = await holdFreePort(3000);
    const baseUrl = `http://localhost:${port}`;
    const folder = takePreviewFolder(PROJECT, port);
    try {
      const progress = progressOn(process.stderr, "Building");
      const built = await build({
        content,
        out: folder.path,
        baseUrl,
        browse: true,
        progress: progress.show,
      }).finally(progress.clear);
      const status = report("human", content, built, `${plural(built.pages, "page")} built for port ${port}`);
      if (status !== 0) return status;

      const home = homeOf(realPath(content), baseUrl)[0]?.[1] ?? baseUrl;
      const options = {
        root: folder.path,
        listen: { address: "127.0.0.1", port },
        rules: readHeaders().rules,
      };
      writeConfiguration(serve, options, folder.path);
      // From before the start on, so that nothing is left running.
      const interrupted = untilInterrupted();
      const ready = { url: home, text: `"detail_url":${JSON.stringify(home)}` };
      await release();
      const problem = await whileRunning(serve, { ...options, folder: folder.path, ready }, (failed) => {
        print(
          `\n  ${baseUrl}/   the pages to look at\n  ${home}   the home page\n\nEvery page answers at its own id. Ctrl-C ends the preview.\n`,
        );
        return Promise.race([interrupted, failed]);
      });
      if (problem !== undefined) throw problem;
      return 0;
    } finally {
      folder.release();
      await release();
    }
  },
);
