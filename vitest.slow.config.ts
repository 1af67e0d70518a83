import { defineConfig } from "vitest/config";

/** The suites that take minutes: `npm run test:slow`. */
export default defineConfig({
  test: {
    include: ["test/**/*.slow.ts"],
    setupFiles: ["test/guard/setup.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // They measure, kill and fill disks: side by side they would get in each other's way.
    fileParallelism: false,
  },
});
