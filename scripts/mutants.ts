import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { PROJECT } from "../build/base/project.ts";
import { command, CommandError, wholeNumber, type ExitStatus } from "./command.ts";
import { constantsOf, mutantsOf, type NumericConstant } from "./mutants/constants.ts";
import { ProjectCopy } from "./mutants/copy.ts";
import { testMutants, type MutationResult } from "./mutants/run.ts";
import { Tests } from "./mutants/tests.ts";
import { complain, print, progressOn } from "./output.ts";

/** Maximum number of copies of the project. */
const MAX_CONCURRENCY = 16;

const CONFIGS = ["tsconfig.json", "build/browse/client/tsconfig.json"];

const isOfProgram = (file: string): boolean =>
  /^(?:build|scripts)\//.test(file) && !/^scripts\/(?:bench|fuzz)(?:\/|\.ts$)/.test(file);

await command(
  {
    name: "mutants",
    args: { "[FILE…]": "the modules whose constants are changed (default: all of build/ and scripts/)" },
    summary:
      "Changes each numeric constant of the program in a copy of the project (times 2, divided by 2, plus and minus 1 if it is a\n" +
      "count), runs the tests that reach its module, and lists each change that no test notices. A constant that no user can\n" +
      "meet has a comment beside it, “// tuning: REASON” or “// internal: REASON”, and is left out.",
    status: "0 the tests notice every change, 1 a change survives, 2 the run could not be done.",
  },
  {
    concurrency: {
      type: "string",
      value: "N",
      default: String(Math.min(availableParallelism(), MAX_CONCURRENCY)),
      description: "test this many changes at the same time",
    },
    nearest: {
      type: "string",
      value: "N",
      description:
        "run only the N test files that are nearest to a module, for a quick result (default: all that reach it)",
    },
    list: {
      type: "boolean",
      default: false,
      description: "list the constants and their changes, and run no test",
    },
    reporter: {
      type: "string",
      value: "NAME",
      default: "human",
      description: "print the result as human or json",
    },
  },
  async ({ concurrency, nearest, list, reporter }, given): Promise<ExitStatus> => {
    const atATime = wholeNumber("--concurrency", concurrency, { from: 1, to: MAX_CONCURRENCY });
    const most = nearest === undefined ? undefined : wholeNumber("--nearest", nearest, { from: 1 });
    if (reporter !== "human" && reporter !== "json")
      throw new CommandError(`--reporter: expected human or json, found “${reporter}”.`);
    const wanted = new Set(given.map((file) => relative(PROJECT, resolve(file))));
    // Parsing the whole program for a file outside of it would take seconds.
    const all = [...wanted].every(isOfProgram) ? constantsOf(PROJECT, isOfProgram, CONFIGS) : [];
    const unknown = [...wanted].find((file) => !all.some((constant) => constant.file === file));
    if (unknown !== undefined) throw new CommandError(`${unknown} has no numeric constant.`);
    const chosen = all.filter(({ file }) => wanted.size === 0 || wanted.has(file));
    const unseen = chosen.filter((constant) => constant.unseen !== undefined);
    const seen = chosen.filter((constant) => constant.unseen === undefined);
    if (list) {
      for (const constant of chosen) print(`${inWords(constant, listed(constant))}\n`);
      return 0;
    }
    const outcome = await tested(seen, atATime, most);
    print(reporter === "json" ? `${JSON.stringify(asJson(outcome, unseen))}\n` : asText(outcome, unseen));
    return outcome.survivors.length > 0 ? 1 : 0;
  },
);

async function tested(
  constants: readonly NumericConstant[],
  atATime: number,
  most?: number,
): Promise<MutationResult> {
  const work = mkdtempSync(join(tmpdir(), "mutants-"));
  const copies = Array.from({ length: atATime }, (_, k) => new ProjectCopy(PROJECT, join(work, String(k))));
  const removeAll = (): void => {
    for (const copy of copies) copy.stop();
    rmSync(work, { recursive: true, force: true, maxRetries: 3 });
  };
  const interrupt = (): void => {
    removeAll();
    process.exit(2);
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const { show, clear } = progressOn(process.stderr, "Changing constants", "changes");
  try {
    return await testMutants(constants, new Tests(PROJECT, most), copies, {
      progress: show,
      warn: (message) => complain(`${message}\n`),
    });
  } finally {
    clear();
    removeAll();
  }
}

function inWords({ file, line, name, text }: NumericConstant, what: string): string {
  return `${file}:${line}  ${name}  ${text} ${what}`;
}

function listed(constant: NumericConstant): string {
  return constant.unseen === undefined ? `→ ${mutantsOf(constant).join(", ")}` : `(${constant.unseen})`;
}

function asText({ mutants, over, survivors }: MutationResult, unseen: readonly NumericConstant[]): string {
  const rows = survivors.map(({ constant, mutant, tests }) =>
    inWords(constant, `→ ${mutant}: ${tests === 0 ? "no test reaches it" : `${tests} test files pass`}`),
  );
  const counts =
    `${mutants} changes: ${mutants - survivors.length} noticed (${over} of them as the tests came to no end), ` +
    `${survivors.length} survived; ${unseen.length} constants are marked as unseen by users`;
  return [...rows, counts].map((line) => `${line}\n`).join("");
}

function asJson({ mutants, over, survivors }: MutationResult, unseen: readonly NumericConstant[]) {
  return {
    mutants,
    over,
    survivors: survivors.map(({ constant: { file, line, name, text }, mutant, tests }) => ({
      file,
      line,
      name,
      value: text,
      mutant,
      tests,
    })),
    unseen: unseen.map(({ file, line, name, text, unseen: reason }) => ({
      file,
      line,
      name,
      value: text,
      reason,
    })),
  };
}
