import type { OrderPart } from "../base/website.ts";

/*
 * Lists of ids of pages. A Worker of the free plan has 10 ms of processor time for a request, and a cold program takes
 * several times as long for a loop over 10,000 pages as the functions of the language do.
 */

const isIn = Reflect.get(Set.prototype, "has") as (this: ReadonlySet<number>, id: number) => boolean;

/** The ids that are in both lists, in the order of the first. */
export function both(ids: readonly number[], others: readonly number[]): readonly number[] {
  // A set of many ids costs more than to look each up in a small one.
  const few = 4 * ids.length < others.length ? others.filter(isIn, new Set(ids)) : others;
  return ids.filter(isIn, new Set(few));
}

export const inAscendingOrder = (ids: readonly number[]): readonly number[] => [
  ...Float64Array.from(ids).sort(),
];

/** The ids that are in any of the lists, in ascending order. */
export const either = (first: readonly number[], ...others: (readonly number[])[]): readonly number[] =>
  others.length === 0 ? first : inAscendingOrder([...new Set(first.concat(...others))]);

export interface SortKey {
  /** The number of parts. */
  count: number;
  /** @param k from 0 */
  part: (k: number) => Readonly<OrderPart>;
  isReversed: boolean;
}

/** A part of some pages, or of all, in the order of keys. */
export function sorted(
  some: readonly number[] | undefined,
  [key, ...rest]: readonly SortKey[],
  from: number,
  to: number,
): readonly number[] {
  if (key === undefined) return some?.slice(from, to) ?? [];
  const { count, isReversed } = key;
  /** Pages with the same value, and the place of the first. */
  const groups: [tied: readonly number[], first: number][] = [];
  let wanted: ReadonlySet<number> | undefined;
  for (let k = 0, at = 0; k < count && at < to; k++) {
    const part = key.part(isReversed ? count - 1 - k : k);
    const [ids] = part;
    // The pages to show are often in the first part, so that a set of all wanted ones is not needed.
    const isFirst = k === 0 && some !== undefined;
    const found = isFirst ? both(ids, some) : some ? ids.filter(isIn, (wanted ??= new Set(some))) : ids;
    for (let n = Math.max(0, from - at); n < found.length && at + n < to;) {
      const id = found[isReversed ? found.length - 1 - n : n] as number;
      const [start, end] = tieAt(ids.indexOf(id), part);
      const alike = end - start < ids.length ? ids.slice(start, end) : found;
      const tied = alike.length < 2 || alike === found ? alike : both(alike, found);
      const first = found.indexOf(tied[0] as number);
      const place = isReversed ? found.length - first - tied.length : first;
      groups.push([tied, at + place]);
      n = place + tied.length;
    }
    at += found.length;
  }
  // The later keys decide about pages with the same value: at once about all that are shown.
  const small = groups.flatMap(([tied]) => (tied.length > 1 && tied.length <= to - from ? tied : []));
  const inRest = sorted(small, rest, 0, small.length);
  return groups.flatMap(([tied, first]) => {
    const [start, end] = [Math.max(0, from - first), to - first];
    if (tied.length > to - from) return sorted(tied, rest, start, end);
    return tied.length === 1 ? tied : both(inRest, tied).slice(start, end);
  });
}

/** The places at which the pages with the same value as the page at a place begin and end. */
function tieAt(place: number, [, starts, ends]: Readonly<OrderPart>): [start: number, end: number] {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] as number) <= place) low = middle + 1;
    else high = middle;
  }
  const start = starts[low] ?? Infinity;
  return start <= place ? [start, ends[low] as number] : [place, place + 1];
}
