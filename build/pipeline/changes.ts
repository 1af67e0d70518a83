import type { PageTable } from "../manifest/page-table.ts";
import { Listing, type ListingColumns } from "../sources/listing.ts";
import { isAfter, statIfThere, statusIfThere } from "../base/stat.ts";

/** A search for what changed since the known build; goes to the other thread as it is. */
export interface Search {
  content: string;
  /** The folder of published pages. */
  pages: string;
  /** The known files and what is known of them. */
  listing: ListingColumns;
  columns: PageTable;
  /** When the known build ended, by the output's clock. */
  ended: number;
  /** See `Header`; where it stands, the columns learn here when each folder changed. */
  staged: number | undefined;
  /** By file: SOURCE_CHANGED, OUTPUT_CHANGED, FOLDER_CHANGED, added up. */
  changed: Uint8Array;
  /** `[how many batches are taken, whether a source is not what was read]` */
  shared: Int32Array;
}

/** The source is not what was read. */
export const SOURCE_CHANGED = 1;
/** The published file is not what was written. */
export const OUTPUT_CHANGED = 2;
/** The published page's folder is not as it was left: something may have been added to it. */
export const FOLDER_CHANGED = 4;

const BATCH = 512;

/**
 * Works through a search together with other threads, until nothing is left: first all sources, then what was published.
 * Says after each batch whether a source is not what was read, as far as is known.
 */
export function* searchThrough(search: Search): Generator<boolean, void> {
  const { columns, changed, shared } = search;
  const listing = new Listing(search.listing);
  const batches = Math.ceil(listing.count / BATCH);
  for (;;) {
    const batch = Atomics.add(shared, 0, 1);
    if (batch >= 2 * batches) return;
    const from = (batch % batches) * BATCH;
    const to = Math.min(from + BATCH, listing.count);
    for (let i = from; i < to; i++) {
      if (batch < batches) {
        if (isSameSource(`${search.content}/${listing.path(i)}`, columns, i)) continue;
        Atomics.or(changed, i, SOURCE_CHANGED);
        Atomics.store(shared, 1, 1);
      } else if (listing.kind(i) !== "draft") {
        const change = changeOf(`${search.pages}/${columns.id[i]}`, search, i);
        if (change !== 0) Atomics.or(changed, i, change);
      }
    }
    yield Atomics.load(shared, 1) === 1;
  }
}

function isSameSource(path: string, columns: PageTable, i: number): boolean {
  const source = statIfThere(path);
  return (
    source !== undefined &&
    source.size === columns.sourceSize[i] &&
    source.mtime === columns.sourceMtime[i] &&
    source.ctime === columns.sourceCtime[i] &&
    source.inode === columns.sourceInode[i]
  );
}

/** OUTPUT_CHANGED and FOLDER_CHANGED of a published page. */
function changeOf(folder: string, { columns, ended, staged }: Search, i: number): number {
  const output = statIfThere(`${folder}/index.json`);
  const around = statusIfThere(folder);
  const isSame =
    output !== undefined &&
    output.size === columns.outSize[i] &&
    output.mtime === columns.outMtime[i] &&
    output.ctime === columns.outCtime[i] &&
    output.inode === columns.outInode[i] &&
    !isAfter(output.ctime, ended) &&
    // A link to a folder of the same content is not what was written.
    around?.type === "folder";
  if (around === undefined) return OUTPUT_CHANGED;
  const { ctime } = around.stat;
  if (staged !== undefined && !isAfter(ctime, staged)) columns.folderCtime[i] = ctime;
  // The very file that was written lies in the very folder that it was written to. Another may lie in any.
  const isTouched = !isSame || ctime !== columns.folderCtime[i] || isAfter(ctime, ended);
  return (isSame ? 0 : OUTPUT_CHANGED) | (isTouched ? FOLDER_CHANGED : 0);
}
