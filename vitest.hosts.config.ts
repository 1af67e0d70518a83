import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { DEFINE, PROCESSES } from "./test/guard/options.ts";

/** The suite that needs the servers of Debian: `npm run test:hosts`. */
export default defineConfig({
  define: DEFINE,
  test: {
    include: ["test/**/*.hosts.ts"],
    ...PROCESSES,
    // One process loads the program once, for many test files.
    isolate: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // One more than there are processors, because some tests wait.
    maxWorkers: availableParallelism() + 1,
  },
});
