import { beginningKey, beginningThatTells, shortBeginnings, wordFile } from "./client/words.js";
import { textOf } from "./columns.ts";
import { CLASS_SPAN, decoded, type PageIndex } from "./indexer.ts";
import { ListWriter } from "./lists.ts";
import type { SortedPages } from "./sorted-pages.ts";
import { WordTable } from "./word-table.ts";

/** Pages in one block of a union. */
const BLOCK = 1024;

/** Which pages have which words. */
export class Postings {
  private readonly ids: Float64Array;
  /** By the number of a word: where its pages begin. */
  private readonly starts: Uint32Array;
  /** The pages of each word, as `place * CLASS_SPAN + class`. */
  private readonly pages: Uint32Array;
  /** By data file: its words with their numbers, and its short beginnings with those of the words that begin so, in groups. */
  private readonly divided: [key: string, words: number | number[][]][][];
  private readonly writer = new ListWriter();
  /** A bit for each page; and by block whether any is set. */
  private readonly union: Uint32Array;
  private readonly blocks: Uint8Array;

  constructor(indexes: readonly PageIndex[], pages: SortedPages, files: number) {
    this.ids = pages.ids;
    const words = renumber(indexes);
    // Two further: while pages are put down, the start of each word is one behind where it ends up.
    this.starts = new Uint32Array(words.length + 2);
    for (const index of indexes) count(index.words, this.starts);
    for (let word = 2; word < this.starts.length; word++)
      (this.starts[word] as number) += this.starts[word - 1] as number;
    this.pages = new Uint32Array(this.starts.at(-1) ?? 0);
    for (let place = 0; place < this.ids.length; place++)
      putDown(place, pages.words(place), this.starts, this.pages);
    const blocks = Math.ceil(this.ids.length / BLOCK);
    this.union = new Uint32Array((blocks * BLOCK) / 32);
    this.blocks = new Uint8Array(blocks);
    this.divided = divide(words, files);
  }

  /** The members of a data file. */
  members(file: number): string[] {
    const members = (this.divided[file] ?? []).sort(([a], [b]) => (a < b ? -1 : 1));
    return members.map(([key, words]) => {
      const text = typeof words === "number" ? this.listsOf(words) : this.listOfAll(words);
      return `"${key}":"${text}"`;
    });
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

  /** The pages that have any of some words. */
  private listOfAll(groups: readonly number[][]): string {
    const { ids, writer, pages, starts, union, blocks } = this;
    for (const words of groups)
      for (const word of words)
        setBits(union, blocks, pages, starts[word] as number, starts[word + 1] as number);
    for (let block = 0; block < blocks.length; block++) {
      if (blocks[block] === 0) continue;
      blocks[block] = 0;
      for (let k = (block * BLOCK) / 32; k < ((block + 1) * BLOCK) / 32; k++) {
        for (let some = union[k] as number; some !== 0; some &= some - 1)
          writer.add(ids[32 * k + 31 - Math.clz32(some & -some)] as number);
        union[k] = 0;
      }
    }
    return writer.finish();
  }
}

/** Gives the words of all indexes, and the words of each index their numbers among them. */
function renumber(indexes: readonly PageIndex[]): string[] {
  const table = new WordTable();
  for (const { words, dictionary } of indexes) {
    const text = textOf(dictionary);
    const numbers = dictionary.ends.map((end, k) => table.numberOf(text, dictionary.ends[k - 1] ?? 0, end));
    for (let k = 0; k < words.length; k++) {
      const word = words[k] as number;
      words[k] = (numbers[Math.floor(word / CLASS_SPAN)] as number) * CLASS_SPAN + (word % CLASS_SPAN);
    }
  }
  const all = table.finish();
  const text = textOf(all);
  return Array.from(all.ends, (end, k) => decoded(text.slice(all.ends[k - 1] ?? 0, end)));
}

/** Divides words, and their short beginnings, among data files. */
function divide(words: readonly string[], files: number): Postings["divided"] {
  // Words that begin alike have the same file and the same beginnings.
  const groups = new Map<string, number[]>();
  for (const [number, word] of words.entries()) {
    const beginning = beginningThatTells(word);
    const group = groups.get(beginning);
    if (group === undefined) groups.set(beginning, [number]);
    else group.push(number);
  }
  const divided = Array.from({ length: files }, (): Postings["divided"][number] => []);
  const beginnings = new Map<string, number[][]>();
  for (const [beginning, group] of groups) {
    const members = divided[wordFile(beginning, files)];
    for (const number of group) members?.push([words[number] ?? "", number]);
    for (const short of shortBeginnings(beginning)) {
      const some = beginnings.get(short);
      if (some === undefined) beginnings.set(short, [group]);
      else some.push(group);
    }
  }
  for (const [beginning, some] of beginnings)
    divided[wordFile(beginning, files)]?.push([beginningKey(beginning), some]);
  return divided;
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
    blocks[Math.floor(place / BLOCK)] = 1;
  }
}
