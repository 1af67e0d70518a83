import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { CASES, casesIn, differences, found, stated, update } from "../test/golden.ts";
import { command, CommandError, type ExitStatus, print } from "./command.ts";
import { flag, valued } from "./usage.ts";

await command(
  {
    name: "cases",
    args: { "[NAME…]": "the cases to build (default: all)" },
    summary:
      "Builds the cases in test/cases/, or only the named ones, and lists every file whose expectations no longer match:\n" +
      "findings that disappeared or are new, and pages that changed.",
    status: "0 every expectation matches or was updated, 1 some do not match, 2 it could not be done.",
  },
  {
    update: flag("update those files; review the changes with git diff test/cases"),
    cases: valued("DIR", "read the cases from DIR (default: test/cases)"),
  },
  async ({ update: isUpdate, cases = CASES }, given): Promise<ExitStatus> => {
    const all = casesIn(cases);
    const unknown = given.find((name) => !all.includes(name));
    if (unknown !== undefined) throw new CommandError(`There is no case “${unknown}” in ${cases}.`);
    const names = given.length > 0 ? given : all;
    const work = mkdtempSync(join(tmpdir(), "cases-"));
    let files = 0;
    try {
      for (const name of names) {
        const folder = join(cases, name);
        const changed = await differences(folder, stated(folder), await found(folder, join(work, name)));
        for (const { path, text, notes } of changed) {
          const what = isUpdate ? (text === undefined ? "removed" : "written") : "differs";
          print(`${relative(process.cwd(), join(folder, path))}: ${what}\n`);
          for (const note of notes) print(`  ${note}\n`);
        }
        if (isUpdate) update(folder, changed);
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
      isUpdate
        ? "Review each change before you commit it: git diff test/cases\n"
        : "If these changes are intended: npm run cases -- --update\n",
    );
    return isUpdate ? 0 : 1;
  },
);
