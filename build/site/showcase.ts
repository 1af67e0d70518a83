import type { PageTable } from "./manifest/page-table.ts";
import type { PageType, PageTypes } from "../model/page-types.ts";

/** Maximum pages in each list of the home view. */
const MAX_LISTED = 6;

/** The pages that the contract and the home view show, by their rows in the table. */
export interface Showcase {
  /** The published pages that have no picture, and those that have one: the latest first. */
  newest: number[];
  pictures: number[];
  /** Of each type that a page has, the one with the smallest id. A new page, which usually has a larger id, does not change it. */
  examples: [PageType, row: number][];
}

export function showcaseOf({ names }: PageTypes, { id: ids, type, picture, published }: PageTable): Showcase {
  const isSmaller = (row: number, other: number): boolean => (ids[row] ?? 0) < (ids[other] ?? 0);
  const isLater = (row: number, other: number): boolean => {
    const later = (published[row] ?? 0) - (published[other] ?? 0);
    return later === 0 ? isSmaller(row, other) : later > 0;
  };
  const [newest, pictures]: [number[], number[]] = [[], []];
  const examples = new Map<number, number>();
  for (let row = 0; row < ids.length; row++) {
    if (ids[row] === 0) continue;
    const kind = type[row] as number;
    const example = examples.get(kind);
    if (example === undefined || isSmaller(row, example)) examples.set(kind, row);
    if (picture[row] === 1) insert(pictures, row, isLater);
    else if (published[row] !== 0) insert(newest, row, isLater);
  }
  return {
    newest,
    pictures,
    examples: names.flatMap((name, k): [PageType, number][] => {
      const row = examples.get(k + 1);
      return row === undefined ? [] : [[name, row]];
    }),
  };
}

/** Inserts a row into a sorted list, unless others fill the list. */
function insert(list: number[], row: number, isBefore: (row: number, other: number) => boolean): void {
  const last = list.at(-1);
  if (list.length === MAX_LISTED && last !== undefined && !isBefore(row, last)) return;
  const at = list.findIndex((other) => isBefore(row, other));
  list.splice(at === -1 ? list.length : at, 0, row);
  if (list.length > MAX_LISTED) list.pop();
}
