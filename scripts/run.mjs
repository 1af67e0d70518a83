#!/usr/bin/env node
// Runs a command of this folder: `node scripts/run.mjs build --strict`, and `npx page-api build --strict`. Any other
// argument is passed to help.ts.

import { existsSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { commandNamed, fileOf } from "./commands.mjs";

const project = join(import.meta.dirname, "..");
const [name, ...rest] = process.argv.slice(2);
const command = commandNamed(name);
const file = command === undefined ? "help" : fileOf(command);
const script = join(import.meta.dirname, `${file}.ts`);
process.argv.splice(
  1,
  process.argv.length - 1,
  script,
  ...(command === undefined ? process.argv.slice(2) : rest),
);

if (!existsSync(join(project, "node_modules"))) {
  process.stderr.write("The packages of this project are not installed yet. Run npm ci first.\n");
  process.exit(2);
}

if (process.features.typescript) {
  // Caches compiled code for the next run, and for the second thread.
  process.env.NODE_COMPILE_CACHE ??= join(project, ".cache", "compiled");
  module.enableCompileCache();
  // Loaded first, so that no code is newer than the program's digest.
  await import("../build/base/program.ts");
  await import(pathToFileURL(script).href);
} else {
  const { run } = await import("./node20/run.mjs");
  await run(project, file);
}
