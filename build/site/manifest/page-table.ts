import { haveSameBytes } from "../../base/columns.ts";
import type { FileStat, RecordedStat } from "../../base/file.ts";

/** The data of each source and its page, in columns of shared memory. Times are in milliseconds; an unknown id is 0. */
const COLUMNS = {
  id: Float64Array,
  /** The ids of drafts and of pages that are not live, which are not published. */
  reservedId: Float64Array,
  /** Page types, by their position in `PageTypes` from 1; 0 if unknown. */
  type: Uint8Array,
  /** Accession numbers with their languages, as numbers from `textNumber`; 0 if there is none. */
  acno: Float64Array,
  /** `meta.external_id`, as numbers from `textNumber`; 0 if there is none. */
  externalId: Float64Array,
  /** The instant of `first_published_at`; 0 if there is none. */
  published: Float64Array,
  /** 1 if the page has a picture. */
  picture: Uint8Array,
  /** The position among its siblings, as in `positionOf`; 0 if it has none. */
  position: Float64Array,
  /** A digest of all that the files for websites say about the page; 0 if there are none. */
  listed: Float64Array,
  /** When the source was last committed with a change, in seconds; 0 if that is not known. */
  committed: Float64Array,
  sourceSize: Uint32Array,
  sourceMtime: Float64Array,
  sourceCtime: Float64Array,
  sourceInode: Float64Array,
  /** 1 if the source was racy: so young when it was read that a later change may leave its times the same. */
  sourceRacy: Uint8Array,
  outSize: Uint32Array,
  outMtime: Float64Array,
  outCtime: Float64Array,
  outInode: Float64Array,
  /** The ctime of the page's folder when a build last saw that it has no foreign entries. */
  folderCtime: Float64Array,
};

type ArrayOf<Kind> = Kind extends typeof Float64Array
  ? Float64Array
  : Kind extends typeof Uint32Array
    ? Uint32Array
    : Uint8Array;

export type PageTable = { [Name in keyof typeof COLUMNS]: ArrayOf<(typeof COLUMNS)[Name]> };

export const pageTable = (count: number): PageTable =>
  Object.fromEntries(
    Object.entries(COLUMNS).map(([name, Kind]) => [
      name,
      new Kind(new SharedArrayBuffer(count * Kind.BYTES_PER_ELEMENT) as unknown as ArrayBuffer),
    ]),
  ) as unknown as PageTable;

/** The columns of which a value is not 0; many have none, such as those of the browse UI. */
export const filledColumns = (table: PageTable): Partial<PageTable> =>
  Object.fromEntries(Object.entries(table).filter(([, column]) => isFilled(column)));

/** Compares the bytes with themselves one further, which takes a hundredth of a loop. */
function isFilled({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array | Uint8Array): boolean {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return byteLength > 0 && (bytes[0] !== 0 || bytes.compare(bytes, 1, byteLength, 0, byteLength - 1) !== 0);
}

export function setSource(table: PageTable, i: number, stat: RecordedStat): void {
  table.sourceSize[i] = stat.size;
  table.sourceMtime[i] = stat.mtime;
  table.sourceCtime[i] = stat.ctime;
  table.sourceInode[i] = stat.inode;
  table.sourceRacy[i] = stat.racy ? 1 : 0;
}

export const sourceStat = (table: PageTable, i: number): RecordedStat => ({
  size: table.sourceSize[i] ?? 0,
  mtime: table.sourceMtime[i] ?? 0,
  ctime: table.sourceCtime[i] ?? 0,
  inode: table.sourceInode[i] ?? 0,
  racy: table.sourceRacy[i] === 1,
});

/** Makes no object, because every build calls it for every page. */
export const isSourceUnchanged = (table: PageTable, i: number, now: FileStat): boolean =>
  now.size === table.sourceSize[i] &&
  now.mtime === table.sourceMtime[i] &&
  now.ctime === table.sourceCtime[i] &&
  now.inode === table.sourceInode[i] &&
  table.sourceRacy[i] === 0;

/** Whether two tables record the same versions of the same sources, by their stats. */
export const haveSameSources = (one: PageTable, other: PageTable): boolean =>
  (["sourceSize", "sourceMtime", "sourceCtime", "sourceInode"] as const).every((name) =>
    haveSameBytes(one[name], other[name]),
  );

export function setOutput(table: PageTable, i: number, stat: FileStat): void {
  table.outSize[i] = stat.size;
  table.outMtime[i] = stat.mtime;
  table.outCtime[i] = stat.ctime;
  table.outInode[i] = stat.inode;
}

export const isOutputUnchanged = (
  table: Pick<PageTable, "outSize" | "outMtime" | "outCtime" | "outInode">,
  i: number,
  now: FileStat,
): boolean =>
  now.size === table.outSize[i] &&
  now.mtime === table.outMtime[i] &&
  now.ctime === table.outCtime[i] &&
  now.inode === table.outInode[i];

/** A table of `count` pages, with the data of the pages that match a page of the table `before`. */
export function carryOver(count: number, matches: Int32Array, before: PageTable): PageTable {
  const table = pageTable(count);
  // A column that nothing is written to takes no memory.
  const columns = Object.keys(filledColumns(before)) as (keyof PageTable)[];
  for (let from = 0, to = 0; from < count; from = to) {
    const old = matches[from] ?? -1;
    // Consecutive pages are copied together, which takes a twentieth of the time.
    for (to = from + 1; to < count && matches[to] === (old === -1 ? -1 : old + to - from);) to++;
    if (old !== -1)
      for (const name of columns) table[name].set(before[name].subarray(old, old + to - from), from);
  }
  return table;
}
