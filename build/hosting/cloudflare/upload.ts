import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Publication, PublishedFile } from "./limits.ts";

const INSTRUCTIONS = new Set(["_headers", "_redirects"]);

/** Reads a folder as it would be published: without dotfiles, which `.assetsignore` keeps back. */
export const readPublication = (root: string): Publication => ({
  files: filesBelow(root, "").filter(({ path }) => !INSTRUCTIONS.has(path)),
  headers: readFileSync(join(root, "_headers"), "utf8"),
  redirects: readFileSync(join(root, "_redirects"), "utf8"),
});

function filesBelow(root: string, folder: string): PublishedFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith(".")) return [];
    if (entry.isDirectory()) return filesBelow(root, path);
    return [{ path, bytes: statSync(join(root, path)).size }];
  });
}
