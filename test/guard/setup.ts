import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, vi } from "vitest";

// The files of a suite share their modules. A file that replaces modules loads the others again, and so does the next file.
const isReplacing = /\bvi\.mock\b/.test(readFileSync(expect.getState().testPath ?? "", "utf8"));
if (isReplacing) vi.resetModules();

/*
 * The pages in `content/` belong to whoever runs the site, so no test may depend on them. A test file fails if it, or a
 * Node process that it starts, uses `content/`. `test/fixtures/site/` is the site for tests.
 */
const record = join(tmpdir(), `uses-of-content-${randomUUID()}`);
const guard = new URL("record.mjs", import.meta.url);
process.env["USES_OF_CONTENT"] = record;
// One process runs many test files, so the option may be set already.
if (process.env["NODE_OPTIONS"]?.includes(guard.href) !== true)
  process.env["NODE_OPTIONS"] = `${process.env["NODE_OPTIONS"] ?? ""} --import=${guard.href}`.trim();
await import(guard.href);

afterAll(async () => {
  // Of the modules that the file used.
  const { removeScratch } = await import("../scratch.ts");
  removeScratch();
  if (isReplacing) vi.resetModules();
  if (!existsSync(record)) return;
  const uses = readFileSync(record, "utf8");
  rmSync(record);
  throw new Error(`A test uses content/, which belongs to the site. Use test/fixtures/site/.\n\n${uses}`);
});
