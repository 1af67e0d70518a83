import { basename, dirname, relative, sep } from "node:path";
import { isAfter, statIfThere, tellsOfRenames } from "../base/stat.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { isOutputUnchanged, isSourceUnchanged, type PageTable } from "../manifest/page-table.ts";
import { foreignInPage } from "../output/foreign.ts";
import { MEDIA_FOLDER } from "../page/images.ts";
import { Listing, type ListingColumns } from "../sources/listing.ts";

/** A search for what changed since the build of a manifest; goes to the other thread as it is. */
export interface Search {
  content: string;
  /** A way to the folder of published pages. */
  pages: string;
  /** The files of the manifest, and what it says of them. */
  listing: ListingColumns;
  table: PageTable;
  /** When that build ended, by the output's clock; and where it wrote all pages anew, when the last was written. */
  ended: number;
  staged: number | undefined;
  /** By file of the manifest: SOURCE, OUTPUT and FOLDER, added up. */
  changes: Uint8Array;
  /** `[how many batches are taken, whether a source has changed]` */
  shared: Int32Array;
}

/** The source is not what was read. */
// internal: a flag in memory
export const SOURCE = 1;
/** The published file is not what was written. */
// internal: a flag in memory
export const OUTPUT = 2;
/** The published page's folder is not as it was left: something may have been added to it. */
// internal: a flag in memory
export const FOLDER = 4;

// tuning: two threads share the same work in any portions
const BATCH = 512;

/** Sources and folders that may have changed, by their numbers in a manifest's listing; all others have not. */
export interface Suspects {
  files: ReadonlySet<number>;
  folders: ReadonlySet<number>;
  /** Whether images may have changed. */
  images: boolean;
}

/**
 * What lies at the paths, below them and around them: for a path that is not known, the folder that it came into. What
 * is below a dotfile is no source.
 */
export function suspectsOf(content: string, paths: Iterable<string>, listing: Listing): Suspects {
  const files = new Set<number>();
  const folders = new Set<number>();
  let images = false;
  const numbers = new Map(listing.folders.map(({ path }, f) => [path, f]));
  for (const absolute of paths) {
    const path = relative(content, absolute).replaceAll(sep, "/");
    if (path.split("/").some((name) => name.startsWith("."))) continue;
    images ||= path === "" || path.split("/", 1)[0] === MEDIA_FOLDER;
    for (let above = dirname(path); ; above = dirname(above)) {
      const folder = numbers.get(above === "." ? "" : above);
      if (folder === undefined) continue;
      folders.add(folder);
      if (above === dirname(path)) {
        const file = listing.find(folder, basename(path));
        if (file !== -1) files.add(file);
      }
      break;
    }
    if (!numbers.has(path)) continue;
    for (const [f, { path: below, first, end }] of listing.folders.entries()) {
      if (path !== "" && below !== path && !below.startsWith(`${path}/`)) continue;
      folders.add(f);
      for (let i = first; i < end; i++) files.add(i);
    }
  }
  return { files, folders, images };
}

/** Searches the suspects alone, and nothing that was published. */
export function searchAmong({ content, table, changes, ...search }: Search, { files }: Suspects): void {
  const listing = new Listing(search.listing);
  for (const i of files) if (isSourceChanged(content, listing, table, i)) changes[i] = SOURCE;
}

function isSourceChanged(content: string, listing: Listing, table: PageTable, i: number): boolean {
  const source = statIfThere(`${content}/${listing.path(i)}`);
  return source === undefined || !isSourceUnchanged(table, i, source);
}

export const searchOf = (
  content: string,
  pages: string,
  { listing, table, ended, staged }: Manifest,
): Search => ({
  content,
  pages,
  table,
  ended,
  staged,
  listing: listing.columns(),
  changes: new Uint8Array(new SharedArrayBuffer(listing.count)),
  shared: new Int32Array(new SharedArrayBuffer(8)),
});

/**
 * Works through a search together with other threads, until nothing is left: first all sources, then what was published.
 * Says after each batch whether a source has changed, as far as is known.
 */
export function* searchThrough(search: Search): Generator<boolean, void> {
  const { table, changes, shared } = search;
  const listing = new Listing(search.listing);
  const batches = Math.ceil(listing.count / BATCH);
  for (;;) {
    const batch = Atomics.add(shared, 0, 1);
    if (batch >= 2 * batches) return;
    const from = (batch % batches) * BATCH;
    const to = Math.min(from + BATCH, listing.count);
    for (let i = from; i < to; i++) {
      if (batch < batches) {
        if (!isSourceChanged(search.content, listing, table, i)) continue;
        Atomics.or(changes, i, SOURCE);
        Atomics.store(shared, 1, 1);
      } else if (listing.kind(i) !== "draft" && table.id[i] !== 0) {
        const change = outputChange(`${search.pages}/${table.id[i]}`, search, i);
        if (change !== 0) Atomics.or(changes, i, change);
      }
    }
    yield Atomics.load(shared, 1) === 1;
  }
}

/** OUTPUT and FOLDER of a published page. */
function outputChange(folder: string, { table, ended, staged }: Search, i: number): number {
  const output = statIfThere(`${folder}/index.json`);
  const around = statIfThere(folder);
  const isSame =
    output !== undefined &&
    isOutputUnchanged(table, i, output) &&
    !isAfter(output.ctime, ended) &&
    // A link to a folder of the same content is not what was written.
    around?.type === "folder";
  if (around === undefined) return OUTPUT;
  const { ctime } = around;
  if (staged !== undefined && !isAfter(ctime, staged)) table.folderCtime[i] = ctime;
  // The very file that was written lies in the very folder that it was written to. Another may lie in any.
  const isFolderChanged =
    !isSame ||
    ctime !== table.folderCtime[i] ||
    isAfter(ctime, ended) ||
    (!tellsOfRenames(ctime) && foreignInPage(folder).length > 0);
  return (isSame ? 0 : OUTPUT) | (isFolderChanged ? FOLDER : 0);
}
