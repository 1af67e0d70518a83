import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { longestFirst } from "./test/longest-first.ts";
import { DEFINE, PROCESSES } from "./test/guard/options.ts";

/** The suite that needs a browser: `npm run test:browser`. */
export default defineConfig({
  define: DEFINE,
  test: {
    include: ["test/**/*.browser.ts"],
    ...PROCESSES,
    // One process loads the program once, for many test files.
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: availableParallelism(),
    sequence: { sequencer: longestFirst("browse/collection.browser.ts") },
    // On a busy machine, a keystroke can come before the page that it is for. A retried test is listed as such.
    retry: 1,
  },
});
