import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** The value of a JSON file. */
export const readJson = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), "utf8"));

/** Every file and link below a folder, as sorted paths with slashes; empty if the folder does not exist. */
export function filesBelow(folder: string): string[] {
  const found: string[] = [];
  const visit = (path: string): void => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) visit(below);
      else found.push(below);
    }
  };
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) visit("");
  return found.sort();
}

/**
 * Every file below a folder with its text, every link with its target, and every empty folder, if its path matches the
 * pattern.
 */
export function treeOf(folder: string, pattern = /^/): Record<string, string> {
  const tree: Record<string, string> = {};
  const visit = (path: string): void => {
    const entries = readdirSync(join(folder, path), { withFileTypes: true });
    if (entries.length === 0) tree[`${path}/`] = "";
    for (const entry of entries) {
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) visit(below);
      else if (entry.isSymbolicLink()) tree[below] = `-> ${readlinkSync(join(folder, below))}`;
      else tree[below] = readFileSync(join(folder, below), "latin1");
    }
  };
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) visit("");
  return Object.fromEntries(Object.entries(tree).filter(([path]) => pattern.test(path)));
}
