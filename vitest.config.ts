import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { digestOf } from "./build/base/digest.mjs";
import { PROCESSES } from "./test/guard/options.ts";
import { projectsOf } from "./test/projects.ts";

export default defineConfig({
  // As in compiled code: a build in the tests' process need not read the whole program again.
  define: { COMPILED: JSON.stringify(digestOf(import.meta.dirname)) },
  test: {
    ...PROCESSES,
    // Many times what a test takes, because no test fails on a busy machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // One more than there are processors, because some tests wait.
    maxWorkers: availableParallelism() + 1,
    projects: [...projectsOf("test/**/*.test.ts")],
  },
});
