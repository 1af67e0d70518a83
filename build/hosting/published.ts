import { readdirSync } from "node:fs";
import { join } from "node:path";
import { HEADERS_NAME, REDIRECTS_NAME } from "../base/api.ts";

const INSTRUCTIONS = new Set<string>([HEADERS_NAME, REDIRECTS_NAME]);

/** The paths of the files of an output that are published: no dotfiles, links, and instructions for hosts. */
export const publishedFiles = (root: string, folder = ""): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith(".") || INSTRUCTIONS.has(path)) return [];
    return entry.isDirectory() ? publishedFiles(root, path) : entry.isFile() ? [path] : [];
  });
