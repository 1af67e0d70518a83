import type { PageColumns } from "./columns.ts";
import { Listing, type ListingColumns } from "./source/listing.ts";
import { isAfter, lstatIfThere } from "./source/stat.ts";

/** A search for what changed since the remembered build; goes to the other thread as it is. */
export interface Search {
  content: string;
  /** The folder of published pages. */
  pages: string;
  /** The remembered files and what is remembered of them. */
  listing: ListingColumns;
  columns: PageColumns;
  /** When the remembered build ended, by the output's clock. */
  ended: number;
  /** By file: SOURCE, OUTPUT, TOUCHED, added up. */
  marks: Uint8Array;
  /** `[how many of the files are taken, how many batches had something to read again]` */
  shared: Int32Array;
}

/** The source is not what was read. */
export const SOURCE = 1;
/** The published file is not what was written. */
export const OUTPUT = 2;
/** The published page's folder was changed since: something may have been added to it. */
export const TOUCHED = 4;

const BATCH = 512;

/**
 * Works through a search together with other threads, until nothing is left; says after each batch whether anything was
 * found so far, by whichever thread.
 */
export function* searchThrough({
  content,
  pages,
  listing: remembered,
  columns,
  ended,
  marks,
  shared,
}: Search): Generator<boolean, void> {
  const listing = new Listing(remembered);
  for (;;) {
    const from = Atomics.add(shared, 0, BATCH);
    if (from >= listing.count) return;
    const to = Math.min(from + BATCH, listing.count);
    let found = 0;
    for (let i = from; i < to; i++) {
      const source = lstatIfThere(`${content}/${listing.path(i)}`);
      let mark = 0;
      if (
        source === undefined ||
        source.size !== columns.sourceSize[i] ||
        source.mtimeMs !== columns.sourceMtime[i] ||
        source.ctimeMs !== columns.sourceCtime[i] ||
        source.ino !== columns.sourceInode[i]
      )
        mark = SOURCE;
      if (listing.kind(i) !== "draft") {
        const folder = `${pages}/${columns.id[i]}`;
        const output = lstatIfThere(`${folder}/index.json`);
        const around = lstatIfThere(folder);
        if (
          output === undefined ||
          output.size !== columns.outSize[i] ||
          output.mtimeMs !== columns.outMtime[i] ||
          output.ctimeMs !== columns.outCtime[i] ||
          output.ino !== columns.outInode[i] ||
          isAfter(output.ctimeMs, ended) ||
          // A link to a folder of the same content is not what was written.
          around?.isDirectory() !== true
        )
          mark |= OUTPUT;
        if (around !== undefined && isAfter(around.ctimeMs, ended)) mark |= TOUCHED;
      }
      marks[i] = mark;
      found |= mark & (SOURCE | OUTPUT);
    }
    if (found !== 0) Atomics.add(shared, 1, 1);
    yield Atomics.load(shared, 1) > 0;
  }
}
