import { plural, thousands } from "../build/base/numbers.ts";
import { build } from "../build/site/build.ts";
import { assertComplete } from "../build/source/complete.ts";
import { command, complain, explain, siteOptions, withProgress } from "./command.ts";
import { report, shared } from "./reporting.ts";

await command(
  {
    name: "build",
    summary: "Checks the page sources and, if they have no errors, publishes them to the output folder.",
    status: "0 published, 1 the content has errors and nothing was published, 2 the build could not be done.",
  },
  {
    ...siteOptions,
    ...shared("out DIR", "base-url URL", "reporter NAME", "strict", "no-browse", "at INSTANT"),
    full: "read and compare everything, without the cache of earlier builds",
  },
  async (values, _, site) => {
    const start = performance.now();
    const { strict, full, at, "base-url": baseUrl } = values;
    const { content, out } = site;
    const browse = !values["no-browse"];
    await assertComplete(content);
    const built = await withProgress("Building", "pages", (progress) =>
      build({ ...site, at, baseUrl, strict, full, browse, progress }),
    );
    const { written, removed, unchanged } = built.published ?? { written: 0, removed: 0, unchanged: 0 };
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const counts = `${thousands(written)} written, ${thousands(unchanged)} unchanged, ${thousands(removed)} removed`;
    const result = `${plural(built.pages, "page")} in ${out}: ${counts} (${seconds} s)`;
    const status = report(values.reporter, content, built, result);
    if (built.manifestError !== undefined)
      complain(
        `Published, but the build cache could not be saved, so the next build has more to do: ${explain(built.manifestError)}\n`,
      );
    return status;
  },
);
