/*
 * Lists of ids of pages. A Worker of the free plan has 10 ms of processor time for a request, and a cold program takes
 * several times as long for a loop over 10,000 pages as the functions of the language do.
 */

const isIn = Reflect.get(Set.prototype, "has") as (this: ReadonlySet<number>, id: number) => boolean;

/** The ids that are in both lists, in the order of the first. */
export const both = (ids: readonly number[], others: readonly number[]): readonly number[] =>
  ids.filter(isIn, new Set(others));

export const inAscendingOrder = (ids: readonly number[]): readonly number[] => [
  ...Float64Array.from(ids).sort(),
];

/** The ids that are in any of the lists, in ascending order. */
export const either = (first: readonly number[], ...others: (readonly number[])[]): readonly number[] =>
  others.length === 0 ? first : inAscendingOrder([...new Set(first.concat(...others))]);

export interface SortKey {
  /** All pages in the order of this key, and in that of their ids if they have the same value. */
  ids: readonly number[];
  /** The places at which pages with the same value begin, and those at which they end. */
  ties: readonly [from: readonly number[], to: readonly number[]];
}

/** A part of some pages, or of all, in the order of keys. */
export function sorted(
  some: readonly number[] | undefined,
  [key, ...rest]: readonly SortKey[],
  from: number,
  to: number,
): readonly number[] {
  if (key === undefined) return some?.slice(from, to) ?? [];
  const { ids, ties } = key;
  const wanted = some && new Set(some);
  const inOrder = wanted === undefined ? ids : ids.filter(isIn, wanted);
  if (rest.length === 0) return inOrder.slice(from, to);
  const found: number[] = [];
  for (let at = from; at < Math.min(to, inOrder.length);) {
    const [start, end] = tieAt(ids.indexOf(inOrder[at] as number), ties);
    const alike = ids.slice(start, end);
    const tied = wanted === undefined ? alike : alike.filter(isIn, wanted);
    if (tied.length < 2) {
      found.push(inOrder[at++] as number);
      continue;
    }
    const first = inOrder.indexOf(tied[0] as number);
    // The later keys decide about pages with the same value.
    found.push(...sorted(tied, rest, at - first, to - first));
    at = first + tied.length;
  }
  return found;
}

/** The places at which the pages with the same value as the page at a place begin and end. */
function tieAt(place: number, [starts, ends]: SortKey["ties"]): [start: number, end: number] {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] as number) <= place) low = middle + 1;
    else high = middle;
  }
  const start = starts[low] ?? Infinity;
  return start <= place ? [start, ends[low] as number] : [place, place + 1];
}
