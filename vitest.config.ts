import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { DEFINE, PROCESSES } from "./test/guard/options.ts";
import { LongestFirst } from "./test/longest-first.ts";

const processors = availableParallelism();
const { COMPILED } = DEFINE;

/** The suites, by the names of their scripts in `package.json`: `npm run test:slow` runs `slow`, then `alone`. */
const SUITES = {
  test: { include: ["test/**/*.test.ts"], maxWorkers: processors + 1 },
  quick: {
    include: [
      ...["cases", "layers", "outputs/contract/schemas"].map((file) => `test/${file}.test.ts`),
      "test/{findings,mistakes,model,source,response,docs}/**/*.test.ts",
    ],
    maxWorkers: processors + 1,
  },
  // Three more than there are processors, because many tests wait.
  slow: { include: ["test/**/*.slow.ts"], maxWorkers: processors + 3 },
  // They run whole suites: each has the machine for itself.
  alone: { include: ["test/**/*.alone.ts"], fileParallelism: false },
  // Servers of Debian.
  hosts: { include: ["test/**/*.hosts.ts"], maxWorkers: processors + 1 },
  // On a busy machine, a keystroke can come before the page that it is for. A retried test is listed as such.
  browser: { include: ["test/**/*.browser.ts"], maxWorkers: processors, retry: 1 },
};

export default defineConfig({
  define: DEFINE,
  test: {
    // Without `--project`, files of the other suites do not run.
    // @ts-expect-error The types have this option only for the command line.
    project: "test",
    sequence: { sequencer: LongestFirst },
    // The runs of CI share compiled modules, whose key lacks `define`.
    experimental: {
      fsModuleCache: process.env["CI"] !== undefined,
      fsModuleCachePath: `.cache/tests-${COMPILED.slice(1, 17)}`,
    },
    projects: Object.entries(SUITES).map(([name, suite], groupOrder) => ({
      extends: true as const,
      test: {
        name,
        ...PROCESSES,
        ...suite,
        // One process loads the program once, for many test files.
        isolate: false,
        // Many times what a test takes, because no test fails on a busy machine.
        testTimeout: 900_000,
        hookTimeout: 900_000,
        sequence: { groupOrder },
      },
    })),
  },
});
