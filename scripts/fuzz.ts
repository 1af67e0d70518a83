import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fuzz, readCorpus } from "../test/fuzz/fuzz.ts";
import { PROGRAM_HEADERS } from "../build/base/folders.ts";
import { command, complain, print, progressOn } from "./command.ts";
import { valued, whole } from "./usage.ts";

/** Maximum number of runs, and maximum seed. */
const MAX_NUMBER = 999_999_999;

await command(
  {
    name: "fuzz",
    summary:
      "Makes broken and unusual sources from valid ones, and builds each in memory. Each must either become a response that\n" +
      "matches the schema and has every value, or be refused with a finding at a location inside the file.",
    status: "0 no problem, 1 a problem was found, 2 the run could not be done.",
  },
  {
    runs: valued("N", "make N sources", { default: "100000", parse: whole(0, MAX_NUMBER) }),
    seed: valued("S", "draw from this seed: the same seed makes the same sources", {
      default: "1",
      parse: whole(0, MAX_NUMBER),
    }),
    content: valued("DIR", "read the valid sources from DIR", { default: "content" }),
    keep: valued("DIR", "write the sources that show a problem into this folder"),
  },
  (values) => {
    const { runs, seed } = values;
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
