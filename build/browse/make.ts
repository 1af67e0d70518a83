import { bytesOf, indexIn, Numbering } from "../base/columns.ts";
import type { Positioned } from "../page/position.ts";
import { addressName, beginningKey, idFile, shortBeginnings, wordFile } from "./client/words.js";
import {
  DATA_FILE_END,
  dataFileStart,
  dataPath,
  type Counts,
  type DataFile,
  type DataKind,
} from "./data-files.ts";
import { DataPrinter, treeOf } from "./lists.ts";
import { CLASS_BITS, CLASS_MASK, type PageIndex } from "./page-index.ts";

/** All data files that are derived from the pages. */
export function* makeDataFiles(indexes: readonly PageIndex[], counts: Counts): Generator<DataFile> {
  const ids = new Float64Array(indexes.flatMap((index) => index.ids)).sort();
  const sorted: SortedPage[] = Array.from({ length: ids.length });
  for (const index of indexes)
    for (const [number, id] of index.ids.entries()) sorted[indexIn(ids, id)] = { index, number };
  const printer = new DataPrinter();
  const filesOf = <T>(kind: DataKind): T[][] => Array.from({ length: counts[kind] }, () => []);
  function* print<T>(
    kind: DataKind,
    files: Iterable<readonly T[]>,
    keyOf: (member: T) => string,
    printValue: (member: T) => void,
  ): Generator<DataFile> {
    let file = 0;
    for (const members of files) {
      printer.text(dataFileStart(counts[kind]));
      for (const member of members) {
        printer.text(',"');
        printer.text(keyOf(member));
        printer.text('":');
        printValue(member);
      }
      printer.text(DATA_FILE_END);
      yield [dataPath(kind, file++), printer.take()];
    }
  }

  const postings = postingsOf(indexes, sorted);
  const bits = new Uint32Array(Math.ceil(ids.length / 32));
  yield* print(
    "words",
    wordFiles(postings.words, counts.words),
    ([key]) => key,
    ([, words]) => {
      printer.text('"');
      if (typeof words === "number") addByClass(printer, postings, words, ids);
      else addAll(printer, postings, words, ids, bits);
      printer.endLists();
      printer.text('"');
    },
  );

  const records = filesOf<SortedPage>("records");
  const addresses = filesOf<[key: number, id: number]>("addresses");
  const subpages = new Map<number, Positioned[]>();
  for (const [place, page] of sorted.entries()) {
    const { index, number } = page;
    const id = ids[place] as number;
    const key = index.addressKeys[number] as number;
    const parent = index.parents[number] as number;
    records[idFile(id, counts.records)]?.push(page);
    addresses[key % counts.addresses]?.push([key, id]);
    const subpage = { id, position: index.positions[number] as number };
    const siblings = subpages.get(parent);
    if (siblings === undefined) subpages.set(parent, [subpage]);
    else siblings.push(subpage);
  }
  subpages.delete(0);
  const trees = filesOf<[parent: number, subpages: Positioned[]]>("trees");
  for (const entry of [...subpages].sort(([a], [b]) => a - b))
    trees[idFile(entry[0], counts.trees)]?.push(entry);
  const idOf = ({ index, number }: SortedPage): string => String(index.ids[number]);
  yield* print("records", records, idOf, ({ index, number }) => printer.copy(bytesOf(index.rows, number)));
  yield* print(
    "addresses",
    addresses,
    ([key]) => addressName(key),
    ([, id]) => printer.text(String(id)),
  );
  yield* print(
    "trees",
    trees,
    ([parent]) => String(parent),
    ([, children]) => printer.text(treeOf(children)),
  );
}

interface SortedPage {
  index: PageIndex;
  /** In the index. */
  number: number;
}

/** For each word of each page, the page's place in the order of ids and, in the lowest bits, the class: word by word. */
interface Postings {
  words: string[];
  entries: Uint32Array;
  /** By word: the start of its entries, which is the end of those of the word before. */
  starts: Uint32Array;
}

function postingsOf(indexes: readonly PageIndex[], sorted: readonly SortedPage[]): Postings {
  const words = new Numbering();
  const numbers = new Map(
    indexes.map((index) => [index, Uint32Array.from(index.words, (word) => words.of(word))]),
  );
  const starts = new Uint32Array(words.texts.length + 1);
  for (const [{ entries: own }, numberOf] of numbers)
    for (let k = 0; k < own.length; k++)
      (starts[(numberOf[(own[k] as number) >>> CLASS_BITS] as number) + 1] as number)++;
  for (let word = 1; word < starts.length; word++) (starts[word] as number) += starts[word - 1] as number;
  const next = starts.slice();
  const entries = new Uint32Array(starts.at(-1) ?? 0);
  for (let place = 0; place < sorted.length; place++) {
    const { index, number } = sorted[place] as SortedPage;
    const numberOf = numbers.get(index) as Uint32Array;
    const { entries: own, ends } = index;
    const end = ends[number] as number;
    for (let k = number === 0 ? 0 : (ends[number - 1] as number); k < end; k++) {
      const entry = own[k] as number;
      const word = numberOf[entry >>> CLASS_BITS] as number;
      entries[(next[word] as number)++] = (place << CLASS_BITS) | (entry & CLASS_MASK);
    }
  }
  return { words: words.texts, entries, starts };
}

/** The number of a word, or of all words with a short beginning. */
type WordMember = [key: string, words: number | number[]];

/** The words of each data file and their short beginnings, in the order of their keys. */
function wordFiles(words: readonly string[], files: number): WordMember[][] {
  const divided = Array.from({ length: files }, (): WordMember[] => []);
  const beginnings = new Map<string, number[]>();
  for (let number = 0; number < words.length; number++) {
    const word = words[number] as string;
    divided[wordFile(word, files)]?.push([word, number]);
    for (const beginning of shortBeginnings(word)) {
      const found = beginnings.get(beginning);
      if (found === undefined) beginnings.set(beginning, [number]);
      else found.push(number);
    }
  }
  for (const [beginning, numbers] of beginnings)
    divided[wordFile(beginning, files)]?.push([beginningKey(beginning), numbers]);
  for (const members of divided) members.sort((one, other) => (one[0] < other[0] ? -1 : 1));
  return divided;
}

/** Adds one list for each class. */
function addByClass(
  printer: DataPrinter,
  { entries, starts }: Postings,
  word: number,
  ids: Float64Array,
): void {
  const [from, to] = [starts[word] as number, starts[word + 1] as number];
  let left = to - from;
  for (let kind = 0; left > 0; kind++) {
    for (let k = from; k < to; k++) {
      const entry = entries[k] as number;
      if ((entry & CLASS_MASK) !== kind) continue;
      printer.add(ids[entry >>> CLASS_BITS] as number);
      left--;
    }
    printer.endList();
  }
}

/** Adds a list of the pages with any of some words. @param bits one for each page, all 0. */
function addAll(
  printer: DataPrinter,
  { entries, starts }: Postings,
  words: readonly number[],
  ids: Float64Array,
  bits: Uint32Array,
): void {
  for (const word of words)
    for (let k = starts[word] as number; k < (starts[word + 1] as number); k++) {
      const place = (entries[k] as number) >>> CLASS_BITS;
      (bits[place >>> 5] as number) |= 1 << (place & 31);
    }
  for (let k = 0; k < bits.length; k++) {
    for (let rest = bits[k] as number; rest !== 0; rest &= rest - 1)
      printer.add(ids[32 * k + 31 - Math.clz32(rest & -rest)] as number);
    bits[k] = 0;
  }
  printer.endList();
}
