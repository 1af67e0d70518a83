// Runs a command of this folder: `node scripts/run.mjs build --strict`.

import module from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const project = join(import.meta.dirname, "..");
const [name, ...rest] = process.argv.slice(2);
const script = join(import.meta.dirname, `${name}.ts`);
process.argv.splice(1, process.argv.length - 1, script, ...rest);

if (process.features.typescript) {
  // What the engine compiles is kept for the next run, by the second thread too.
  process.env.NODE_COMPILE_CACHE ??= join(project, ".cache", "compiled");
  module.enableCompileCache();
  // First of all, so that no code is younger than the program's digest.
  await import("../build/base/program.ts");
  await import(pathToFileURL(script).href);
} else {
  const { run } = await import("./node20/run.mjs");
  await run(project, name);
}
