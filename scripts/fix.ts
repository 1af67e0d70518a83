import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fix } from "../build/edit/fix.ts";
import type { Finding } from "../build/findings/finding.ts";
import { printable } from "../build/findings/printable.ts";
import { plural, thousands } from "../build/findings/reporters/report.ts";
import { check } from "../build/pipeline/check.ts";
import { command, CommandError } from "./command.ts";
import { print } from "./output.ts";
import { report } from "./reporting.ts";

const USAGE = `Usage: npm run fix -- [FILE…] [--content DIR] [--format] [--dry-run]

Mends what needs no judgement in the sources, says what it did, and then what is left to mend by hand.

  FILE           a source, a folder of sources, or a pattern such as 'content/visit/*.json' (all sources)
  --content DIR  the page sources (content)
  --format       lays out the files as this project's sources are; values stay as they are
  --dry-run      only says what it would do

It takes away fields that the build works out, byte order marks, and spaces at the end of lines; it adds a missing
$schema, updates the path of one that is out of date, and spreads out a file that stands on one line.

Exit status: 0 no errors left, 1 errors left, 2 the work could not be done.`;

/** What is still found on the disk after a dry run, and would not be. */
const MENDED: ReadonlySet<string> = new Set(["derived-field", "byte-order-mark"]);

await command(
  USAGE,
  {
    content: { type: "string", default: "content" },
    format: { type: "boolean", default: false },
    "dry-run": { type: "boolean", default: false },
  },
  async ({ content, format, "dry-run": dryRun }, names) => {
    if (!existsSync(content)) throw new CommandError(`There is no content folder ${content}.`);
    const looked = new Set<string>();
    const mended = new Set<string>();
    for (const { file, mends } of fix({ content, names, format, dryRun })) {
      looked.add(file);
      if (mends.length === 0) continue;
      mended.add(file);
      const lines = mends.map(({ place, done }) => `  line ${place.line}: ${printable(done)}\n`);
      print(`${printable(relative(process.cwd(), resolve(content, file)))}\n${lines.join("")}`);
    }
    const done = dryRun ? "would be mended" : "mended";
    print(`${plural(mended.size, "file")} of ${thousands(looked.size)} ${done}\n`);
    const { findings } = await check({ content });
    const isGone = ({ place, code }: Finding): boolean =>
      dryRun && mended.has(place.file) && MENDED.has(code);
    const left = findings.filter((f) => looked.has(f.place.file) && !isGone(f));
    looked.delete("_site.json");
    return report(
      "human",
      content,
      { pages: looked.size, findings: left },
      left.length === 0 ? "Nothing is left to mend." : undefined,
    );
  },
);
