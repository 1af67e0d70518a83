import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { CASES, casesIn, differences, found, stated, update } from "../test/golden.ts";
import { command, CommandError, type ExitStatus } from "./command.ts";
import { print } from "./output.ts";

const USAGE = `Usage: npm run cases [-- [NAME…] [--update] [--cases DIR]]

Builds the cases of test/cases/, or those that are named, and lists the files in which they say something else than what
is found and published now: every finding that is gone or new, and every page that is another.

  --update      writes those files anew, for you to review: git diff test/cases
  --cases DIR   the folder of the cases (test/cases)

Exit status: 0 nothing differs or all is updated, 1 something differs, 2 it could not be done.`;

await command(
  USAGE,
  { update: { type: "boolean", default: false }, cases: { type: "string", default: CASES } },
  async (options, given): Promise<ExitStatus> => {
    const all = casesIn(options.cases);
    const unknown = given.find((name) => !all.includes(name));
    if (unknown !== undefined) throw new CommandError(`There is no case “${unknown}” in ${options.cases}.`);
    const names = given.length > 0 ? given : all;
    const work = mkdtempSync(join(tmpdir(), "cases-"));
    let files = 0;
    try {
      for (const name of names) {
        const folder = join(options.cases, name);
        const changed = await differences(stated(folder), await found(folder, join(work, name)));
        for (const { path, text, notes } of changed) {
          const what = options.update ? (text === undefined ? "removed" : "written") : "differs";
          print(`${relative(process.cwd(), join(folder, path))}: ${what}\n`);
          for (const note of notes) print(`  ${note}\n`);
        }
        if (options.update) update(folder, changed);
        files += changed.length;
      }
    } finally {
      rmSync(work, { recursive: true });
    }
    if (files === 0) {
      print(`${names.length} cases: nothing differs\n`);
      return 0;
    }
    print(
      options.update
        ? "Review each change before you commit it: git diff test/cases\n"
        : "Where that is meant: npm run cases -- --update\n",
    );
    return options.update ? 0 : 1;
  },
);
