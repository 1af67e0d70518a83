import { startOfItem } from "../base/columns.ts";
import {
  beginningKey,
  distinctiveBeginning,
  shortBeginnings,
  subjectWord,
  wordFile,
} from "./client/words.js";
import { compareTexts, reader, TextColumn, type PackedTexts } from "./packed-texts.ts";
import { divide } from "./data-files.ts";
import { decoded } from "../json/latin1.ts";
import { CLASSES, classIn, entryOf, forEachPage, numberIn, OTHER, type PageIndex } from "./indexer.ts";
import { ListWriter } from "./lists.ts";
import type { SortedPages } from "./sorted-pages.ts";
import { integersIn } from "./stored-bytes.ts";

/** Maximum number of entries in the lists of pages that are in memory at a time: four bytes each. */
const MAX_ENTRIES = 1 << 22;

/** Marks a key whose list is not in memory. */
const NONE = 2 ** 32 - 1;

/**
 * The keys of the data files of words: each word has the key of its number, and each short beginning of words has one
 * after them.
 */
interface Keys {
  texts: (key: number) => string;
  /** By key: its data file. */
  fileOf: Uint16Array;
  /** The number of keys that are words. */
  words: number;
  /** By word: its number in `beginnings`. */
  groupOf: Uint32Array;
  /** By group of words: the keys of their short beginnings. */
  beginnings: number[][];
}

/**
 * Makes the members of each data file of words, file by file: for each key, the pages that have it. The lists of several
 * files are made together, as many as `MAX_ENTRIES` allows, because each time all words of all pages are read.
 */
export function* membersOfWordFiles(
  indexes: readonly PageIndex[],
  pages: SortedPages,
  files: number,
): Generator<string[]> {
  const { dictionary, numbers } = merge(indexes);
  const keys = keysOf(dictionary, files);
  const parts = indexes.map((index, k) => ({ index, numbers: numbers[k] as Uint32Array }));
  const divided = divide(keys.fileOf, files);
  const sizes = sizesOf(parts, keys);
  const lists = new ClassLists(pages.ids, areInMemory(parts));
  const ends = new Uint32Array(keys.fileOf.length);
  for (let from = 0, to = 0; from < files; from = to) {
    let size = 0;
    ends.fill(NONE);
    for (; to < files; to++) {
      const own = divided[to] as Uint32Array;
      const more = own.reduce((sum, key) => sum + (sizes[key] as number), 0);
      if (to > from && size + more > MAX_ENTRIES) break;
      for (const key of own) {
        ends[key] = size;
        size += sizes[key] as number;
      }
    }
    const entries = entriesOf(parts, pages, keys, ends, new Uint32Array(size));
    let start = 0;
    for (const own of divided.slice(from, to)) {
      const members: [text: string, lists: string][] = [];
      for (const key of own) {
        members.push([keys.texts(key), lists.of(entries, start, ends[key] as number)]);
        start += sizes[key] as number;
      }
      members.sort(([a], [b]) => (a < b ? -1 : 1));
      yield members.map(([text, all]) => `"${text}":"${all}"`);
    }
  }
}

/** The pages of one index, with the numbers of its words in the merged dictionary. */
interface Part {
  index: PageIndex;
  numbers: Uint32Array;
}

/**
 * Calls a function with the words of each page: they are in `words` from the index `from` up to `to`. If all words are in
 * memory, pages come in the order of their places, so that lists need not be sorted.
 */
function forEachPlace(
  parts: readonly Part[],
  { ids, indexOf, numberOf }: SortedPages,
  use: (part: Part, place: number, words: Uint32Array, from: number, to: number) => void,
): void {
  if (!areInMemory(parts)) {
    const placeOf = parts.map(({ index }) => new Uint32Array(index.ids.length));
    for (let place = 0; place < ids.length; place++)
      (placeOf[indexOf[place] as number] as Uint32Array)[numberOf[place] as number] = place;
    for (const [k, part] of parts.entries())
      forEachPage(part.index, (page, words, from, to) =>
        use(part, placeOf[k]?.[page] as number, words, from, to),
      );
    return;
  }
  const inMemory = parts.map(({ index }) => integersIn(index.words.memory));
  for (let place = 0; place < ids.length; place++) {
    const part = parts[indexOf[place] as number] as Part;
    const { wordEnds } = part.index;
    const page = numberOf[place] as number;
    const [start, end] = [startOfItem(wordEnds, page), wordEnds[page] as number];
    use(part, place, inMemory[indexOf[place] as number] as Uint32Array, start / 4, end / 4);
  }
}

const areInMemory = (parts: readonly Part[]): boolean =>
  parts.every(({ index }) => index.words.file === undefined);

/** By key: the maximum number of its entries. A page with several words that have one beginning is counted several times. */
function sizesOf(parts: readonly Part[], { words, fileOf, groupOf, beginnings }: Keys): Uint32Array {
  const sizes = new Uint32Array(fileOf.length);
  for (const { index, numbers } of parts)
    for (let number = 0; number < numbers.length; number++)
      (sizes[numbers[number] as number] as number) += index.frequencies[number] as number;
  for (let word = 0; word < words; word++)
    for (const key of beginnings[groupOf[word] as number] as number[])
      (sizes[key] as number) += sizes[word] as number;
  return sizes;
}

/**
 * Adds an entry for each key of each page to the list of the key: the page's place, and the class of the word.
 *
 * @param ends by key: the end of its list so far, or `NONE`.
 */
function entriesOf(
  parts: readonly Part[],
  pages: SortedPages,
  { words, fileOf, groupOf, beginnings }: Keys,
  ends: Uint32Array,
  entries: Uint32Array,
): Uint32Array {
  /** By short beginning: the last page with it, counted from 1. Words of a page may have the same beginnings. */
  const last = new Uint32Array(fileOf.length - words);
  const add = (key: number, entry: number): void => {
    const end = ends[key] as number;
    if (end === NONE) return;
    entries[end] = entry;
    ends[key] = end + 1;
  };
  forEachPlace(parts, pages, ({ numbers }, place, ofPage, from, to) => {
    for (let at = from; at < to; at++) {
      const word = numbers[numberIn(ofPage[at] as number)] as number;
      add(word, entryOf(place, classIn(ofPage[at] as number)));
      const short = beginnings[groupOf[word] as number] as number[];
      for (let k = 0; k < short.length; k++) {
        const key = short[k] as number;
        if (last[key - words] === place + 1) continue;
        last[key - words] = place + 1;
        add(key, entryOf(place, OTHER));
      }
    }
  });
  return entries;
}

/** Writes the lists of a key, one for each class. */
class ClassLists {
  private readonly ids: Float64Array;
  private readonly areSorted: boolean;
  private readonly writers = Array.from({ length: CLASSES }, () => new ListWriter());

  /** @param areSorted whether the entries of each key are in the order of the pages' places. */
  constructor(ids: Float64Array, areSorted: boolean) {
    this.ids = ids;
    this.areSorted = areSorted;
  }

  /** The lists of entries between two indexes. Empty lists at the end are left out. */
  of(entries: Uint32Array, from: number, to: number): string {
    const { ids, writers } = this;
    if (!this.areSorted && to - from > 1) entries.subarray(from, to).sort();
    let last = 0;
    for (let at = from; at < to; at++) {
      const entry = entries[at] as number;
      const kind = classIn(entry);
      if (kind > last) last = kind;
      (writers[kind] as ListWriter).add(ids[numberIn(entry)] as number);
    }
    let all = (writers[0] as ListWriter).finish();
    for (let kind = 1; kind <= last; kind++) all += `,${(writers[kind] as ListWriter).finish()}`;
    return all;
  }
}

/** Merges the words of all indexes in the order of their bytes. @returns also the new numbers of the words of each index. */
function merge(indexes: readonly PageIndex[]): { dictionary: PackedTexts; numbers: Uint32Array[] } {
  const merged = new TextColumn(
    indexes.reduce((sum, { dictionary }) => sum + dictionary.ends.length, 0),
    16,
  );
  const parts = indexes.map(({ dictionary }) => ({
    dictionary,
    next: 0,
    numbers: new Uint32Array(dictionary.ends.length),
  }));
  for (let number = 0; ; number++) {
    let least: (typeof parts)[number] | undefined;
    for (const one of parts)
      if (
        one.next < one.numbers.length &&
        (least === undefined || compareTexts(one.dictionary, one.next, least.dictionary, least.next) < 0)
      )
        least = one;
    if (least === undefined) break;
    const { dictionary, next } = least;
    merged.copy(dictionary, next);
    for (const one of parts)
      if (one.next < one.numbers.length && compareTexts(one.dictionary, one.next, dictionary, next) === 0)
        one.numbers[one.next++] = number;
  }
  const numbers = indexes.map(({ places }, k) =>
    new Uint32Array(places.length).map((_, word) => parts[k]?.numbers[places[word] as number] as number),
  );
  return { dictionary: merged.finish(), numbers };
}

function keysOf(dictionary: PackedTexts, files: number): Keys {
  const words = dictionary.ends.length;
  const wordOf = reader(dictionary);
  const wordFiles = new Uint16Array(words);
  const groupOf = new Uint32Array(words);
  const beginnings: number[][] = [];
  /** The short beginnings by key, their files and their keys. */
  const short: string[] = [];
  const shortFiles: number[] = [];
  const known = new Map<string, number>();
  const keyOf = (text: string): number => {
    let key = known.get(text);
    if (key === undefined) {
      known.set(text, (key = words + short.push(text) - 1));
      shortFiles.push(wordFile(text, files));
    }
    return key;
  };
  // Words with the same beginning follow one another, and have the same file and the same short beginnings.
  let beginning: string | undefined;
  let file = 0;
  /** Number of bytes after which a word has the same beginning as the word before it, unless it is a subject. */
  let enough = Infinity;
  const ofSubjects = subjectWord("");
  for (let number = 0; number < words; number++) {
    if (!beginsAlike(dictionary, number, enough)) {
      const word = decoded(wordOf(number));
      const own = distinctiveBeginning(word);
      enough = own.length < word.length && !ofSubjects.startsWith(own) ? Buffer.byteLength(own) : Infinity;
      if (own !== beginning) {
        beginning = own;
        file = wordFile(own, files);
        beginnings.push(shortBeginnings(own).map(keyOf));
      }
    }
    wordFiles[number] = file;
    groupOf[number] = beginnings.length - 1;
  }
  const fileOf = new Uint16Array(words + short.length);
  fileOf.set(wordFiles);
  fileOf.set(shortFiles, words);
  return {
    texts: (key) => (key < words ? decoded(wordOf(key)) : beginningKey(short[key - words] as string)),
    fileOf,
    words,
    groupOf,
    beginnings,
  };
}

/** Whether a word and the word before it have the same first bytes, `length` of them. */
function beginsAlike({ bytes, ends }: PackedTexts, number: number, length: number): boolean {
  if (number === 0) return false;
  const [before, start] = [startOfItem(ends, number - 1), startOfItem(ends, number)];
  if (length > (ends[number] as number) - start) return false;
  for (let k = 0; k < length; k++) if (bytes[before + k] !== bytes[start + k]) return false;
  return true;
}
