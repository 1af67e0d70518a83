import { countUp } from "../base/columns.ts";
import { includes, isBetween, type Instant } from "../base/instant.ts";
import { periodOrAlways } from "../model/schedule.ts";
import type { SourceImage } from "../source/images.ts";
import type { Parent } from "../model/tree.ts";
import { matchFiles, type Manifest } from "./manifest/manifest.ts";
import { carryOver, pageTable, type PageTable } from "./manifest/page-table.ts";
import { FOLDER, OUTPUT } from "./manifest/outputs.ts";
import { SOURCE, type FormerBuild } from "./changes.ts";
import type { Translations } from "./translations.ts";
import type { Discovery } from "./discover.ts";

/**
 * The work of a build. A page is read again if one of the edges that lead to its response has changed: its source, its
 * parent's summary, the site's settings, its published file, or the time.
 */
export interface Plan {
  table: PageTable;
  toRead: Uint32Array;
  /** For each file, its number in the manifest; -1 for a new file. */
  matches: Int32Array;
  /** Removed files, by their numbers in the manifest. */
  removed: number[];
  /** Files whose pages' folders in the output have changed and may have foreign entries. */
  dirtyFolders: number[];
}

/** The plan of a full build. */
export const planAll = ({ listing }: Discovery): Plan => ({
  table: pageTable(listing.count),
  toRead: sharedNumbers(listing.count, (i) => i),
  matches: new Int32Array(listing.count).fill(-1),
  removed: [],
  dirtyFolders: [],
});

export function planChanged(
  discovery: Discovery,
  { manifest, changes }: FormerBuild,
  at: Instant,
  translations: Translations | undefined,
): Plan {
  const { listing, isKnown, sources } = discovery;
  const matches = isKnown ? countUp(listing.count) : matchFiles(listing, manifest.listing);
  const hasSiteChanged = discovery.siteKey !== manifest.siteKey;
  const time = timeSince(manifest, at);
  const images = imagesSince(discovery, manifest);
  const changedParents = parentsChanged(discovery, manifest, at);
  const anyParentChanged = changedParents.includes(1);
  const toRead: number[] = [];
  const dirtyFolders: number[] = [];
  for (let i = 0; i < listing.count; i++) {
    const old = matches[i] ?? -1;
    const change = changes[old] ?? 0;
    if (
      old === -1 ||
      hasSiteChanged ||
      time.hasChanged(old) ||
      images.hasChanged(old) ||
      (change & (SOURCE | OUTPUT)) !== 0 ||
      translations?.hasChanged(i, old) === true ||
      (anyParentChanged && changedParents[listing.parentOf(i)] === 1) ||
      // Its source may not have changed, if it has subpages for the first time.
      (sources.has(i) && changedParents[listing.folderOf[i] ?? -1] === 1)
    )
      toRead.push(i);
    if (old !== -1 && (change & FOLDER) !== 0) dirtyFolders.push(i);
  }
  const removed = isKnown ? [] : unmatched(matches, manifest.listing.count);
  for (const i of showing(manifest, matches, toRead, removed)) toRead.push(i);
  toRead.sort((a, b) => a - b);
  const isUnchanged = isKnown && toRead.length === 0;
  return {
    table: isUnchanged ? manifest.table : carryOver(listing.count, matches, manifest.table),
    toRead: sharedNumbers(toRead.length, (k) => toRead[k] ?? 0),
    matches,
    removed,
    dirtyFolders,
  };
}

/** The files whose pages show a page that may have changed, besides those that are read anyway. */
function showing(
  { pageFindings, table }: Manifest,
  matches: Int32Array,
  toRead: readonly number[],
  removed: readonly number[],
): number[] {
  const pages = pageFindings.filter(({ shown }) => shown !== undefined);
  if (pages.length === 0) return [];
  const changed = [...toRead.map((i) => matches[i] ?? -1), ...removed].filter((old) => old !== -1);
  const ids = new Set(changed.map((old) => table.id[old] || table.reservedId[old]));
  const olds = new Set(pages.flatMap(({ file, shown }) => (shown?.some((id) => ids.has(id)) ? [file] : [])));
  const isRead = new Set(toRead);
  return Array.from(matches.keys()).filter((i) => olds.has(matches[i] ?? -1) && !isRead.has(i));
}

function unmatched(matches: Int32Array, count: number): number[] {
  const isThere = new Uint8Array(count);
  for (const old of matches) if (old !== -1) isThere[old] = 1;
  return Array.from(isThere.keys()).filter((old) => isThere[old] === 0);
}

const isLiveAt = (page: Parent | undefined, at: Instant): boolean => includes(periodOrAlways(page?.live), at);

/**
 * The files of the manifest whose pages or findings time has changed, not counting changes through parent pages. At an
 * instant before those that the manifest knows, all files count as changed.
 */
function timeSince({ pageFindings, times }: Manifest, at: Instant): { hasChanged: (old: number) => boolean } {
  if (at < times.knownSince) return { hasChanged: () => true };
  const changed = new Set<number>();
  for (const { file, changeInstants } of pageFindings)
    if (changeInstants?.some((instant) => isBetween(instant, times.at, at)) === true) changed.add(file);
  return { hasChanged: (old) => changed.has(old) };
}

/**
 * The files of the manifest whose findings a change of the images may change. If an image was removed or has another size,
 * any page may show it; if images were only added, only pages with findings about missing images are concerned.
 */
function imagesSince(
  { site, images }: Discovery,
  { images: before, pageFindings }: Manifest,
): { hasChanged: (old: number) => boolean } {
  if (images === before || site?.images === undefined) return { hasChanged: () => false };
  const { paths } = site.images;
  const isAsBefore = ({ path, size }: SourceImage): boolean => {
    const now = paths.get(path);
    return paths.has(path) && now?.width === size?.width && now?.height === size?.height;
  };
  if (!before.every(isAsBefore)) return { hasChanged: () => true };
  const lacking = new Set<number>();
  if (images.length !== before.length)
    for (const { file, findings } of pageFindings)
      if (findings.some(({ code }) => code === "media-missing" || code === "more-findings"))
        lacking.add(file);
  return { hasChanged: (old) => lacking.has(old) };
}

/** By folder: 1 if the data of its page that subpages need has changed. */
function parentsChanged(
  { listing, parents }: Discovery,
  { listing: before, folders, times }: Manifest,
  at: Instant,
): Uint8Array {
  const numbers = new Map(before.folders.map(({ path }, f) => [path, f]));
  return Uint8Array.from(listing.folders, ({ path }, f) => {
    const now = parents[f];
    const isSame = now === folders[numbers.get(path) ?? -1]?.parent;
    return isSame && isLiveAt(now, at) === isLiveAt(now, times.at) ? 0 : 1;
  });
}

function sharedNumbers(length: number, value: (k: number) => number): Uint32Array {
  const numbers = new Uint32Array(new SharedArrayBuffer(4 * length));
  for (let k = 0; k < length; k++) numbers[k] = value(k);
  return numbers;
}
