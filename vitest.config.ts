import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { DEFINE, PROCESSES } from "./test/guard/options.ts";
import { projectsOf } from "./test/projects.ts";

export default defineConfig({
  define: DEFINE,
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
