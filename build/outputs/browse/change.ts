import {
  beginningKey,
  addressName,
  idFile,
  idsFrom,
  listsFrom,
  shortBeginnings,
  wordFile,
} from "../../browse/words.js";
import {
  dataPath,
  printDataFile,
  type Counts,
  type DataFile,
  type DataKind,
} from "../../browse/data-files.ts";
import { CLASSES, type BrowsedPage } from "./page-index.ts";
import type { Positioned } from "../../model/position.ts";
import { joinLists, listOf, treeOf } from "./lists.ts";

/** A page before and after a change; undefined if the page does not exist at that time. */
export interface PageChange {
  before: BrowsedPage | undefined;
  after: BrowsedPage | undefined;
}

/** By key: the value as JSON. */
type Members = Map<string, string>;

/** By key of a word or a short beginning: its class, and the text that determines its file. */
function wordKeys(page: BrowsedPage | undefined): Map<string, { kind: number; distinctive: string }> {
  const keys = new Map<string, { kind: number; distinctive: string }>();
  for (const [word, kind] of page?.words ?? []) {
    keys.set(word, { kind, distinctive: word });
    for (const beginning of shortBeginnings(word))
      keys.set(beginningKey(beginning), { kind: 0, distinctive: beginning });
  }
  return keys;
}

/** The changed data files. @param read returns the text of a data file. */
export function changeDataFiles(
  changes: readonly PageChange[],
  counts: Counts,
  read: (path: string) => string,
): DataFile[] {
  const opened = new Map<string, { kind: DataKind; members: Members }>();
  const open = (kind: DataKind, file: number): Members => {
    const path = dataPath(kind, file);
    let found = opened.get(path);
    if (found === undefined) {
      const { "": _, ...texts } = JSON.parse(read(path)) as Record<string, unknown>;
      const members = Object.entries(texts).map(([key, value]): [string, string] => [
        key,
        JSON.stringify(value),
      ]);
      opened.set(path, (found = { kind, members: new Map(members) }));
    }
    return found.members;
  };
  const addresses = changes.filter(({ before, after }) => before?.addressKey !== after?.addressKey);
  const changeAddress = (key: number, id: string | undefined): void =>
    replace(open("addresses", key % counts.addresses), addressName(key), id);
  // Another page may have one of the old addresses now, so all old addresses are removed first.
  for (const { before } of addresses) if (before !== undefined) changeAddress(before.addressKey, undefined);
  for (const { after } of addresses)
    if (after !== undefined) changeAddress(after.addressKey, String(after.id));
  for (const { before, after } of changes) {
    const id = (after ?? before)?.id ?? 0;
    const [old, now] = [wordKeys(before), wordKeys(after)];
    for (const [key, { distinctive }] of [...old, ...now])
      if (old.get(key)?.kind !== now.get(key)?.kind)
        changeLists(open("words", wordFile(distinctive, counts.words)), key, id, now.get(key)?.kind);
    if (before?.row !== after?.row)
      replace(open("records", idFile(id, counts.records)), String(id), after?.row);
    if (before?.parent === after?.parent && before?.position === after?.position) continue;
    for (const [parent, page] of [[before?.parent, undefined] as const, [after?.parent, after] as const])
      if (parent !== undefined && parent !== 0)
        changeTree(open("trees", idFile(parent, counts.trees)), String(parent), id, page);
  }
  return Array.from(opened, ([path, { kind, members }]): DataFile => {
    const text = printDataFile(counts[kind], sorted(kind, members));
    return [path, Buffer.from(text)];
  });
}

const textIn = (members: Members, key: string): string => JSON.parse(members.get(key) ?? '""') as string;

/** @param now the class of the word; undefined if the page does not have the word. */
function changeLists(members: Members, key: string, id: number, now: number | undefined): void {
  const lists = listsFrom(textIn(members, key));
  const changed = Array.from({ length: CLASSES }, (_, kind) => withId(lists[kind] ?? [], id, now === kind));
  const text = joinLists(changed.map(listOf));
  replace(members, key, text === "" ? undefined : JSON.stringify(text));
}

/** @param now the page, if it is below the page whose id is the key. */
function changeTree(members: Members, key: string, id: number, now: Positioned | undefined): void {
  const tree = JSON.parse(members.get(key) ?? '""') as string | [string, ...[number, number][]];
  const [rest, ...placed] = typeof tree === "string" ? [tree] : tree;
  const others = [
    ...idsFrom(rest).map((other): Positioned => ({ id: other, position: 0 })),
    ...placed.map(([other, position]): Positioned => ({ id: other, position })),
  ].filter((other) => other.id !== id);
  if (now !== undefined) others.push(now);
  const text = treeOf(others.sort((one, other) => one.id - other.id));
  replace(members, key, others.length === 0 ? undefined : text);
}

function replace(members: Members, key: string, value: string | undefined): void {
  if (value === undefined) members.delete(key);
  else members.set(key, value);
}

/** Ascending ids with one id added or removed. */
function withId(ids: readonly number[], id: number, isIn: boolean): number[] {
  const others = ids.filter((other) => other !== id);
  if (!isIn) return others;
  const at = others.findIndex((other) => other > id);
  return others.toSpliced(at === -1 ? others.length : at, 0, id);
}

/** The members in the order of a full build: words alphabetically, all others by page id. */
function sorted(kind: DataKind, members: Members): string[] {
  const entries = [...members].sort(([a], [b]) => (a < b ? -1 : 1));
  const idOf = ([key, value]: [string, string]): number => Number(kind === "addresses" ? value : key);
  if (kind !== "words") entries.sort((a, b) => idOf(a) - idOf(b));
  return entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`);
}
