#!/usr/bin/env node
// Runs a command: `node scripts/run.mjs build --strict`, and `npx page-api build --strict`. Any other argument is passed to
// help.ts. A package has compiled commands in dist/, and a clone has TypeScript.

import { existsSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { commandNamed, fileOf } from "./commands.mjs";

const program = join(import.meta.dirname, "..");
const [name, ...rest] = process.argv.slice(2);
const command = commandNamed(name);
const isPackage = !existsSync(join(import.meta.dirname, "help.ts"));

/** The module of a command; undefined if this program does not have the command. */
async function moduleOf(/** @type {string} */ file) {
  if (isPackage) {
    const compiled = join(program, "dist", `${file}.mjs`);
    return existsSync(compiled) ? compiled : undefined;
  }
  if (process.features.typescript) return join(import.meta.dirname, `${file}.ts`);
  const { compiledCommands } = await import("./compile.mjs");
  const folder = await compiledCommands(program, file).catch((cause) => {
    process.stderr.write(`The program could not be compiled for this version of Node. ${cause.message}\n`);
    process.exit(2);
  });
  return join(folder, `${file}.mjs`);
}

const packages = join(program, "node_modules");
if (!isPackage && !existsSync(join(packages, "zod"))) {
  process.stderr.write(
    existsSync(packages)
      ? "Packages of this project are not installed: npm leaves them out with --omit=dev or NODE_ENV=production. Run npm ci --include=dev.\n"
      : "The packages of this project are not installed yet. Run npm ci first.\n",
  );
  process.exit(2);
}

// The reader of the output may end first, as `head` does.
for (const output of [process.stdout, process.stderr])
  output.on("error", (/** @type {NodeJS.ErrnoException} */ cause) => {
    if (cause.code !== "EPIPE") throw cause;
  });

// Caches the engine's code for the next run, and for the second thread.
process.env.NODE_COMPILE_CACHE ??= isPackage
  ? join(program, "..", ".cache", "static-page-api")
  : join(program, ".cache", "compiled");
module.enableCompileCache?.();

const known = command === undefined ? undefined : await moduleOf(fileOf(command));
const script = known ?? (await moduleOf("help"));
process.argv.splice(
  1,
  process.argv.length - 1,
  script,
  ...(known === undefined ? process.argv.slice(2) : rest),
);

// Loaded first, so that no code is newer than the program's digest.
if (script.endsWith(".ts")) await import("../build/base/program.ts");
await import(pathToFileURL(script).href);
