import { doubles, integers, type Doubles, type Integers } from "../base/columns.ts";
import type { PageIndex } from "./indexer.ts";

/** The pages of all indexes in the order of their ids, in columns that the threads share. */
export interface SortedPages {
  ids: Doubles;
  /** By place, the position in this order: the number of the index that contains the page, and the page's number there. */
  indexOf: Integers;
  numberOf: Integers;
}

export function sortPages(indexes: readonly PageIndex[]): SortedPages {
  const count = indexes.reduce((sum, { ids }) => sum + ids.length, 0);
  const [ids, indexOf, numberOf] = [doubles(count), integers(count), integers(count)];
  let filled = 0;
  for (const index of indexes) {
    ids.set(index.ids, filled);
    filled += index.ids.length;
  }
  ids.sort();
  for (const [index, { ids: own }] of indexes.entries())
    for (let number = 0; number < own.length; number++) {
      const place = placeOf(ids, own[number] as number);
      indexOf[place] = index;
      numberOf[place] = number;
    }
  return { ids, indexOf, numberOf };
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
