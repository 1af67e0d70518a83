import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fuzz, readCorpus } from "../test/fuzz/fuzz.ts";
import { PROGRAM_HEADERS } from "../build/base/folders.ts";
import { command, wholeNumber } from "./command.ts";
import { complain, print, progressOn } from "./output.ts";
import { valued } from "./usage.ts";

await command(
  {
    name: "fuzz",
    summary:
      "Makes broken and unusual sources from valid ones, and builds each in memory. Each must either become a response that\n" +
      "matches the schema and has every value, or be refused with a finding at a location inside the file.",
    status: "0 no problem, 1 a problem was found, 2 the run could not be done.",
  },
  {
    runs: valued("N", "make N sources", "100000"),
    seed: valued("S", "draw from this seed: the same seed makes the same sources", "1"),
    content: valued("DIR", "read the valid sources from DIR", "content"),
    keep: valued("DIR", "write the sources that show a problem into this folder"),
  },
  (values) => {
    const runs = wholeNumber("--runs", values.runs, { to: 999_999_999 });
    const seed = wholeNumber("--seed", values.seed, { to: 999_999_999 });
    const { show, clear } = progressOn("Fuzzing");
    const corpus = readCorpus(values.content, PROGRAM_HEADERS);
    const start = performance.now();
    const outcome = fuzz(corpus, { runs, seed, progress: (run) => show?.(run, runs) });
    clear();
    for (const { run, of, message, bytes } of outcome.problems) {
      complain(`problem in mutant ${run} (${of}): ${message}\n`);
      if (values.keep === undefined) continue;
      mkdirSync(values.keep, { recursive: true });
      writeFileSync(join(values.keep, `${seed}-${run}${of === "page" ? ".json" : of}`), bytes);
    }
    const { accepted, refused, slowest, memory, problems } = outcome;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    print(
      `${accepted + refused + problems.length} mutants of seed ${seed} in ${seconds} s: ${accepted} built, ` +
        `${refused} refused, ${problems.length} with a problem; ` +
        `slowest ${slowest.toFixed(0)} ms, ${Math.round(memory / 2 ** 20)} MiB\n`,
    );
    return problems.length > 0 ? 1 : 0;
  },
);
