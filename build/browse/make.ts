import { indexIn, Numbering } from "../base/columns.ts";
import type { Positioned } from "../page/position.ts";
import { addressName, beginningKey, idFile, shortBeginnings, wordFile } from "./client/words.js";
import { dataPath, printDataFile, type Counts, type DataFile, type DataKind } from "./data-files.ts";
import { ListPrinter, treeOf } from "./lists.ts";
import { CLASSES, rowOf, type PageIndex } from "./page-index.ts";

/** All data files that are derived from the pages. */
export function* makeDataFiles(indexes: readonly PageIndex[], counts: Counts): Generator<DataFile> {
  const ids = new Float64Array(indexes.flatMap((index) => index.ids)).sort();
  const sorted: SortedPage[] = Array.from({ length: ids.length });
  for (const index of indexes)
    for (const [number, id] of index.ids.entries()) sorted[indexIn(ids, id)] = { index, number };
  const filesOf = <T>(kind: DataKind): T[][] => Array.from({ length: counts[kind] }, () => []);
  function* print<T>(kind: DataKind, files: T[][], member: (one: T) => string): Generator<DataFile> {
    for (const [file, members] of files.entries())
      yield [dataPath(kind, file), Buffer.from(printDataFile(counts[kind], members.map(member)))];
  }

  yield* wordFiles(postingsOf(indexes, sorted), ids, counts.words);

  const records = filesOf<SortedPage>("records");
  const addresses = filesOf<string>("addresses");
  const subpages = new Map<number, Positioned[]>();
  for (const [place, page] of sorted.entries()) {
    const { index, number } = page;
    const id = ids[place] as number;
    const key = index.addressKeys[number] as number;
    const parent = index.parents[number] as number;
    records[idFile(id, counts.records)]?.push(page);
    addresses[key % counts.addresses]?.push(`"${addressName(key)}":${id}`);
    const subpage = { id, position: index.positions[number] as number };
    const siblings = subpages.get(parent);
    if (siblings === undefined) subpages.set(parent, [subpage]);
    else siblings.push(subpage);
  }
  subpages.delete(0);
  const trees = filesOf<[parent: number, subpages: Positioned[]]>("trees");
  for (const entry of [...subpages].sort(([a], [b]) => a - b))
    trees[idFile(entry[0], counts.trees)]?.push(entry);
  yield* print("records", records, ({ index, number }) => `"${index.ids[number]}":${rowOf(index, number)}`);
  yield* print("addresses", addresses, (member) => member);
  yield* print("trees", trees, ([parent, children]) => `"${parent}":${treeOf(children)}`);
}

interface SortedPage {
  index: PageIndex;
  /** In the index. */
  number: number;
}

/** For each word of each page, the page's place in the order of ids times `CLASSES`, plus the class: word by word. */
interface Postings {
  words: string[];
  entries: Uint32Array;
  /** By word: the end of its entries. */
  ends: Uint32Array;
}

function postingsOf(indexes: readonly PageIndex[], sorted: readonly SortedPage[]): Postings {
  const words = new Numbering();
  const numbers = new Map(
    indexes.map((index) => [index, Uint32Array.from(index.words, (word) => words.of(word))]),
  );
  const next = new Uint32Array(words.texts.length + 1);
  for (const [{ entries: own }, numberOf] of numbers)
    for (let k = 0; k < own.length; k++)
      (next[(numberOf[Math.floor((own[k] as number) / CLASSES)] as number) + 1] as number)++;
  for (let word = 1; word < next.length; word++) (next[word] as number) += next[word - 1] as number;
  const entries = new Uint32Array(next.at(-1) ?? 0);
  for (let place = 0; place < sorted.length; place++) {
    const { index, number } = sorted[place] as SortedPage;
    const numberOf = numbers.get(index) as Uint32Array;
    const { entries: own, ends } = index;
    const end = ends[number] as number;
    for (let k = ends[number - 1] ?? 0; k < end; k++) {
      const entry = own[k] as number;
      const kind = entry % CLASSES;
      entries[(next[numberOf[(entry - kind) / CLASSES] as number] as number)++] = place * CLASSES + kind;
    }
  }
  return { words: words.texts, entries, ends: next };
}

/** The lists of each word and of each short beginning of words. */
function* wordFiles(postings: Postings, ids: Float64Array, files: number): Generator<DataFile> {
  const { words } = postings;
  /** By file: the numbers of its words, and its beginnings, each with the numbers of the words that begin so. */
  const divided = Array.from({ length: files }, () => ({
    words: [] as number[],
    beginnings: new Map<string, number[]>(),
  }));
  const partOf = (text: string) => divided[wordFile(text, files)] as (typeof divided)[number];
  for (let number = 0; number < words.length; number++) {
    const word = words[number] as string;
    partOf(word).words.push(number);
    for (const beginning of shortBeginnings(word)) {
      const { beginnings } = partOf(beginning);
      const found = beginnings.get(beginning);
      if (found === undefined) beginnings.set(beginning, [number]);
      else found.push(number);
    }
  }
  const printer = new ListPrinter();
  const bits = new Uint32Array(Math.ceil(ids.length / 32));
  for (const [file, part] of divided.entries()) {
    const members: [key: string, lists: string][] = [];
    for (const number of part.words) {
      addByClass(printer, postings, number, ids);
      members.push([words[number] as string, printer.finish()]);
    }
    for (const [beginning, numbers] of part.beginnings) {
      addAll(printer, postings, numbers, ids, bits);
      members.push([beginningKey(beginning), printer.finish()]);
    }
    members.sort(([a], [b]) => (a < b ? -1 : 1));
    const printed = members.map(([key, lists]) => `"${key}":"${lists}"`);
    yield [dataPath("words", file), Buffer.from(printDataFile(files, printed))];
  }
}

/** Adds one list for each class. */
function addByClass(
  printer: ListPrinter,
  { entries, ends }: Postings,
  word: number,
  ids: Float64Array,
): void {
  const [from, to] = [ends[word - 1] ?? 0, ends[word] as number];
  let left = to - from;
  for (let kind = 0; left > 0; kind++) {
    for (let k = from; k < to; k++) {
      const entry = entries[k] as number;
      if (entry % CLASSES !== kind) continue;
      printer.add(ids[(entry - kind) / CLASSES] as number);
      left--;
    }
    printer.endList();
  }
}

/** Adds a list of the pages with any of some words. @param bits one for each page, all 0. */
function addAll(
  printer: ListPrinter,
  { entries, ends }: Postings,
  words: readonly number[],
  ids: Float64Array,
  bits: Uint32Array,
): void {
  for (const word of words)
    for (let k = ends[word - 1] ?? 0; k < (ends[word] as number); k++) {
      const place = Math.floor((entries[k] as number) / CLASSES);
      (bits[place >>> 5] as number) |= 1 << (place & 31);
    }
  for (let k = 0; k < bits.length; k++) {
    for (let rest = bits[k] as number; rest !== 0; rest &= rest - 1)
      printer.add(ids[32 * k + 31 - Math.clz32(rest & -rest)] as number);
    bits[k] = 0;
  }
  printer.endList();
}
