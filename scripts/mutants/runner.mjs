// Runs test files of the current folder in one process of Vitest that stays open, so that only modules named as changed
// are transformed again. Each run has its own worker, which loads them.

import { createVitest } from "vitest/node";

/** Keeps the given order of the files. */
class AsGiven {
  shard(files) {
    return files;
  }
  sort(files) {
    return files;
  }
}

const vitest = await createVitest("test", {
  watch: false,
  testTimeout: 300_000,
  hookTimeout: 300_000,
  maxWorkers: 1,
  reporters: [{}],
  sequence: { sequencer: AsGiven },
});

/** @param {{ tests: string[], changed: string[], bail: number }} task paths are absolute. */
async function run({ tests, changed, bail }) {
  for (const { config } of [vitest, ...vitest.projects]) config.bail = bail;
  for (const file of changed) vitest.invalidateFile(file);
  const specifications = tests.map((file) => {
    // Slow tests are part of none: they get a process each.
    const of = vitest.projects.find((project) => project.matchesTestGlob(file));
    return (of ?? vitest.getProjectByName("alone")).createSpecification(file);
  });
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  return {
    hasErrors: unhandledErrors.length > 0,
    tests: testModules.map((module) => {
      const { duration, collectDuration, setupDuration } = module.diagnostic();
      return {
        file: module.moduleId,
        isPassed: module.ok(),
        milliseconds: duration + collectDuration + setupDuration,
      };
    }),
  };
}

process.on("message", (task) => void run(task).then((result) => process.send?.(result)));
process.on("disconnect", () => process.exit());
process.send?.("ready");
