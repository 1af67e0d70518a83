import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fuzz, readCorpus } from "./fuzz/fuzz.ts";
import { PROJECT } from "../build/base/project.ts";
import { command, CommandError } from "./command.ts";
import { complain, print, progressOn } from "./output.ts";

const USAGE = `Usage: npm run fuzz -- [--runs N] [--seed S] [--content DIR] [--keep DIR]

Makes broken and odd sources of good ones, and builds each in memory: every one must either be built to a response that
holds the schema and loses nothing, or be refused with a finding at a place inside the file.

  --runs N       how many (100000)
  --seed S       another seed makes others; the same seed makes the same (1)
  --content DIR  the good sources (content)
  --keep DIR     write the sources that show a problem into this folder

Exit status: 0 no problem, 1 a problem was found, 2 the run could not be done.`;

await command(
  USAGE,
  {
    runs: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    content: { type: "string", default: "content" },
    keep: { type: "string" },
  },
  (values, positionals) => {
    if (positionals.length > 0)
      throw new CommandError(`unexpected argument ${positionals[0]}\n${USAGE.split("\n")[0]}`);
    const runs = wholeNumber("--runs", values.runs);
    const seed = wholeNumber("--seed", values.seed);
    const { show, clear } = progressOn(process.stderr, "Fuzzing");
    const corpus = readCorpus(values.content, join(PROJECT, "_headers"));
    const start = performance.now();
    const outcome = fuzz(corpus, { runs, seed, progress: (run) => show?.(run, runs) });
    clear();
    for (const { run, of, message, bytes } of outcome.problems) {
      complain(`problem in mutant ${run} (${of}): ${message}\n`);
      if (values.keep === undefined) continue;
      mkdirSync(values.keep, { recursive: true });
      writeFileSync(join(values.keep, `${seed}-${run}${of === "page" ? ".json" : of}`), bytes);
    }
    const { accepted, refused, fast, slowest, memory, problems } = outcome;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    print(
      `${accepted + refused + problems.length} mutants of seed ${seed} in ${seconds} s: ${accepted} built ` +
        `(${fast} by the fast path), ${refused} refused, ${problems.length} with a problem; ` +
        `slowest ${slowest.toFixed(0)} ms, ${Math.round(memory / 2 ** 20)} MiB\n`,
    );
    return problems.length > 0 ? 1 : 0;
  },
);

function wholeNumber(option: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new CommandError(`${option} must be a whole number, but is ${value}`);
  return Number(value);
}
