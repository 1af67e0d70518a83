import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../json/object.ts";
import { SourceReader, SourceVanished } from "../../sources/read.ts";
import type { Data } from "./values.ts";

/** The JSON files below a folder, relative to `root`, with `/`, in an order that is the same on every machine. */
export function jsonFiles(root: string, folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return jsonFiles(root, path);
      return entry.name.endsWith(".json") ? [path] : [];
    });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The object in a file of the data, or a reason why it cannot be used. As with sources, links are not followed, and
 * the size is limited.
 */
export function readData(path: string): { data: Data } | { damage: string } {
  try {
    const { bytes } = new SourceReader().readBytes(path, path);
    if (bytes === undefined) return { damage: "too large" };
    const data: unknown = JSON.parse(utf8.decode(bytes));
    return isObject(data) ? { data } : { damage: "not a JSON object" };
  } catch (cause) {
    if (cause instanceof SourceVanished) return { damage: "not a file" };
    const { code, message } = cause as NodeJS.ErrnoException;
    return { damage: code ?? message };
  }
}
