import { changeField, type ChangedField } from "../build/change/field.ts";
import { fix, type FixedFile } from "../build/change/fix.ts";
import type { Finding } from "../build/findings/finding.ts";
import { printable } from "../build/findings/printable.ts";
import { plural, thousands } from "../build/base/numbers.ts";
import { check } from "../build/site/check.ts";
import { assertComplete, contentFolder } from "../build/source/complete.ts";
import { SITE_FILES } from "../build/source/site-files.ts";
import { command, CommandError, print, refuseUseless, siteOptions } from "./command.ts";
import { DRY_RUN, pathsFromHere, printLines, report, shared } from "./reporting.ts";

/** Maximum number of changed files that are listed. */
const MAX_FILES = 20;

await command(
  {
    name: "fix",
    args: {
      "[FILE…]": "a source, a folder of sources, or a pattern such as 'content/visit/*.json' (all sources)",
    },
    summary:
      "Fixes mistakes in the sources that need no judgement. It lists each fix by line, and the findings that are left.",
    more: `It removes derived fields, byte order marks, comments, surplus commas, quotation marks around numbers, and trailing
spaces. It adds missing commas at the end of a line, and $schema, and updates an outdated path in $schema. It corrects
quotation marks and the spelling of true, false and null, and converts UTF-16 to UTF-8 and mixed line endings to one
kind. It lays out each file that it fixes, and a file that is all on one line. If a fix could change the meaning of a
file, it leaves the file as it is.`,
    status: "0 no errors left, 1 errors left, 2 the work could not be done.",
  },
  {
    ...siteOptions,
    ids: "give each named file a new id if another page already has its id",
    "rename-field FIELD":
      "rename a field of _types.json, there and in all sources: talks.TalkPage.speakers.role",
    "to NAME": "with --rename-field, the new name",
    "remove-field FIELD": "remove a field of _types.json, there and in all sources",
    layout: "lay out files without mistakes too; the order of fields and the spelling of values stay",
    format: "the same as --layout",
    ...shared("dry-run"),
  },
  async ({ layout, format, ids, "dry-run": dryRun, ...values }, names, { content, headersFile }) => {
    const here = pathsFromHere(contentFolder(content));
    const { to, "rename-field": renamed, "remove-field": removed } = values;
    if (renamed !== undefined || removed !== undefined) {
      const beside = renamed === undefined ? "--remove-field" : "--rename-field";
      refuseUseless(
        ["ids", "layout", "format", ...(renamed === undefined ? ["to"] : ["remove-field"])],
        beside,
      );
      if (names.length > 0) throw new CommandError(`${beside} changes all sources: name no files.`);
      if (renamed !== undefined && to === undefined)
        throw new CommandError("Give the new name: --rename-field FIELD --to NAME.");
      await assertComplete(content);
      const change = changeField(content, renamed ?? removed ?? "", to, { isDry: dryRun });
      if (dryRun) print(DRY_RUN);
      printLines(linesOf(here, change, to));
      return 0;
    }
    if (to !== undefined) throw new CommandError("--to is the new name for --rename-field FIELD.");
    const all = [...fix({ content, names, layout: layout || format, ids, dryRun })];
    const changed = all.filter(({ fixes }) => fixes.length > 0);
    for (const { file, fixes } of changed) {
      const lines = fixes.map(({ place, done }) => `  line ${place.line}: ${printable(done)}\n`);
      print(`${printable(here(file))}\n${lines.join("")}`);
    }
    const done = dryRun ? "would be fixed" : "fixed";
    print(`${plural(changed.length, "file")} of ${thousands(all.length)} ${done}\n`);
    const { findings } = await check({ content, headersFile });
    const byFile = new Map(all.map((fixed) => [fixed.file, fixed]));
    /** Whether a finding is only left because a dry run does not write. */
    const isGone = ({ place, code }: Finding, { fixes, wasBroken }: FixedFile): boolean =>
      dryRun &&
      fixes.length > 0 &&
      (wasBroken ||
        code === "byte-order-mark" ||
        fixes.some((one) => one.place.line === place.line && one.place.column === place.column));
    const left = findings.filter((f) => {
      const fixed = byFile.get(f.place.file);
      return fixed === undefined ? names.length === 0 : !isGone(f, fixed);
    });
    for (const file of SITE_FILES) byFile.delete(file);
    return report(
      "human",
      content,
      { pages: byFile.size, findings: left },
      left.length === 0 ? "Nothing is left to fix." : undefined,
    );
  },
);

function linesOf(
  here: (file: string) => string,
  { files, values }: ChangedField,
  to: string | undefined,
): string[] {
  const shown = files.slice(0, MAX_FILES).map(here);
  const rest = files.length - shown.length;
  return [
    ...shown,
    ...(rest > 0 ? [`… and ${plural(rest, "more file")}`] : []),
    `${plural(values, "value")} of pages ${to === undefined ? "removed" : `renamed to “${to}”`}. For the changes that clients see, run: npx page-api contract`,
  ];
}
