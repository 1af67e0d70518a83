import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedSource } from "./site.ts";

/** The paths of all JSON files below `folder`, sorted. */
export const sourcePaths = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".json"))
    .sort();

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export const isPage = (path: string): boolean => !nameOf(path).startsWith("_");

/** Whether a file is a page without subpages, which may be left out. */
const isLeaf = (path: string): boolean => isPage(path) && nameOf(path) !== "index.json";

export const leavesOf = (folder: string): string[] => sourcePaths(folder).filter(isLeaf);

export const countPages = (folder: string): number => sourcePaths(folder).filter(isPage).length;

/** The sources of `content`, of which works are left out evenly. */
export function* reduced(content: string, pages: number): Generator<GeneratedSource> {
  const paths = sourcePaths(content);
  const inner = paths.filter((path) => !isLeaf(path));
  const left = evenly(paths.filter(isLeaf), pages - inner.filter(isPage).length);
  for (const path of [...inner, ...left]) yield { path, text: readFileSync(join(content, path), "utf8") };
}

/** `count` members at equal distances; all members if there are fewer. */
export function evenly<T>(list: readonly T[], count: number): T[] {
  if (count >= list.length) return [...list];
  return Array.from(
    { length: Math.max(0, count) },
    (_, i) => list[Math.floor((i * list.length) / count)] as T,
  );
}
