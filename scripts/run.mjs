#!/usr/bin/env node
// Runs a command of this folder: `node scripts/run.mjs build --strict`, and `npx page-api build --strict`. Anything else
// than a command's name is left to help.ts.

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
  // What the engine compiles is kept for the next run, by the second thread too.
  process.env.NODE_COMPILE_CACHE ??= join(project, ".cache", "compiled");
  module.enableCompileCache();
  // First of all, so that no code is younger than the program's digest.
  await import("../build/base/program.ts");
  await import(pathToFileURL(script).href);
} else {
  const { run } = await import("./node20/run.mjs");
  await run(project, file);
}
