import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import glob from "fast-glob";
import { defineConfig } from "vitest/config";
import { digestOf } from "./build/base/digest.mjs";
import { PROCESSES } from "./test/guard/options.ts";

const cwd = import.meta.dirname;

/** A test file that replaces modules, which are its own then. */
const replacesModules = (file: string): boolean =>
  /\bvi\.(?:mock|doMock|resetModules)\b/.test(readFileSync(join(cwd, file), "utf8"));

const alone = glob.sync("test/**/*.test.ts", { cwd }).filter(replacesModules);

export default defineConfig({
  // As in compiled code: a build in the tests' process need not read the whole program again.
  define: { COMPILED: JSON.stringify(digestOf(cwd)) },
  test: {
    ...PROCESSES,
    // Many times what a test takes, because no test fails on a busy machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // One more than there are processors, because some tests wait.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // One process loads the program once, for many test files.
      {
        extends: true,
        test: { name: "shared", include: ["test/**/*.test.ts"], exclude: alone, isolate: false },
      },
      { extends: true, test: { name: "alone", include: alone } },
    ],
  },
});
