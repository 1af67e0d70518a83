import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Upload, UploadedFile } from "./limits.ts";

const INSTRUCTIONS = new Set(["_headers", "_redirects"]);

/** Reads the files of a folder that would be uploaded: without dotfiles, which `.assetsignore` excludes. */
export const readUpload = (root: string): Upload => ({
  files: filesBelow(root, "").filter(({ path }) => !INSTRUCTIONS.has(path)),
  headers: readFileSync(join(root, "_headers"), "utf8"),
  redirects: readFileSync(join(root, "_redirects"), "utf8"),
});

function filesBelow(root: string, folder: string): UploadedFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith(".")) return [];
    if (entry.isDirectory()) return filesBelow(root, path);
    return [{ path, bytes: statSync(join(root, path)).size }];
  });
}
