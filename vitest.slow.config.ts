import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { longestFirst } from "./test/longest-first.ts";
import { DEFINE, PROCESSES } from "./test/guard/options.ts";
import { projectsOf } from "./test/projects.ts";

/** The suites that take minutes: `npm run test:slow`. */
export default defineConfig({
  define: DEFINE,
  test: {
    ...PROCESSES,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    sequence: {
      sequencer: longestFirst(
        // They have processes of their own, and would end the ones that others share.
        "pipeline/incremental.slow.ts",
        "page/added-type.slow.ts",
        "mirror/mirror.slow.ts",
        "browse/search.slow.ts",
        "robustness/kills.slow.ts",
        "collection/collection.slow.ts",
        "dev/following.slow.ts",
        "release/kills.slow.ts",
        "robustness/checkouts.slow.ts",
        "base/first-runs.slow.ts",
        "docs/run.slow.ts",
      ),
    },
    projects: [
      // Two more than there are processors, because many tests wait.
      ...projectsOf("test/**/*.slow.ts", {
        maxWorkers: availableParallelism() + 2,
        sequence: { groupOrder: 0 },
      }),
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
