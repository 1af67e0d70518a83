import { OUTPUT_CHANGED, SOURCE_CHANGED, FOLDER_CHANGED } from "./changes.ts";
import { pageTable, stateOf, type PageTable } from "../manifest/page-table.ts";
import type { Layout } from "../output/layout.ts";
import { foreignEntries, lookIntoPage } from "../output/foreign.ts";
import { carryOver, matchFiles, type Manifest } from "../manifest/manifest.ts";
import { isAfter, sameStat, statIfThere } from "../base/stat.ts";
import type { Discovery } from "./discover.ts";

/** What a build has to do, by what the last one remembers. */
export interface Plan {
  columns: PageTable;
  /** The files to read. */
  todo: Uint32Array;
  /** For each file its number in the known build; -1 for one that was not there. */
  matches: Int32Array;
  /** Remembered files that are not there any more, by their numbers then. */
  left: number[];
  /** Files whose pages' folders in the output are not as they were left: something may have been added to them. */
  dirtyFolders: number[];
}

export function planWork(discovery: Discovery, manifest: Manifest | undefined, changed: Uint8Array): Plan {
  const { listing } = discovery;
  if (manifest === undefined)
    return {
      columns: pageTable(listing.count),
      todo: sharedNumbers(listing.count, (i) => i),
      matches: new Int32Array(listing.count).fill(-1),
      left: [],
      dirtyFolders: [],
    };
  const matches = discovery.isRemembered ? countUp(listing.count) : matchFiles(listing, manifest.listing);
  const left = discovery.isRemembered ? [] : unmatched(matches, manifest.listing.count);
  const dirty = changedParents(discovery, manifest);
  const sameSite = discovery.siteKey === manifest.header.siteKey;
  const todo: number[] = [];
  const dirtyFolders: number[] = [];
  const isDirty = (parent: number): boolean => parent !== -1 && dirty[parent] === 1;
  const anyDirty = dirty.includes(1);
  for (let i = 0; i < listing.count; i++) {
    const old = matches[i] ?? -1;
    const change = changed[old] ?? 0;
    const isKnown = old !== -1 && sameSite && !(anyDirty && isDirty(listing.parentOf(i)));
    if (!isKnown || (change & (SOURCE_CHANGED | OUTPUT_CHANGED)) !== 0) todo.push(i);
    if (old !== -1 && (change & FOLDER_CHANGED) !== 0) dirtyFolders.push(i);
  }
  const columns =
    todo.length === 0 && discovery.isRemembered
      ? manifest.columns
      : carryOver(listing.count, matches, manifest.columns);
  return { columns, todo: sharedNumbers(todo.length, (k) => todo[k] ?? 0), matches, left, dirtyFolders };
}

function countUp(count: number): Int32Array {
  const numbers = new Int32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = i;
  return numbers;
}

function unmatched(matches: Int32Array, count: number): number[] {
  const isThere = new Uint8Array(count);
  for (const old of matches) if (old !== -1) isThere[old] = 1;
  return Array.from(isThere.keys()).filter((old) => isThere[old] === 0);
}

/** Folders whose page is not what the pages below it were rendered with. */
function changedParents({ listing, parents }: Discovery, manifest: Manifest): Uint8Array {
  const before = new Map(
    manifest.header.folders.map(({ path, asParent }) => [path, JSON.stringify(asParent)]),
  );
  return Uint8Array.from(listing.folders, ({ path }, f) =>
    before.get(path) === JSON.stringify(parents[f]) ? 0 : 1,
  );
}

function sharedNumbers(length: number, value: (k: number) => number): Uint32Array {
  const numbers = new Uint32Array(new SharedArrayBuffer(4 * length));
  for (let k = 0; k < length; k++) numbers[k] = value(k);
  return numbers;
}

/** What is to go from the pages: names relative to them, and the files whose pages' folders it is in. */
export interface Removals {
  names: string[];
  from: number[];
}

/**
 * Pages that the sources do not have any more, and what no build put there. Where nothing is found in a page's folder,
 * its columns learn when that was.
 */
export function planRemovals(layout: Layout, plan: Plan, manifest: Manifest | undefined): Removals {
  const { columns } = plan;
  const names =
    manifest !== undefined && hasSamePages(layout, manifest)
      ? Array.from(idsGone(plan, manifest), String)
      : foreignEntries(layout.pages, publishedIds(columns));
  const from: number[] = [];
  for (const file of suspects(plan, manifest)) {
    const { ctime, foreign } = lookIntoPage(layout.pages, columns.id[file] ?? 0);
    if (foreign.length > 0) from.push(file);
    else columns.folderCtime[file] = ctime;
    names.push(...foreign);
  }
  return { names, from };
}

/** Files whose pages have a folder that no build is known to have left clean. */
function suspects(
  { columns, todo, matches, dirtyFolders }: Plan,
  manifest: Manifest | undefined,
): Set<number> {
  const files = new Set(dirtyFolders);
  for (const file of todo) {
    const state = stateOf(columns, file);
    const old = matches[file] ?? -1;
    const isKnown = old !== -1 && columns.id[file] === manifest?.columns.id[old];
    if (!isKnown && (state === "same" || state === "changed")) files.add(file);
  }
  return files;
}

/** Tells whether a page has an id. */
export function publishedIds(columns: PageTable): (id: number) => boolean {
  const ids = columns.id.filter((id) => id > 0).sort();
  return (id) => includesSorted(ids, id);
}

/** Whether nothing was added to the folder of pages since a build, and nothing taken away. */
export function hasSamePages(layout: Layout, { header }: Manifest): boolean {
  const pages = statIfThere(layout.pages);
  return pages !== undefined && sameStat(pages, header.pages) && !isAfter(pages.ctime, header.ended);
}

/** The known ids that no page has any more. */
function idsGone({ columns, matches, todo, left }: Plan, { columns: before }: Manifest): Set<number> {
  const gone = new Set(left.map((old) => before.id[old] ?? 0));
  for (const file of todo) {
    const old = matches[file] ?? -1;
    if (old !== -1 && columns.id[file] !== before.id[old]) gone.add(before.id[old] ?? 0);
  }
  gone.delete(0);
  for (const id of idsAmong(columns, gone)) gone.delete(id);
  return gone;
}

/** Those of the ids that pages have. */
const idsAmong = ({ id: column }: PageTable, ids: ReadonlySet<number>): Set<number> =>
  new Set(ids.size === 0 ? [] : column.filter((id) => ids.has(id)));

function includesSorted(sorted: Float64Array, value: number): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = sorted[middle] ?? 0;
    if (at === value) return true;
    if (at < value) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
