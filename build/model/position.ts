/** The order of the pages with the same parent, which `meta.order` in their sources sets. */

/** A page's position; 0 if its source has none. A written 0 becomes the next number. */
export function positionOf(meta: object): number {
  const { order } = meta as { order?: number };
  return order === undefined ? 0 : asWritten(order);
}

const asWritten = (order: number): number => order || Number.MIN_VALUE;

export interface Positioned {
  id: number;
  /** As in `positionOf`. */
  position: number;
}

/** The order of pages with the same parent: those with a position first, then the others; ties by id. */
export const byPosition = (a: Positioned, b: Positioned): number =>
  a.position === b.position ? a.id - b.id : (a.position || Infinity) - (b.position || Infinity);

/**
 * The values of `meta.order` to write, by id, so that pages with the same parent get an order: as few as possible.
 *
 * @param wanted the pages in the wanted order, with their positions so far.
 */
export function positionsFor(wanted: readonly Positioned[]): Map<number, number> {
  const placed = wanted.slice(0, wanted.length - endWithoutPosition(wanted));
  const kept = longestAscending(placed);
  const positions = placed.map(({ id, position }) => (kept.has(id) ? position : undefined));
  for (let from = 0; from < positions.length; from++) {
    if (positions[from] !== undefined) continue;
    let to = from;
    while (to < positions.length && positions[to] === undefined) to++;
    const free = between(positions[from - 1], positions[to], to - from);
    for (const [k, position] of free.entries()) positions[from + k] = position;
  }
  const isAscending = positions.every(
    (one = 0, k) => k === 0 || asWritten(positions[k - 1] ?? 0) < asWritten(one),
  );
  const numbers = isAscending ? positions : placed.map((_, k) => k + 1);
  const written = placed.map(({ id }, k): [number, number] => [id, numbers[k] ?? 0]);
  return new Map(written.filter(([, order], k) => asWritten(order) !== placed[k]?.position));
}

/** The number of pages at the end that need no position: they have none, and their ids ascend. */
function endWithoutPosition(pages: readonly Positioned[]): number {
  let count = 0;
  for (let next = Infinity; count < pages.length; count++) {
    const { id, position } = pages.at(-1 - count) as Positioned;
    if (position !== 0 || id > next) break;
    next = id;
  }
  return count;
}

/** The ids of as many pages as possible whose positions ascend. */
function longestAscending(pages: readonly Positioned[]): Set<number> {
  /** By length: the last page of the sequence of that length with the lowest end, and the page before it. */
  const ends: Positioned[] = [];
  const before = new Map<Positioned, Positioned | undefined>();
  for (const page of pages) {
    if (page.position === 0) continue;
    const at = ends.findIndex(({ position }) => position >= page.position);
    const length = at === -1 ? ends.length : at;
    before.set(page, ends[length - 1]);
    ends[length] = page;
  }
  const ids = new Set<number>();
  for (let page = ends.at(-1); page !== undefined; page = before.get(page)) ids.add(page.id);
  return ids;
}

/** Ascending numbers between two others, whole numbers if possible. */
function between(low: number | undefined, high: number | undefined, count: number): number[] {
  const first = low === undefined ? (high === undefined ? 1 : Math.ceil(high) - count) : Math.floor(low) + 1;
  const whole = Array.from({ length: count }, (_, k) => first + k);
  if (low === undefined || high === undefined || (whole.at(-1) ?? 0) < high) return whole;
  return whole.map((_, k) => low + ((high - low) * (k + 1)) / (count + 1));
}
