import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { HEADERS_NAME } from "./api.ts";

/** The project's folder, whether this code runs from its sources or from a bundle. */
export const PROJECT = projectAbove(dirname(fileURLToPath(import.meta.url)));

function projectAbove(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  if (dirname(folder) === folder) throw new Error("This program is not in its project folder.");
  return projectAbove(dirname(folder));
}

export const HEADERS_FILE = join(PROJECT, HEADERS_NAME);
