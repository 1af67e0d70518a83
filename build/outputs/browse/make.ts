import { bytesOf, Numbering } from "../../base/columns.ts";
import type { Positioned } from "../../model/position.ts";
import { addressName, beginningKey, idFile, shortBeginnings, wordFile } from "../../browse/words.js";
import {
  DATA_FILE_END,
  dataFileStart,
  dataPath,
  type Counts,
  type DataFile,
  type DataKind,
} from "../../browse/data-files.ts";
import { DataPrinter, treeOf } from "./lists.ts";
import { CLASS_BITS, CLASS_MASK, type PageIndex } from "./page-index.ts";

/** All data files that are derived from the pages. */
export function* makeDataFiles(indexes: readonly PageIndex[], counts: Counts): Generator<DataFile> {
  const pages = sortedPages(indexes);
  const ids = Float64Array.from(pages, ({ id }) => id);
  const printer = new DataPrinter();
  function* print<T>(
    kind: DataKind,
    files: readonly T[][],
    printMember: (member: T) => void,
  ): Generator<DataFile> {
    for (const [file, members] of files.entries()) {
      printer.text(dataFileStart(counts[kind]));
      members.forEach(printMember);
      printer.text(DATA_FILE_END);
      yield [dataPath(kind, file), printer.take()];
    }
  }

  const postings = postingsOf(indexes, pages);
  const bits = new Uint32Array(Math.ceil(ids.length / 32));
  const { keys, files, beginnings } = wordFiles(postings.words, counts.words);
  const wordCount = postings.words.length;
  yield* print("words", files, (key) => {
    printer.key(keys[key] as string);
    printer.text('"');
    if (key < wordCount) addByClass(printer, postings, key, ids);
    else addAll(printer, postings, beginnings[key - wordCount] as number[], ids, bits);
    printer.endLists();
    printer.text('"');
  });
  const { records, addresses, trees } = divided(pages, counts);
  yield* print("records", records, ({ id, index, number }) => {
    printer.key(String(id));
    printer.copy(bytesOf(index.rows, number));
  });
  yield* print("addresses", addresses, ({ id, index, number }) => {
    printer.key(addressName(index.addressKeys[number] as number));
    printer.text(String(id));
  });
  yield* print("trees", trees, ([parent, subpages]) => {
    printer.key(String(parent));
    printer.text(treeOf(subpages));
  });
}

interface SortedPage {
  id: number;
  index: PageIndex;
  /** In the index. */
  number: number;
}

function sortedPages(indexes: readonly PageIndex[]): SortedPage[] {
  const pages = indexes.flatMap((index) => index.ids.map((id, number) => ({ id, index, number })));
  return pages.sort((one, other) => one.id - other.id);
}

const filesOf = <T>(count: number): T[][] => Array.from({ length: count }, () => []);

function divided(pages: readonly SortedPage[], counts: Counts) {
  const records = filesOf<SortedPage>(counts.records);
  const addresses = filesOf<SortedPage>(counts.addresses);
  const trees = filesOf<[parent: number, subpages: Positioned[]]>(counts.trees);
  const subpages = new Map<number, Positioned[]>();
  for (const page of pages) {
    const { id, index, number } = page;
    const key = index.addressKeys[number] as number;
    const parent = index.parents[number] as number;
    records[idFile(id, counts.records)]?.push(page);
    addresses[key % counts.addresses]?.push(page);
    const subpage = { id, position: index.positions[number] as number };
    const siblings = subpages.get(parent);
    if (siblings === undefined) subpages.set(parent, [subpage]);
    else siblings.push(subpage);
  }
  subpages.delete(0);
  for (const tree of [...subpages].sort(([a], [b]) => a - b))
    trees[idFile(tree[0], counts.trees)]?.push(tree);
  return { records, addresses, trees };
}

/** For each word of each page, the page's place in the order of ids and, in the lowest bits, the class: word by word. */
interface Postings {
  words: string[];
  entries: Uint32Array;
  /** By word: the start of its entries, which is the end of those of the word before. */
  starts: Uint32Array;
}

function postingsOf(indexes: readonly PageIndex[], pages: readonly SortedPage[]): Postings {
  const words = new Numbering(indexes.reduce((sum, index) => sum + index.words.length, 0));
  const numbers = new Map(indexes.map((index) => [index, words.numbersOf(index.words)]));
  const starts = new Uint32Array(words.texts.length + 1);
  for (const [{ entries: own }, numberOf] of numbers)
    for (let k = 0; k < own.length; k++)
      (starts[(numberOf[(own[k] as number) >>> CLASS_BITS] as number) + 1] as number)++;
  for (let word = 1; word < starts.length; word++) (starts[word] as number) += starts[word - 1] as number;
  const next = starts.slice();
  const entries = new Uint32Array(starts.at(-1) ?? 0);
  for (let place = 0; place < pages.length; place++) {
    const { index, number } = pages[place] as SortedPage;
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

interface WordFiles {
  /** The words, then short beginnings of words. */
  keys: string[];
  /** By file: the numbers of its keys, in the order of the keys. */
  files: number[][];
  /** By short beginning: the numbers of its words. */
  beginnings: number[][];
}

function wordFiles(words: readonly string[], count: number): WordFiles {
  const keys = words.slice();
  const files = filesOf<number>(count);
  const beginnings = new Map<string, number[]>();
  for (let number = 0; number < words.length; number++) {
    const word = words[number] as string;
    files[wordFile(word, count)]?.push(number);
    for (const beginning of shortBeginnings(word)) {
      const found = beginnings.get(beginning);
      if (found === undefined) beginnings.set(beginning, [number]);
      else found.push(number);
    }
  }
  for (const beginning of beginnings.keys())
    files[wordFile(beginning, count)]?.push(keys.push(beginningKey(beginning)) - 1);
  for (const file of files)
    file.sort((one, other) => ((keys[one] as string) < (keys[other] as string) ? -1 : 1));
  return { keys, files, beginnings: [...beginnings.values()] };
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
