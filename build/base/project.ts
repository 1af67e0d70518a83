import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder, whether this code runs from its sources or from a bundle. */
export const PROJECT = projectAbove(dirname(fileURLToPath(import.meta.url)));

function projectAbove(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  if (dirname(folder) === folder) throw new Error("This program is not in its project folder.");
  return projectAbove(dirname(folder));
}

/** The files of an output that hosts read, and do not publish. */
export const [HEADERS_NAME, REDIRECTS_NAME] = ["_headers", "_redirects"] as const;

export const HEADERS_FILE = join(PROJECT, HEADERS_NAME);
