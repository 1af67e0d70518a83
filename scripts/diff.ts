import { setFlagsFromString } from "node:v8";
import { isError } from "../build/findings/finding.ts";
import { checkBaseUrl } from "../build/model/formats.ts";
import { diff } from "../build/change/diff/diff.ts";
import { reporters, withPaths } from "../build/change/diff/reporters.ts";
import { command, print, refuseUseless, reporterOption, siteOptions } from "./command.ts";
import { pathsFromHere, report, shared } from "./reporting.ts";

/** Maximum number of changed sources for which V8 keeps its default memory setting. */
const MAX_DEFAULT_SOURCES = 2000;

/** Frees memory earlier if there are many sources: by default, V8 would use three times the memory needed. */
function begin(sources: number): void {
  if (sources > MAX_DEFAULT_SOURCES) setFlagsFromString("--heap-growing-percent=40");
}

await command(
  {
    name: "diff",
    summary:
      "Shows the effect of a change of the page sources: added, removed, changed and moved pages, the changed fields of\n" +
      "their responses, removed ids and addresses, and changed images. It reads only the changed files and writes nothing.",
    status: "0 no errors in the changed files, 1 there are errors, 2 the comparison could not be made.",
  },
  {
    ...shared("base REV"),
    ...siteOptions,
    "at INSTANT": {
      ...shared("at INSTANT")["at INSTANT"],
      text: "compare the sites as they are at this instant, without pages that are not live (default: show each page as when it is live)",
    },
    "reporter NAME": reporterOption("the comparison", reporters),
    ...shared("exit-zero"),
    "preview URL": {
      text: "with markdown, link pages to the deployment of the change at this URL",
      parse: checkBaseUrl,
    },
  },
  async (values, _, { content }) => {
    const { base, at, reporter, preview } = values;
    if (reporter !== "markdown") refuseUseless(["preview"], `--reporter ${reporter}`);

    const comparison = await diff({ content, base, at, begin });
    const { pages, findings } = comparison;
    if (reporter === "human" && findings.length > 0) report("human", content, { pages, findings }, "");
    const shown = withPaths(comparison, pathsFromHere(content));
    for (const part of reporters[reporter](shown, { preview })) print(part);
    return findings.some(isError) && !values["exit-zero"] ? 1 : 0;
  },
);
