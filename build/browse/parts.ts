import { PAGE_TYPES } from "../page/types.ts";
import { idPart, idsFrom, wordPart } from "./client/words.js";
import { CLASSES, eachWord, wordClasses, type Entry } from "./entry.ts";

/**
 * What the page to look at asks for: the pages that have a word, what is shown of a page in a list, and which pages lie
 * below one. All of it lies in parts, at most 1,000 files whatever the number of pages; which part, a hash tells. A
 * part says the same however it came to be: made anew, or changed by the pages that changed.
 */
export interface Counts {
  pages: number;
  words: number;
  records: number;
  trees: number;
}

const powerOfTwo = (n: number, most: number): number => {
  let power = 1;
  while (power < n && power < most) power *= 2;
  return power;
};

export const countsFor = (pages: number): Counts => ({
  pages,
  words: powerOfTwo(pages / 64, 512),
  records: powerOfTwo(pages / 128, 256),
  trees: powerOfTwo(pages / 2048, 64),
});

/** Whether the parts of another number of pages are divided in the same way. */
export const areDividedAlike = (one: Counts, two: Counts): boolean =>
  one.words === two.words && one.records === two.records && one.trees === two.trees;

export type Kind = "words" | "records" | "trees";

export const partPath = (kind: Kind, part: number): string => `browse/${kind}/${part}.json`;

/** The text of each part, by its path; undefined for one that holds nothing any more. */
export type Parts = Map<string, string | undefined>;

type Lists = number[][];

/** The pages of a word, by what it stands for there; most words have one page. */
class Postings {
  lists: Lists = [];
  private last = -1;

  /** Ids come in their order, and for each the best first. */
  add(id: number, kind: number): void {
    if (this.last === id) return;
    this.last = id;
    const { lists } = this;
    while (lists.length <= kind) lists.push([]);
    (lists[kind] as number[]).push(id);
  }
}

function printIds(ids: readonly number[] = []): string {
  let [text, before] = ["", 0];
  for (let k = 0; k < ids.length; k++) {
    const id = ids[k] as number;
    text += k === 0 ? id : `,${id - before}`;
    before = id;
  }
  return `[${text}]`;
}

/** Empty lists at the end are left out. */
function printLists(lists: Lists): string {
  let last = CLASSES;
  while (last > 0 && (lists[last - 1]?.length ?? 0) === 0) last--;
  let text = "";
  for (let kind = 0; kind < last; kind++) text += `${kind === 0 ? "" : ","}${printIds(lists[kind])}`;
  return `[${text}]`;
}

const record = ({ type, parent, title, artists, acno, date, image }: Entry): string => {
  const values: (string | number)[] = [
    PAGE_TYPES.indexOf(type as never),
    parent,
    title,
    artists,
    acno,
    date,
    image,
  ];
  while (values.at(-1) === "") values.pop();
  return JSON.stringify(values);
};

/** In one order, whichever way it came together. */
const printPart = (members: ReadonlyMap<string, string>): string =>
  `{${[...members.keys()]
    .sort()
    .map((key) => `${JSON.stringify(key)}:${members.get(key)}`)
    .join(",")}}\n`;

/** All parts of a site. @param entries of all its pages, in the order of their ids. */
export function makeParts(entries: Iterable<Entry>, counts: Counts): Parts {
  const words = new Map<string, Postings>();
  const records = Array.from({ length: counts.records }, () => new Map<string, string>());
  const below = new Map<number, number[]>();
  for (const entry of entries) {
    const { id, parent } = entry;
    eachWord(entry, (word, kind) => {
      let postings = words.get(word);
      if (postings === undefined) words.set(word, (postings = new Postings()));
      postings.add(id, kind);
    });
    records[idPart(id, counts.records)]?.set(String(id), record(entry));
    if (parent === 0) continue;
    const siblings = below.get(parent);
    if (siblings === undefined) below.set(parent, [id]);
    else siblings.push(id);
  }
  const parts: Parts = new Map();
  const add = (kind: Kind, part: number, members: ReadonlyMap<string, string>): void => {
    if (members.size > 0) parts.set(partPath(kind, part), printPart(members));
  };
  const byPart = Array.from({ length: counts.words }, () => [] as string[]);
  for (const word of words.keys()) byPart[wordPart(word, counts.words)]?.push(word);
  for (const [part, own] of byPart.entries())
    add("words", part, new Map(own.map((word) => [word, printLists(words.get(word)?.lists ?? [])])));
  for (const [part, members] of records.entries()) add("records", part, members);
  for (let part = 0; part < counts.trees; part++) {
    const own = [...below].filter(([id]) => idPart(id, counts.trees) === part);
    add("trees", part, new Map(own.map(([id, ids]) => [String(id), printIds(ids)])));
  }
  return parts;
}

const filled = (lists: Lists): Lists => Array.from({ length: CLASSES }, (_, kind) => lists[kind] ?? []);

/** A page that changed: as it was, and as it is; undefined where it was not or is no more. */
export interface Change {
  before: Entry | undefined;
  after: Entry | undefined;
}

/** The parts that change with pages. @param read gives the text of a part, undefined where there is none. */
export function changeParts(
  changes: Iterable<Change>,
  counts: Counts,
  read: (path: string) => string | undefined,
): Parts {
  const opened = new Map<string, Map<string, string>>();
  const open = (kind: Kind, part: number): Map<string, string> => {
    const path = partPath(kind, part);
    let members = opened.get(path);
    if (members === undefined) {
      const found = JSON.parse(read(path) ?? "{}") as Record<string, unknown>;
      members = new Map(Object.entries(found).map(([key, value]) => [key, JSON.stringify(value)]));
      opened.set(path, members);
    }
    return members;
  };
  for (const { before, after } of changes) {
    changeWords(before, after, (word) => open("words", wordPart(word, counts.words)));
    const [old, now] = [before && record(before), after && record(after)];
    const id = (after ?? before)?.id ?? 0;
    if (old !== now) replace(open("records", idPart(id, counts.records)), String(id), now);
    if (before?.parent === after?.parent) continue;
    for (const [parent, isBelow] of [[before?.parent, false] as const, [after?.parent, true] as const])
      if (parent !== undefined && parent !== 0) {
        const members = open("trees", idPart(parent, counts.trees));
        const ids = withId(idsFrom(JSON.parse(members.get(String(parent)) ?? "[]") as number[]), id, isBelow);
        replace(members, String(parent), ids.length === 0 ? undefined : printIds(ids));
      }
  }
  return new Map(
    [...opened].map(([path, members]) => [path, members.size === 0 ? undefined : printPart(members)]),
  );
}

function replace(members: Map<string, string>, key: string, value: string | undefined): void {
  if (value === undefined) members.delete(key);
  else members.set(key, value);
}

function changeWords(
  before: Entry | undefined,
  after: Entry | undefined,
  partOf: (word: string) => Map<string, string>,
): void {
  const old = before === undefined ? new Map<string, number>() : wordClasses(before);
  const now = after === undefined ? new Map<string, number>() : wordClasses(after);
  const id = (after ?? before)?.id ?? 0;
  for (const word of new Set([...old.keys(), ...now.keys()])) {
    if (old.get(word) === now.get(word)) continue;
    const members = partOf(word);
    const lists = (JSON.parse(members.get(word) ?? "[]") as Lists).map(idsFrom);
    const changed = filled(lists).map((ids, kind) => withId(ids, id, now.get(word) === kind));
    replace(members, word, changed.every((ids) => ids.length === 0) ? undefined : printLists(changed));
  }
}

/** Ascending ids with or without one. */
function withId(ids: readonly number[], id: number, isIn: boolean): number[] {
  const others = ids.filter((other) => other !== id);
  if (!isIn) return others;
  const at = others.findIndex((other) => other > id);
  return others.toSpliced(at === -1 ? others.length : at, 0, id);
}
