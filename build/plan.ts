import { OUTPUT, SOURCE, TOUCHED } from "./changes.ts";
import { pageColumns, type PageColumns } from "./columns.ts";
import { carryOver, matchFiles, type Memory } from "./remember.ts";
import type { Listing } from "./source/listing.ts";
import type { Survey } from "./survey.ts";

/** What a build has to do, by what the last one remembers. */
export interface Plan {
  columns: PageColumns;
  /** The files to read. */
  todo: Uint32Array;
  /** For each file its number in the remembered build; -1 for one that was not there. */
  matches: Int32Array;
  /** Pages whose folders in the output were touched since: something may have been added to them. */
  touched: Set<number>;
}

export function planWork(surveyed: Survey, memory: Memory | undefined, marks: Uint8Array): Plan {
  const { listing } = surveyed;
  if (memory === undefined)
    return {
      columns: pageColumns(listing.count),
      todo: sharedNumbers(listing.count, (i) => i),
      matches: new Int32Array(listing.count).fill(-1),
      touched: new Set(),
    };
  const matches = surveyed.isRemembered
    ? Int32Array.from({ length: listing.count }, (_, i) => i)
    : matchFiles(listing, memory.listing);
  const dirty = dirtyFolders(surveyed, memory);
  const sameSite = surveyed.siteKey === memory.header.siteKey;
  const todo: number[] = [];
  const touched = new Set<number>();
  for (let i = 0; i < listing.count; i++) {
    const old = matches[i] ?? -1;
    const mark = marks[old] ?? 0;
    const owner = listing.ownerOf(i);
    const isKnown = old !== -1 && sameSite && (owner === -1 || dirty[owner] === 0);
    if (!isKnown || (mark & (SOURCE | OUTPUT)) !== 0) todo.push(i);
    if (old !== -1 && (mark & TOUCHED) !== 0) touched.add(memory.columns.id[old] ?? 0);
  }
  const columns =
    todo.length === 0 && surveyed.isRemembered
      ? memory.columns
      : carryOver(listing.count, matches, memory.columns);
  return { columns, todo: sharedNumbers(todo.length, (k) => todo[k] ?? 0), matches, touched };
}

/** Folders whose page is not what the pages below it were rendered with. */
function dirtyFolders({ listing, owners }: Survey, memory: Memory): Uint8Array {
  const before = new Map(memory.header.folders.map(({ path, owner }) => [path, JSON.stringify(owner)]));
  return Uint8Array.from(listing.folders, ({ path }, f) =>
    before.get(path) === JSON.stringify(owners[f]) ? 0 : 1,
  );
}

export function sharedNumbers(length: number, value: (k: number) => number): Uint32Array {
  const numbers = new Uint32Array(new SharedArrayBuffer(4 * length));
  for (let k = 0; k < length; k++) numbers[k] = value(k);
  return numbers;
}

/** Published ids, sorted, and where an id stands more than once. */
export function publishedIds(listing: Listing, columns: PageColumns): Float64Array {
  const ids = new Float64Array(listing.count);
  let count = 0;
  for (let i = 0; i < listing.count; i++) {
    const id = columns.id[i] ?? 0;
    if (id > 0) ids[count++] = id;
  }
  return ids.subarray(0, count).sort();
}

export function includesSorted(ids: Float64Array, id: number): boolean {
  let low = 0;
  let high = ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = ids[middle] ?? 0;
    if (at === id) return true;
    if (at < id) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
