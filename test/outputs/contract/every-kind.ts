import { join } from "node:path";
import { filesBelow, readJson } from "../../files.ts";
import { FIXTURES } from "../../fixtures.ts";

/** The sources of a site that declares every kind of value, and names that collide. */
const CONTENT = join(FIXTURES, "every-kind");

export const EVERY_KIND = readJson(CONTENT, "_types.json") as {
  types: Record<string, object>;
  shapes: { Body: { blocks: Record<string, unknown> }; Size: { choices: string[] } };
};

/** By path in the content folder. */
export const SOURCES = Object.fromEntries(
  filesBelow(CONTENT)
    .filter((file) => !file.startsWith("_"))
    .map((file) => [file, readJson(CONTENT, file) as { id: number; [field: string]: unknown }]),
);
