import { join, relative } from "node:path";
import { API } from "../base/api.ts";
import { objectIn } from "../source/json/object.ts";
import type { Changed } from "../site/watch-build.ts";
import { SourceReader } from "../source/read.ts";

/** Maximum number of changed files whose addresses are printed: more changes are not made by hand. */
const MAX_PRINTED = 5;

/** The saved files, such as `visit/index.json`, each with the address of its page in the preview. */
export function addressesOf(
  content: string,
  changed: Changed,
  baseUrl: string,
): [file: string, address: string][] {
  if (changed === "anything" || changed.size > MAX_PRINTED) return [];
  const found: [string, string][] = [];
  for (const path of [...changed].sort()) {
    const id = path.endsWith(".json") ? idIn(path) : undefined;
    if (id !== undefined) found.push([relative(content, path), `${baseUrl}${API}${id}/`]);
  }
  return found;
}

export const homeOf = (content: string, baseUrl: string): [file: string, address: string][] =>
  addressesOf(content, new Set([join(content, "index.json")]), baseUrl);

/** The id in a file; undefined if the file has none, is a draft, or does not exist. */
function idIn(path: string): number | undefined {
  if (/[\\/]_[^\\/]*$/.test(path)) return undefined;
  const id = objectIn(new SourceReader().textOf(path) ?? "")?.["id"];
  return typeof id === "number" ? id : undefined;
}
