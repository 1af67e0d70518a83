import { mutantsOf, type NumericConstant } from "./constants.ts";
import type { ProjectCopy, TestResult, TestRun } from "./copy.ts";
import type { Tests } from "./tests.ts";

/** A change that no test notices. */
export interface Survivor {
  constant: NumericConstant;
  mutant: string;
  /** The number of test files that passed with it. */
  tests: number;
}

export interface MutationResult {
  mutants: number;
  /** The number of changes that were noticed only because the tests did not end. */
  over: number;
  survivors: Survivor[];
}

interface Reporting {
  progress?: ((done: number, of: number) => void) | undefined;
  warn: (message: string) => void;
}

/** Number of nearest test files that run first, because they notice most changes. */
// internal: it only orders the tests
const NEAREST_TESTS = 4;

/** Maximum time of a test run with a change, as a multiple of the time without it. */
// internal: it only ends tests that would never end
const MAX_TIME_RATIO = 4;
/** Additional time for each run, in milliseconds. */
// internal: it only ends tests that would never end
const START_MS = 60_000;

/** Tests each change of some constants, concurrently in several copies of the project. */
export async function testMutants(
  constants: readonly NumericConstant[],
  tests: Tests,
  copies: readonly ProjectCopy[],
  { progress, warn }: Reporting,
): Promise<MutationResult> {
  const changes = constants.flatMap((constant) =>
    mutantsOf(constant).map((mutant) => ({ constant, mutant })),
  );
  const unchanged = new Unchanged(warn);
  const survivors: (Survivor & { at: number })[] = [];
  const waiting = [...changes.entries()];
  let over = 0;
  let done = 0;
  await Promise.all(
    copies.map(async (copy) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [at, { constant, mutant }] = next;
        const { result, passed } = await test(copy, constant, mutant, tests.of(constant.file), unchanged);
        if (result === "over") over++;
        if (result === "passed") {
          survivors.push({ at, constant, mutant, tests: passed });
          warn(`${constant.file}:${constant.line}: ${constant.name} → ${mutant} survives`);
        }
        progress?.(++done, changes.length);
      }
    }),
  );
  survivors.sort((a, b) => a.at - b.at);
  return { mutants: changes.length, over, survivors };
}

/** Runs the nearest tests first, then the others; in both groups, quick tests come first. */
async function test(
  copy: ProjectCopy,
  constant: NumericConstant,
  mutant: string,
  tests: readonly string[],
  unchanged: Unchanged,
): Promise<{ result: TestResult; passed: number }> {
  let passed = 0;
  for (const part of [tests.slice(0, NEAREST_TESTS), tests.slice(NEAREST_TESTS)]) {
    const { usable, limit } = await unchanged.of(copy, part);
    if (usable.length === 0) continue;
    const result = await copy.with(constant, mutant, () => copy.run(usable, limit));
    if (result !== "passed") return { result, passed };
    passed += usable.length;
  }
  return { result: "passed", passed };
}

/** The results of the tests without a change. A test that fails without one would seem to notice every change. */
class Unchanged {
  private readonly warn: (message: string) => void;
  private readonly runs = new Map<string, Promise<TestRun | undefined>>();

  constructor(warn: (message: string) => void) {
    this.warn = warn;
  }

  /** The tests that pass, the quick ones first, and their time limit in milliseconds. */
  async of(copy: ProjectCopy, tests: readonly string[]): Promise<{ usable: string[]; limit: number }> {
    const unknown = tests.filter((file) => !this.runs.has(file));
    if (unknown.length > 0) {
      const running = copy.results(unknown);
      for (const file of unknown)
        this.runs.set(
          file,
          running.then((results) => results.get(file)),
        );
      const results = await running;
      const failing = unknown.filter((file) => results.get(file)?.isPassed !== true);
      if (failing.length > 0) this.warn(`Left out, as they fail without any change: ${failing.join(", ")}`);
    }
    const passing: { file: string; milliseconds: number }[] = [];
    for (const file of tests) {
      const run = await this.runs.get(file);
      if (run?.isPassed === true) passing.push({ file, milliseconds: run.milliseconds });
    }
    passing.sort((a, b) => a.milliseconds - b.milliseconds);
    const all = passing.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
    return { usable: passing.map(({ file }) => file), limit: MAX_TIME_RATIO * all + START_MS };
  }
}
