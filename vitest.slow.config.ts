import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { longestFirst } from "./test/longest-first.ts";
import { PROCESSES } from "./test/guard/options.ts";

/** The suites that take minutes: `npm run test:slow`. */
export default defineConfig({
  test: {
    ...PROCESSES,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    sequence: {
      sequencer: longestFirst(
        "robustness/kills.slow.ts",
        "collection/collection.slow.ts",
        "dev/following.slow.ts",
        "release/kills.slow.ts",
        "pipeline/incremental.slow.ts",
        "robustness/checkouts.slow.ts",
        "base/first-runs.slow.ts",
        "docs/run.slow.ts",
      ),
    },
    projects: [
      {
        extends: true,
        test: {
          name: "side by side",
          include: ["test/**/*.slow.ts"],
          // One more than there are processors, because some tests wait.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 0 },
        },
      },
      // They run whole suites: each has the machine for itself.
      {
        extends: true,
        test: {
          name: "alone",
          include: ["test/**/*.alone.ts"],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
