import { contentFolder, namedSources } from "../build/change/files.ts";
import { check } from "../build/site/check.ts";
import type { CheckedSite } from "../build/site/outcome.ts";
import { assertComplete } from "../build/source/complete.ts";
import { command } from "./command.ts";
import { progressOn } from "./output.ts";
import {
  atOption,
  chooseReporter,
  instantOption,
  report,
  reporterOption,
  strictOption,
} from "./reporting.ts";
import { siteOf, siteOptions } from "./site.ts";

await command(
  {
    name: "check",
    args: {
      "[FILE…]":
        "a source, a folder of sources, or a pattern such as 'content/visit/*.json' (all sources): findings elsewhere are not shown",
    },
    summary: "Checks the page sources and writes nothing.",
    status: "0 no errors, 1 the content has errors, 2 the check could not be done.",
  },
  { ...siteOptions, ...reporterOption, ...strictOption, ...atOption },
  async (values, names) => {
    chooseReporter(values.reporter);
    const { strict } = values;
    const { content, headersFile } = siteOf(values);
    const at = instantOption("at", values.at);
    // Before the check, because a file that does not exist is found sooner.
    const named = names.length > 0 ? new Set(namedSources(contentFolder(content), names)) : undefined;
    await assertComplete(content);
    const progress = progressOn(process.stderr, "Checking");
    const checked = await check({ content, headersFile, strict, at, progress: progress.show }).finally(
      progress.clear,
    );
    return report(values.reporter, content, named === undefined ? checked : only(named, checked));
  },
);

/** Keeps the findings of the named files. The check always reads all pages. */
function only(named: ReadonlySet<string>, { findings }: CheckedSite): CheckedSite {
  const pages = [...named].filter((file) => !file.slice(file.lastIndexOf("/") + 1).startsWith("_"));
  return { pages: pages.length, findings: findings.filter(({ place }) => named.has(place.file)) };
}
