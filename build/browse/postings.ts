import { beginningKey, shortBeginnings, wordFile } from "./client/words.js";
import { CLASSES, CLASS_SPAN, wordsIn, type PageIndex } from "./indexer.ts";
import { joinLists, ListWriter } from "./lists.ts";
import type { SortedPages } from "./sorted-pages.ts";

/** So many pages are a block of a union. */
const BLOCK = 1024;

/** Which pages have which words. */
export class Postings {
  private readonly ids: Float64Array;
  /** The words of all indexes, and their numbers. */
  private readonly numbers = new Map<string, number>();
  /** By word and class, `number * CLASS_SPAN + class`: where the places of its pages begin. */
  private readonly starts: Uint32Array;
  private readonly places: Uint32Array;
  /** By the key of a short beginning: the numbers of the words with it. */
  private readonly beginnings = new Map<string, number[]>();
  /** By data file: the words and the keys of beginnings that it has. */
  private readonly divided: string[][];
  private readonly writer = new ListWriter();
  /** A bit for each page; and by block whether any is set. */
  private readonly union: Uint32Array;
  private readonly blocks: Uint8Array;

  constructor(indexes: readonly PageIndex[], pages: SortedPages, files: number) {
    this.ids = pages.ids;
    const columns = indexes.map((index) => renumbered(index, this.numbers));
    // One further: while places are put down, the start of each is one behind where it ends up.
    this.starts = new Uint32Array(this.numbers.size * CLASS_SPAN + 2);
    for (const words of columns) count(words, this.starts);
    addUp(this.starts);
    this.places = new Uint32Array(this.starts.at(-1) ?? 0);
    for (let place = 0; place < this.ids.length; place++) {
      const { index, from, to } = pages.wordsOf(place);
      putDown(place, columns[index] as Uint32Array, from, to, this.starts, this.places);
    }
    const blocks = Math.ceil(this.ids.length / BLOCK);
    this.union = new Uint32Array((blocks * BLOCK) / 32);
    this.blocks = new Uint8Array(blocks);
    this.divided = Array.from({ length: files }, () => []);
    for (const [word, number] of this.numbers) this.divideWord(word, number);
    for (const keys of this.divided) keys.sort();
  }

  private divideWord(word: string, number: number): void {
    const { divided, beginnings } = this;
    divided[wordFile(word, divided.length)]?.push(word);
    for (const beginning of shortBeginnings(word)) {
      const key = beginningKey(beginning);
      const words = beginnings.get(key);
      if (words !== undefined) words.push(number);
      else {
        beginnings.set(key, [number]);
        divided[wordFile(beginning, divided.length)]?.push(key);
      }
    }
  }

  /** The members of a data file. */
  members(file: number): string[] {
    return (this.divided[file] ?? []).map((key) => {
      const words = this.beginnings.get(key);
      const text =
        words === undefined ? joinLists(this.listsOf(this.numbers.get(key) ?? 0)) : this.listOfAll(words);
      return `"${key}":"${text}"`;
    });
  }

  private listsOf(word: number): string[] {
    const { ids, places, starts, writer } = this;
    const lists: string[] = [];
    for (let kind = 0; kind < CLASSES; kind++) {
      const end = starts[word * CLASS_SPAN + kind + 1] as number;
      for (let k = starts[word * CLASS_SPAN + kind] as number; k < end; k++)
        writer.add(ids[places[k] as number] as number);
      lists.push(writer.finish());
    }
    return lists;
  }

  /** The pages that have any of some words. */
  private listOfAll(words: readonly number[]): string {
    const { ids, writer, places, starts, union, blocks } = this;
    for (const word of words) {
      const [from, to] = [starts[word * CLASS_SPAN] as number, starts[(word + 1) * CLASS_SPAN] as number];
      setBits(union, blocks, places, from, to);
    }
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

/** The words of an index by their numbers among the words of all. */
function renumbered(index: PageIndex, numbers: Map<string, number>): Uint32Array {
  const known = wordsIn(index).map((word) => {
    let number = numbers.get(word);
    if (number === undefined) numbers.set(word, (number = numbers.size));
    return number;
  });
  return index.words.map(
    (word) => (known[Math.floor(word / CLASS_SPAN)] as number) * CLASS_SPAN + (word % CLASS_SPAN),
  );
}

function count(words: Uint32Array, starts: Uint32Array): void {
  for (let k = 0; k < words.length; k++) (starts[(words[k] as number) + 2] as number)++;
}

function addUp(starts: Uint32Array): void {
  for (let key = 2; key < starts.length; key++) (starts[key] as number) += starts[key - 1] as number;
}

function putDown(
  place: number,
  words: Uint32Array,
  from: number,
  to: number,
  starts: Uint32Array,
  places: Uint32Array,
): void {
  for (let k = from; k < to; k++) {
    const key = (words[k] as number) + 1;
    const at = starts[key] as number;
    places[at] = place;
    starts[key] = at + 1;
  }
}

function setBits(bits: Uint32Array, blocks: Uint8Array, places: Uint32Array, from: number, to: number): void {
  for (let k = from; k < to; k++) {
    const place = places[k] as number;
    (bits[place >>> 5] as number) |= 1 << (place & 31);
    blocks[Math.floor(place / BLOCK)] = 1;
  }
}
