import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { HEADERS_NAME, REDIRECTS_NAME } from "../../base/api.ts";
import type { Upload, UploadedFile } from "./limits.ts";

const INSTRUCTIONS = new Set<string>([HEADERS_NAME, REDIRECTS_NAME]);

/** Reads the files of a folder that would be uploaded: without dotfiles, which `.assetsignore` excludes. */
export const readUpload = (root: string): Upload => ({
  files: filesBelow(root, "").filter(({ path }) => !INSTRUCTIONS.has(path)),
  headers: readFileSync(join(root, HEADERS_NAME), "utf8"),
  redirects: readFileSync(join(root, REDIRECTS_NAME), "utf8"),
});

function filesBelow(root: string, folder: string): UploadedFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith(".")) return [];
    if (entry.isDirectory()) return filesBelow(root, path);
    return [{ path, bytes: statSync(join(root, path)).size }];
  });
}
