import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { formatJson } from "../../../build/json/format.ts";
import { accessionNumber } from "./artwork.ts";
import type { GeneratedSource } from "./site.ts";

/** Distance between the ids of a page and of its repetition. No known collection has so many pages. */
const IDS_PER_REPETITION = 10_000_000;

/** The paths of all JSON files below `folder`, sorted. */
export const sourcePaths = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".json"))
    .sort();

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Whether a file is a page without subpages, which may be left out or repeated. */
const isLeaf = (path: string): boolean => nameOf(path) !== "index.json" && !nameOf(path).startsWith("_");

const isPage = (path: string): boolean => !nameOf(path).startsWith("_");

export const leavesOf = (folder: string): string[] => sourcePaths(folder).filter(isLeaf);

export const countPages = (folder: string): number => sourcePaths(folder).filter(isPage).length;

/** The sources of `content`: works are left out evenly, or repeated with other ids and slugs. */
export function* resized(content: string, pages: number): Generator<GeneratedSource> {
  const paths = sourcePaths(content);
  const leaves = paths.filter(isLeaf);
  const inner = paths.filter((path) => !isLeaf(path));
  const wanted = pages - inner.filter(isPage).length;

  const read = (path: string): string => readFileSync(join(content, path), "utf8");
  for (const path of inner) yield { path, text: read(path) };
  for (const path of evenly(leaves, wanted)) yield { path, text: read(path) };
  if (wanted > leaves.length) yield* repeated(leaves, wanted - leaves.length, read);
}

/** `count` members at equal distances; all members if there are fewer. */
export function evenly<T>(list: readonly T[], count: number): T[] {
  if (count >= list.length) return [...list];
  return Array.from(
    { length: Math.max(0, count) },
    (_, i) => list[Math.floor((i * list.length) / count)] as T,
  );
}

interface Repeatable {
  id: number;
  acno?: string;
}

function* repeated(
  leaves: readonly string[],
  count: number,
  read: (path: string) => string,
): Generator<GeneratedSource> {
  const numbers = unusedNumbers(leaves.map((path) => (JSON.parse(read(path)) as Repeatable).acno));
  for (let made = 0; made < count; made++) {
    const repetition = 1 + Math.floor(made / leaves.length);
    const path = leaves[made % leaves.length] ?? "";
    const source = JSON.parse(read(path)) as Repeatable;
    source.id += repetition * IDS_PER_REPETITION;
    if (source.acno !== undefined) source.acno = numbers.next().value ?? source.acno;
    yield { path: repeatedPath(path, repetition), text: formatJson(source) };
  }
}

/** A path with the same parent, in another grouping folder, with another slug. */
export function repeatedPath(path: string, repetition: number): string {
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  const firstGroup = folders.findIndex((folder) => folder.startsWith("_"));
  folders.splice(firstGroup === -1 ? folders.length : firstGroup, 0, `_repeated-${repetition}`);
  return [...folders, file.replace(/\.json$/, `-${repetition}.json`)].join("/");
}

function* unusedNumbers(used: Iterable<string | undefined>): Generator<string, undefined> {
  const taken = new Set(used);
  for (let index = 0; ; index++) {
    const number = accessionNumber(index);
    if (!taken.has(number)) yield number;
  }
}
