import { rowsIn, type PageIndex } from "./indexer.ts";

/** The pages of all indexes in the order of their ids; a page is known by its place in it. */
export class SortedPages {
  readonly ids: Float64Array;
  private readonly indexes: readonly PageIndex[];
  /** By place: the index that has the page, and the page's number there. */
  private readonly indexOf: Uint8Array;
  private readonly numberOf: Uint32Array;

  private readonly rows: ((number: number) => string)[];

  constructor(indexes: readonly PageIndex[]) {
    this.indexes = indexes;
    this.rows = indexes.map(rowsIn);
    this.ids = new Float64Array(indexes.reduce((count, { ids }) => count + ids.length, 0));
    let filled = 0;
    for (const { ids } of indexes) {
      this.ids.set(ids, filled);
      filled += ids.length;
    }
    this.ids.sort();
    this.indexOf = new Uint8Array(this.ids.length);
    this.numberOf = new Uint32Array(this.ids.length);
    for (const [index, { ids }] of indexes.entries())
      for (const [number, id] of ids.entries()) {
        const place = placeOf(this.ids, id);
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

  /** The index that has a page, the index's number, and where the page's words begin and end in it. */
  wordsOf(place: number): { index: number; from: number; to: number } {
    const number = this.number(place);
    const { wordEnds } = this.index(place);
    return {
      index: this.indexOf[place] as number,
      from: wordEnds[number - 1] ?? 0,
      to: wordEnds[number] as number,
    };
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
