import { reader } from "./columns.ts";
import type { PageIndex } from "./indexer.ts";

/** The pages of all indexes in the order of their ids. A page's `place` is its position in this order. */
export class SortedPages {
  readonly ids: Float64Array;
  private readonly indexes: readonly PageIndex[];
  private readonly rows: ((number: number) => string)[];
  /** By place: the index that contains the page, and the page's number in the index. */
  private readonly indexOf: Uint8Array;
  private readonly numberOf: Uint32Array;

  constructor(indexes: readonly PageIndex[]) {
    this.indexes = indexes;
    this.rows = indexes.map(({ rows }) => reader(rows));
    this.ids = new Float64Array(indexes.reduce((count, { ids }) => count + ids.length, 0));
    let filled = 0;
    for (const { ids } of indexes) {
      this.ids.set(ids, filled);
      filled += ids.length;
    }
    this.ids.sort();
    this.indexOf = new Uint8Array(filled);
    this.numberOf = new Uint32Array(filled);
    for (const [index, { ids }] of indexes.entries())
      for (let number = 0; number < ids.length; number++) {
        const place = placeOf(this.ids, ids[number] as number);
        this.indexOf[place] = index;
        this.numberOf[place] = number;
      }
  }

  parent(place: number): number {
    return this.index(place).parents[this.number(place)] as number;
  }

  addressKey(place: number): number {
    return this.index(place).addressKeys[this.number(place)] as number;
  }

  /** In latin1. */
  row(place: number): string {
    return (this.rows[this.indexOf[place] as number] as (number: number) => string)(this.number(place));
  }

  /** The words of a page, with their classes. */
  words(place: number): Uint32Array {
    const number = this.number(place);
    const { words, wordEnds } = this.index(place);
    return words.subarray(wordEnds[number - 1] ?? 0, wordEnds[number]);
  }

  private index(place: number): PageIndex {
    return this.indexes[this.indexOf[place] as number] as PageIndex;
  }

  private number(place: number): number {
    return this.numberOf[place] as number;
  }
}

function placeOf(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
