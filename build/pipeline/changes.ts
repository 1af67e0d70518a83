import { basename, dirname, relative, sep } from "node:path";
import { isAfter, statIfThere, tellsOfRenames } from "../base/stat.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { isOutputUnchanged, isSourceUnchanged, type PageTable } from "../manifest/page-table.ts";
import { foreignInPage } from "../output/foreign.ts";
import { MEDIA_FOLDER } from "../page/images.ts";
import { Listing, type ListingColumns } from "../sources/listing.ts";

/** A search for changes since the build of a manifest. It can be passed to another thread. */
export interface Search {
  content: string;
  /** The folder of published pages. */
  pages: string;
  /** The files of the manifest, and its data about them. */
  listing: ListingColumns;
  table: PageTable;
  /** `ended` and `staged` of the manifest. */
  ended: number;
  staged: number | undefined;
  /** By file of the manifest: the flags SOURCE, OUTPUT and FOLDER. */
  changes: Uint8Array;
  /** `[number of batches that are taken, whether a source has changed]` */
  shared: Int32Array;
}

/** The source has changed since it was read. */
export const SOURCE = 1;
/** The published file is not the written one. */
export const OUTPUT = 2;
/** The published page's folder has changed: it may have foreign entries. */
export const FOLDER = 4;

/** Number of files that a thread takes at a time. */
const BATCH_SIZE = 512;

/** The only sources and folders that may have changed, by their numbers in a manifest's listing. */
export interface Suspects {
  files: ReadonlySet<number>;
  folders: ReadonlySet<number>;
  /** Whether images in `_media/` may have changed. */
  images: boolean;
}

/**
 * The sources and folders at the paths, below them and around them; for an unknown path, the nearest known folder above.
 * Paths below dotfiles are ignored.
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

/** Searches only the suspects, and no published files. */
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
 * Works on a search together with other threads until it is complete: first all sources, then the published files. After
 * each batch, it yields whether a changed source has been found.
 */
export function* searchThrough(search: Search): Generator<boolean, void> {
  const { table, changes, shared } = search;
  const listing = new Listing(search.listing);
  const batches = Math.ceil(listing.count / BATCH_SIZE);
  for (;;) {
    const batch = Atomics.add(shared, 0, 1);
    if (batch >= 2 * batches) return;
    const from = (batch % batches) * BATCH_SIZE;
    const to = Math.min(from + BATCH_SIZE, listing.count);
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

/** The flags OUTPUT and FOLDER of a published page. */
function outputChange(folder: string, { table, ended, staged }: Search, i: number): number {
  const output = statIfThere(`${folder}/index.json`);
  const around = statIfThere(folder);
  const isSame =
    output !== undefined &&
    isOutputUnchanged(table, i, output) &&
    !isAfter(output.ctime, ended) &&
    // A link to a folder with the same content counts as changed.
    around?.type === "folder";
  if (around === undefined) return OUTPUT;
  const { ctime } = around;
  if (staged !== undefined && !isAfter(ctime, staged)) table.folderCtime[i] = ctime;
  // A file that is not the written one may be in another folder, so its folder counts as changed.
  const isFolderChanged =
    !isSame ||
    ctime !== table.folderCtime[i] ||
    isAfter(ctime, ended) ||
    (!tellsOfRenames(ctime) && foreignInPage(folder).length > 0);
  return (isSame ? 0 : OUTPUT) | (isFolderChanged ? FOLDER : 0);
}
