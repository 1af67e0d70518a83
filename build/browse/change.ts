import { idPart, idsFrom, wordPart } from "./client/words.js";
import { CLASS_BITS, CLASSES, EntryLog, type Entries } from "./log.ts";
import { partPath, type Counts, type Kind, type Part } from "./parts.ts";

/** What the parts say of one page. */
export interface BrowsedPage {
  id: number;
  /** 0 for the home page. */
  parent: number;
  /** What is shown of it in a list, as JSON. */
  row: string;
  /** Each with what it counts for. */
  words: Map<string, number>;
}

/** The page of a response as the build prints it. */
export function browsedPage(response: Buffer): BrowsedPage {
  const log = new EntryLog();
  log.add(response);
  const [page] = pagesOf(log.finish());
  return page as BrowsedPage;
}

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("utf8");

export function* pagesOf({
  ids,
  parents,
  rows,
  rowEnds,
  pairs,
  pairEnds,
  words,
}: Entries): Generator<BrowsedPage> {
  const names = textOf(words).split("\n");
  for (const [k, id] of ids.entries()) {
    const row = textOf(rows.subarray(rowEnds[k - 1] ?? 0, rowEnds[k]));
    const own = new Map<string, number>();
    for (const pair of pairs.subarray(pairEnds[k - 1] ?? 0, pairEnds[k]))
      own.set(names[pair >>> CLASS_BITS] ?? "", pair & (CLASSES - 1));
    yield { id, parent: parents[k] ?? 0, row, words: own };
  }
}

/** A page that changed: as it was, and as it is; undefined where it was not or is no more. */
export interface Change {
  before: BrowsedPage | undefined;
  after: BrowsedPage | undefined;
}

type Lists = number[][];

/** The members of a part, each as it is printed. */
type Members = Map<string, string>;

/** The parts that change with pages. @param read gives the text of a part. */
export function changeParts(
  changes: Iterable<Change>,
  counts: Counts,
  read: (path: string) => string,
): Part[] {
  const opened: Record<Kind, Map<string, Members>> = {
    words: new Map(),
    records: new Map(),
    trees: new Map(),
  };
  const open = (kind: Kind, part: number): Members => {
    const path = partPath(kind, part);
    let members = opened[kind].get(path);
    if (members === undefined) {
      const found = JSON.parse(read(path)) as Record<string, unknown>;
      members = new Map(Object.entries(found).map(([key, value]) => [key, JSON.stringify(value)]));
      opened[kind].set(path, members);
    }
    return members;
  };
  for (const { before, after } of changes) {
    const id = (after ?? before)?.id ?? 0;
    for (const word of new Set([...(before?.words.keys() ?? []), ...(after?.words.keys() ?? [])])) {
      const now = after?.words.get(word);
      if (before?.words.get(word) !== now)
        changeWord(open("words", wordPart(word, counts.words)), word, id, now);
    }
    if (before?.row !== after?.row)
      replace(open("records", idPart(id, counts.records)), String(id), after?.row);
    if (before?.parent === after?.parent) continue;
    for (const [parent, isBelow] of [[before?.parent, false] as const, [after?.parent, true] as const])
      if (parent !== undefined && parent !== 0) {
        const members = open("trees", idPart(parent, counts.trees));
        const ids = withId(idsFrom(JSON.parse(members.get(String(parent)) ?? "[]") as number[]), id, isBelow);
        replace(members, String(parent), ids.length === 0 ? undefined : JSON.stringify(differences(ids)));
      }
  }
  return Object.entries(opened).flatMap(([kind, parts]) =>
    Array.from(parts, ([path, members]): Part => [path, Buffer.from(printMembers(kind as Kind, members))]),
  );
}

/** @param now what the word stands for, if anything. */
function changeWord(members: Members, word: string, id: number, now: number | undefined): void {
  const lists = (JSON.parse(members.get(word) ?? "[]") as Lists).map(idsFrom);
  const changed = Array.from({ length: CLASSES }, (_, kind) => withId(lists[kind] ?? [], id, now === kind));
  while (changed.at(-1)?.length === 0) changed.pop();
  replace(members, word, changed.length === 0 ? undefined : JSON.stringify(changed.map(differences)));
}

function replace(members: Members, key: string, value: string | undefined): void {
  if (value === undefined) members.delete(key);
  else members.set(key, value);
}

/** Ascending ids with or without one. */
function withId(ids: readonly number[], id: number, isIn: boolean): number[] {
  const others = ids.filter((other) => other !== id);
  if (!isIn) return others;
  const at = others.findIndex((other) => other > id);
  return others.toSpliced(at === -1 ? others.length : at, 0, id);
}

const differences = (ids: readonly number[]): number[] => ids.map((id, k) => id - (ids[k - 1] ?? 0));

/** In the order in which all parts are made: words by their letters, ids as numbers. */
function printMembers(kind: Kind, members: Members): string {
  const keys = [...members.keys()];
  if (kind === "words") keys.sort((a, b) => (a < b ? -1 : 1));
  else keys.sort((a, b) => Number(a) - Number(b));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${members.get(key)}`).join(",")}}\n`;
}
