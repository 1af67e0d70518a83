import { namedSources } from "../build/change/files.ts";
import { reportTranslations, type TranslationReport } from "../build/change/translations.ts";
import { plural } from "../build/base/numbers.ts";
import { printable } from "../build/findings/printable.ts";
import { check } from "../build/site/check.ts";
import type { CheckedSite } from "../build/site/outcome.ts";
import { assertComplete, contentFolder } from "../build/source/complete.ts";
import { command, siteOptions, withProgress } from "./command.ts";
import { pathsFromHere, report, shared } from "./reporting.ts";

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
  {
    translations: "list what each language lacks, and translations older than their originals",
    ...siteOptions,
    ...shared("reporter NAME", "strict", "at INSTANT"),
  },
  async (values, names, { content, headersFile }) => {
    const { strict, at } = values;
    // Before the check, because a file that does not exist is found sooner.
    const named = names.length > 0 ? new Set(namedSources(contentFolder(content), names)) : undefined;
    await assertComplete(content);
    const checked = await withProgress("Checking", "pages", (progress) =>
      check({ content, headersFile, strict, at, progress }),
    );
    const listed = values.translations ? await reportTranslations(content, named) : undefined;
    return report(
      values.reporter,
      content,
      named === undefined ? checked : only(named, checked),
      listed && { result: linesOf(content, listed), more: { translations: listed } },
    );
  },
);

/** For readers: the pages that each language lacks, and the translations that are older than their originals. */
function linesOf(content: string, { missing, older, isKnown }: TranslationReport): string {
  const here = pathsFromHere(content);
  const lines = missing.flatMap(({ label, locale, pages, types }) => [
    pages.length + types.length === 0
      ? `${label} (${locale}) has every page.`
      : `Not in ${label} (${locale}):`,
    ...pages.map(({ file, title }) => `  ${here(file)}  ${title}`),
    ...types.map(
      ({ type, pages: count }) => `  ${plural(count, "page")} of the type ${type}: it has none of this type`,
    ),
  ]);
  if (!isKnown) lines.push("Git does not have the history that shows which translations are older.");
  else if (older.length === 0) lines.push("No translation is older than its original.");
  else lines.push("Older than the original, by their last commits:");
  for (const { file, committed, original } of older)
    lines.push(
      `  ${here(file)}  ${minuteOf(committed)}; ${here(original.file)} is of ${minuteOf(original.committed)}`,
    );
  return lines.map(printable).join("\n");
}

function minuteOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/:[^:]*$/, "Z");
}

/** Keeps the findings of the named files. The check always reads all pages. */
function only(named: ReadonlySet<string>, { findings }: CheckedSite): CheckedSite {
  const pages = [...named].filter((file) => !file.slice(file.lastIndexOf("/") + 1).startsWith("_"));
  return { pages: pages.length, findings: findings.filter(({ place }) => named.has(place.file)) };
}
