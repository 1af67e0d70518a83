import { beginningKey, distinctiveBeginning, isSubject, shortBeginnings, wordFile } from "./client/words.js";
import { compareTexts, reader, TextColumn, type PackedTexts } from "./columns.ts";
import { CLASS_SPAN, decoded, renumber, type PageIndex } from "./indexer.ts";
import { ListWriter } from "./lists.ts";
import type { SortedPages } from "./sorted-pages.ts";

/** Number of pages in one block of the union. */
const PAGES_PER_BLOCK = 1024;

/** A short beginning, with the range of the words that begin with it. The range may include subjects, which do not count. */
interface Beginning {
  text: string;
  from: number;
  to: number;
}

/** The numbers of the words in a data file, and its short beginnings. */
interface Division {
  words: number[];
  beginnings: Beginning[];
}

/** The pages of each word. */
export class Postings {
  private readonly ids: Float64Array;
  /** By the number of a word: the start of its pages in `pages`. */
  private readonly starts: Uint32Array;
  /** The pages of each word, as `place * CLASS_SPAN + class`. */
  private readonly pages: Uint32Array;
  private readonly wordOf: (number: number) => string;
  /** By data file. */
  private readonly divided: readonly Division[];
  /** The range of the words that are subjects. */
  private readonly subjects: readonly [from: number, to: number];
  private readonly writer = new ListWriter();
  /** One bit for each page; `blocks` has 1 for each block in which any bit is set. */
  private readonly union: Uint32Array;
  private readonly blocks: Uint8Array;

  constructor(indexes: readonly PageIndex[], pages: SortedPages, files: number) {
    this.ids = pages.ids;
    const words = merge(indexes);
    const wordOf = reader(words);
    this.wordOf = (number) => decoded(wordOf(number));
    const wordCount = words.ends.length;
    // Two extra entries: until `putDown` has filled `pages`, the start of each word is one entry further on.
    this.starts = new Uint32Array(wordCount + 2);
    for (const index of indexes) count(index.words, this.starts);
    for (let word = 2; word < this.starts.length; word++)
      (this.starts[word] as number) += this.starts[word - 1] as number;
    this.pages = new Uint32Array(this.starts.at(-1) ?? 0);
    for (let place = 0; place < this.ids.length; place++)
      putDown(place, pages.words(place), this.starts, this.pages);
    const blocks = Math.ceil(this.ids.length / PAGES_PER_BLOCK);
    this.union = new Uint32Array((blocks * PAGES_PER_BLOCK) / 32);
    this.blocks = new Uint8Array(blocks);
    [this.divided, this.subjects] = divide(wordCount, this.wordOf, files);
  }

  /** The members of a data file. */
  members(file: number): string[] {
    const { words, beginnings } = this.divided[file] as Division;
    const members = words.map((word): [key: string, value: string] => [
      this.wordOf(word),
      this.listsOf(word),
    ]);
    for (const { text, from, to } of beginnings) members.push([beginningKey(text), this.listOfAll(from, to)]);
    members.sort(([a], [b]) => (a < b ? -1 : 1));
    return members.map(([key, text]) => `"${key}":"${text}"`);
  }

  private listsOf(word: number): string {
    const { ids, pages, starts, writer } = this;
    const [from, to] = [starts[word] as number, starts[word + 1] as number];
    let kinds = 0;
    for (let k = from; k < to; k++) kinds |= 1 << ((pages[k] as number) % CLASS_SPAN);
    let lists = "";
    for (let kind = 0; kinds >>> kind !== 0; kind++) {
      for (let k = from; k < to; k++) {
        const page = pages[k] as number;
        if (page % CLASS_SPAN === kind) writer.add(ids[Math.floor(page / CLASS_SPAN)] as number);
      }
      lists += (kind === 0 ? "" : ",") + writer.finish();
    }
    return lists;
  }

  /** The pages that have any word of a range, except subjects. */
  private listOfAll(from: number, to: number): string {
    const { ids, writer, union, blocks } = this;
    const [subjectsFrom, subjectsTo] = this.subjects;
    this.unite(from, Math.min(to, subjectsFrom));
    this.unite(Math.max(from, subjectsTo), to);
    for (let block = 0; block < blocks.length; block++) {
      if (blocks[block] === 0) continue;
      blocks[block] = 0;
      for (let k = (block * PAGES_PER_BLOCK) / 32; k < ((block + 1) * PAGES_PER_BLOCK) / 32; k++) {
        for (let some = union[k] as number; some !== 0; some &= some - 1)
          writer.add(ids[32 * k + 31 - Math.clz32(some & -some)] as number);
        union[k] = 0;
      }
    }
    return writer.finish();
  }

  /** Adds the pages that have any word of a range to the union. */
  private unite(from: number, to: number): void {
    const { pages, starts, union, blocks } = this;
    if (from < to) setBits(union, blocks, pages, starts[from] as number, starts[to] as number);
  }
}

/** Merges the words of all indexes in the order of their bytes, and renumbers the words of each index accordingly. */
function merge(indexes: readonly PageIndex[]): PackedTexts {
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
    const left = parts.filter(({ next, numbers }) => next < numbers.length);
    let [least, ...rest] = left;
    if (least === undefined) break;
    for (const one of rest)
      if (compareTexts(one.dictionary, one.next, least.dictionary, least.next) < 0) least = one;
    const { dictionary, next } = least;
    merged.copy(dictionary, next);
    for (const one of left)
      if (compareTexts(one.dictionary, one.next, dictionary, next) === 0) one.numbers[one.next++] = number;
  }
  for (const [k, { words }] of indexes.entries()) renumber(words, parts[k]?.numbers as Uint32Array);
  return merged.finish();
}

/** Divides words and their short beginnings among data files, and finds the range of subjects. */
function divide(
  wordCount: number,
  wordOf: (number: number) => string,
  files: number,
): [Division[], subjects: [from: number, to: number]] {
  const divided = Array.from({ length: files }, (): Division => ({ words: [], beginnings: [] }));
  const subjects: [from: number, to: number] = [wordCount, wordCount];
  const known = new Map<string, Beginning>();
  // Words with the same beginning follow one another, and have the same file and the same short beginnings.
  let beginning: string | undefined;
  let words: number[] = [];
  let short: Beginning[] = [];
  for (let number = 0; number < wordCount; number++) {
    const word = wordOf(number);
    if (isSubject(word)) {
      subjects[0] = Math.min(subjects[0], number);
      subjects[1] = number + 1;
    }
    if (distinctiveBeginning(word) !== beginning) {
      beginning = distinctiveBeginning(word);
      words = divided[wordFile(beginning, files)]?.words ?? [];
      short = shortBeginnings(beginning).map((text) => {
        let one = known.get(text);
        if (one === undefined) {
          one = { text, from: number, to: number };
          known.set(text, one);
          divided[wordFile(text, files)]?.beginnings.push(one);
        }
        return one;
      });
    }
    words.push(number);
    for (const one of short) one.to = number + 1;
  }
  return [divided, subjects];
}

function count(words: Uint32Array, starts: Uint32Array): void {
  for (let k = 0; k < words.length; k++)
    (starts[Math.floor((words[k] as number) / CLASS_SPAN) + 2] as number)++;
}

function putDown(place: number, words: Uint32Array, starts: Uint32Array, pages: Uint32Array): void {
  for (let k = 0; k < words.length; k++) {
    const word = words[k] as number;
    const next = Math.floor(word / CLASS_SPAN) + 1;
    pages[(starts[next] as number)++] = place * CLASS_SPAN + (word % CLASS_SPAN);
  }
}

function setBits(bits: Uint32Array, blocks: Uint8Array, pages: Uint32Array, from: number, to: number): void {
  for (let k = from; k < to; k++) {
    const place = Math.floor((pages[k] as number) / CLASS_SPAN);
    (bits[place >>> 5] as number) |= 1 << (place & 31);
    blocks[Math.floor(place / PAGES_PER_BLOCK)] = 1;
  }
}
