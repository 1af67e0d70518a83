import { basename, dirname, relative, sep } from "node:path";
import { isAfter, statIfThere, hasReliableFolderTime } from "../base/stat.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { isOutputUnchanged, isSourceUnchanged } from "../manifest/page-table.ts";
import { foreignInPage } from "../output/foreign.ts";
import { MEDIA_FOLDER } from "../page/images.ts";
import type { Listing } from "../sources/listing.ts";

/** The source has changed since it was read. */
export const SOURCE = 1;
/** The published file is not the written one. */
export const OUTPUT = 2;
/** The published page's folder has changed: it may have foreign entries. */
export const FOLDER = 4;

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

/**
 * @param pages the folder of published pages.
 * @param suspects if given, only their sources are compared, and no published files.
 * @returns the flags SOURCE, OUTPUT and FOLDER, by file of the manifest.
 */
export function searchChanges(
  content: string,
  pages: string,
  manifest: Manifest,
  suspects: Suspects | undefined,
): Uint8Array {
  const { listing, table } = manifest;
  const changes = new Uint8Array(listing.count);
  const [from, to] = [nearer(content), nearer(pages)];
  const isSourceChanged = (i: number): boolean => {
    const source = statIfThere(`${from}/${listing.path(i)}`);
    return source === undefined || !isSourceUnchanged(table, i, source);
  };
  for (const i of suspects?.files ?? changes.keys()) if (isSourceChanged(i)) changes[i] = SOURCE;
  if (suspects === undefined)
    for (const [i, id] of table.id.entries())
      if (id !== 0 && listing.kind(i) !== "draft")
        changes[i] = (changes[i] ?? 0) | outputChange(`${to}/${id}`, manifest, i);
  return changes;
}

/** A path from the current folder if it is shorter, because the system looks up every folder of a path each time. */
function nearer(path: string): string {
  const relativePath = relative("", path) || ".";
  return relativePath.length < path.length ? relativePath : path;
}

/** The flags OUTPUT and FOLDER of a published page. */
function outputChange(folder: string, { table, ended, staged }: Manifest, i: number): number {
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
    (!hasReliableFolderTime(ctime) && foreignInPage(folder).length > 0);
  return (isSame ? 0 : OUTPUT) | (isFolderChanged ? FOLDER : 0);
}
