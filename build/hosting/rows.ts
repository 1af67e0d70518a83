import { columnOf } from "../base/website.ts";
import { byPosition } from "../model/position.ts";

/*
 * Rows of pages, for lists. Loops and numbers, because functions and iterators take a cold program several times as long,
 * and a Worker of the free plan has 10 ms of processor time for a request.
 */

export function allRows({ length }: readonly number[]): readonly number[] {
  const rows: number[] = [];
  for (let row = 0; row < length; row++) rows.push(row);
  return rows;
}

/** The row of a page; undefined if it is not among them. @param ids ascending */
export function rowIn(ids: readonly number[], id: number): number | undefined {
  let [from, to] = [0, ids.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ids[middle] as number) < id) from = middle + 1;
    else to = middle;
  }
  return ids[from] === id ? from : undefined;
}

/** The rows that have a number in a column. @param rows all by default */
export function rowsWith(
  rows: readonly number[] | undefined,
  column: ArrayLike<number>,
  number: number,
): readonly number[] {
  const found: number[] = [];
  const count = rows === undefined ? column.length : rows.length;
  for (let k = 0; k < count; k++) {
    const row = rows === undefined ? k : (rows[k] as number);
    if (column[row] === number) found.push(row);
  }
  return found;
}

/** By row: 1 if its id is a member of a set. */
export function membersIn(ids: readonly number[], some: ReadonlySet<number>): Uint8Array {
  const found = new Uint8Array(ids.length);
  for (let row = 0; row < ids.length; row++) if (some.has(ids[row] as number)) found[row] = 1;
  return found;
}

/** By row: the number of its id in ascending order. */
export const ranks = (ids: readonly number[]): readonly number[] =>
  columnOf(ids, (numberOf) => ids.map(numberOf)).rows;

/** Ids in the order of a page's subpages. @param positions those that sources set, by id */
export const byPlace = (ids: readonly number[], positions: Readonly<Record<number, number>>): number[] =>
  ids
    .map((id) => ({ id, position: positions[id] ?? 0 }))
    .sort(byPosition)
    .map(({ id }) => id);

export interface SortKey {
  /** By row. */
  numbers: readonly number[];
  isReversed: boolean;
}

/** Numbers and rows are smaller. */
const FACTOR = 2 ** 24;

/** A part of the rows in an order. Rows with equal numbers keep theirs. */
export function sorted(
  rows: readonly number[],
  keys: readonly SortKey[],
  from: number,
  to: number,
): number[] {
  const [key, ...rest] = keys;
  if (key === undefined || rows.length < 2) return rows.slice(from, to);
  const { numbers, isReversed } = key;
  // One number for each row, so that sorting needs no function.
  const pairs = new Float64Array(rows.length);
  const factor = isReversed ? -FACTOR : FACTOR;
  for (let k = 0; k < pairs.length; k++) pairs[k] = (numbers[rows[k] as number] as number) * factor + k;
  pairs.sort();
  const numberAt = (k: number): number => Math.floor((pairs[k] as number) / FACTOR);
  const isTie = (k: number): boolean => numberAt(k - 1) === numberAt(k);
  const found: number[] = [];
  const end = Math.min(to, pairs.length);
  for (let first = from; first < end;) {
    let [start, last] = [first, first + 1];
    // The later keys decide about rows with the same number.
    if (rest.length > 0) {
      while (start > 0 && isTie(start)) start--;
      while (last < pairs.length && isTie(last)) last++;
    }
    const alike: number[] = [];
    for (let k = start; k < last; k++)
      alike.push(rows[(pairs[k] as number) - numberAt(k) * FACTOR] as number);
    found.push(...sorted(alike, rest, first - start, end - start));
    first = last;
  }
  return found;
}
