import { basename, dirname, relative, sep } from "node:path";
import { statIfThere, withShortPath } from "../base/file.ts";
import { Thread } from "../base/threads.ts";
import type { Manifest } from "./manifest/manifest.ts";
import { comparePagesToTheEnd, type OutputComparison } from "./manifest/outputs.ts";
import { isSourceUnchanged } from "./manifest/page-table.ts";
import { MEDIA_FOLDER } from "../source/image-kinds.ts";
import type { SourceIndex } from "../source/source-index.ts";

/** The source has changed since it was read. */
export const SOURCE = 1;

/** The only sources and folders that may have changed, by their numbers in a manifest's listing. */
export interface Suspects {
  files: ReadonlySet<number>;
  folders: ReadonlySet<number>;
  /** Whether images in `_media/` may have changed. */
  images: boolean;
}

/** The last build, and its files that have changed since. */
export interface FormerBuild {
  manifest: Manifest;
  /** The flags of the search for changes, by file of the manifest. */
  changes: Uint8Array;
  /** If it is left out, all sources and folders may have changed. */
  suspects: Suspects | undefined;
}

/**
 * The sources and folders at the paths, below them and around them; for an unknown path, the nearest known folder above.
 * Paths below dotfiles are ignored.
 */
export function suspectsOf(content: string, paths: Iterable<string>, listing: SourceIndex): Suspects {
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

/** Minimum number of files for a second thread: with fewer, its start costs more time than it saves. */
const MIN_FILES_FOR_THREAD = 10_000;

/**
 * @param pages the folder of published pages.
 * @param suspects if given, only their sources are compared, and no published files.
 * @returns the flags SOURCE, OUTPUT and FOLDER, by file of the manifest.
 */
export async function searchChanges(
  content: string,
  pages: string,
  manifest: Manifest,
  suspects: Suspects | undefined,
  minFilesForThread = MIN_FILES_FOR_THREAD,
): Promise<Uint8Array> {
  const { listing, table } = manifest;
  const changes = new Uint8Array(listing.count);
  const compareSources = (files: Iterable<number>): void => {
    for (const i of files) {
      const source = statIfThere(`${content}/${listing.path(i)}`);
      if (source === undefined || !isSourceUnchanged(table, i, source)) changes[i] = SOURCE;
    }
  };
  if (suspects !== undefined) {
    compareSources(suspects.files);
    return changes;
  }
  const comparison = comparisonOf(manifest);
  const other =
    listing.count < minFilesForThread ? undefined : new Thread<OutputComparison, undefined>("site/manifest");
  try {
    await withShortPath(pages, (path) => {
      const nearby = { ...comparison, pages: path };
      const ended = other?.run(nearby);
      compareSources(changes.keys());
      comparePagesToTheEnd(nearby);
      return ended;
    });
  } finally {
    await other?.end();
  }
  return changes.map((change, i) => change | (comparison.flags[i] ?? 0));
}

function comparisonOf({ listing, table, ended, staged }: Manifest): Omit<OutputComparison, "pages"> {
  const { outSize, outMtime, outCtime, outInode } = table;
  const folderCtime = new Float64Array(new SharedArrayBuffer(8 * listing.count) as unknown as ArrayBuffer);
  folderCtime.set(table.folderCtime);
  table.folderCtime = folderCtime;
  return {
    ids: table.id.map((id, i) => (listing.kind(i) === "draft" ? 0 : id)),
    table: { outSize, outMtime, outCtime, outInode, folderCtime },
    ended,
    staged,
    flags: new Uint8Array(new SharedArrayBuffer(listing.count)),
    shared: new Int32Array(new SharedArrayBuffer(8)),
  };
}
