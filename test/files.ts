import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** The value of a JSON file. */
export const readJson = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), "utf8"));

/** Every file and link below a folder, as sorted paths with slashes; empty if the folder does not exist. */
export const filesBelow = (folder: string): string[] =>
  pathsBelow(folder).filter((path) => !path.endsWith("/"));

/** The same, with the empty folders, whose paths end with a slash. */
function pathsBelow(folder: string, path = ""): string[] {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  const entries = readdirSync(join(folder, path), { withFileTypes: true });
  if (entries.length === 0) return [`${path}/`];
  const paths = entries.flatMap((entry) => {
    const below = path === "" ? entry.name : `${path}/${entry.name}`;
    return entry.isDirectory() ? pathsBelow(folder, below) : [below];
  });
  return paths.sort();
}

/**
 * Every file below a folder with its text, every link with its target, and every empty folder, if its path matches the
 * pattern.
 */
export const treeOf = (folder: string, pattern = /^/): Record<string, string> =>
  Object.fromEntries(
    pathsBelow(folder)
      .filter((path) => pattern.test(path))
      .map((path) => [path, textOf(join(folder, path), path.endsWith("/"))]),
  );

function textOf(file: string, isFolder: boolean): string {
  if (isFolder) return "";
  return lstatSync(file).isSymbolicLink() ? `-> ${readlinkSync(file)}` : readFileSync(file, "latin1");
}
