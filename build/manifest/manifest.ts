import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isFolder, statIfThere, type FileStat, type SeenStat } from "../base/stat.ts";
import type { Counts } from "../browse/data-files.ts";
import type { Claims } from "../check/claims.ts";
import type { PageFindings } from "../check/page.ts";
import type { Finding } from "../findings/finding.ts";
import type { Shards } from "../shards/format.ts";
import { HISTORY, SITE } from "../page/files.ts";
import type { Site } from "../page/site.ts";
import type { Times } from "../base/instant.ts";
import { readText } from "../base/file.ts";
import { writeNew } from "../output/stage.ts";
import type { FolderEntries } from "../sources/find.ts";
import { Listing, type Folder } from "../sources/listing.ts";
import type { Parent } from "../sources/tree.ts";
import { readManifestFile, writeManifestFile, type Columns } from "./file.ts";
import type { PageTable } from "./page-table.ts";

/**
 * What a build remembers for the next one of the same output. It is trusted where the same program wrote it whole; and
 * what it says of a file or folder, while that has the same size, times and inode and was not racy when it was read.
 */
export interface Manifest {
  /** `_site.json` as it was used, and a digest of what it was made of. */
  site: Site | undefined;
  siteKey: string;
  /** A digest of `_history.json`; empty where there is none. */
  historyKey: string;
  listing: Listing;
  /** By the number of the folder in the listing. */
  folders: KnownFolder[];
  /** Warnings of the names of files and folders, also those that follow from what lies above. */
  nameFindings: Finding[];
  table: PageTable;
  claims: Claims;
  /** Warnings and links of pages: a build that does not read a page again gives the same. */
  pageFindings: PageFindings[];
  /** Warnings of what does not fit together over several pages. */
  siteFindings: Finding[];
  /** What the published contract was made of, and what it is: digests. */
  contract: ContractDigests;
  /** When the build ended, by the output's own clock: what changed there later was not changed by a build. */
  ended: number;
  /**
   * Where the build wrote all pages anew: when the last of them was written, by the same clock. No page's folder was
   * changed later; so the table need not have their times yet.
   */
  staged?: number | undefined;
  /** The stat of the folder of published pages. */
  pagesStat: FileStat;
  /**
   * The build's instant; and the one from which on all instants are known at which time changes a page or a finding.
   */
  times: Times;
  /** Absent where the browse UI was left out. */
  browse?: BrowseState | undefined;
  /** Absent if there is no bulk download. */
  bulk?: BulkState | undefined;
}

/** The bulk download as it was published. */
export interface BulkState {
  shards: Shards;
  /** Of the index, and of each shard by its name. */
  index: FileStat;
  files: [name: string, stat: FileStat][];
}

/** The data files of the browse UI, as they were published. */
export interface BrowseState {
  counts: Counts;
  files: [path: string, stat: FileStat][];
}

export interface ContractDigests {
  inputs: string;
  files: string;
}

/** A folder of the sources as it was walked through. */
export interface KnownFolder {
  stat: SeenStat;
  /** The names of the folders in it. */
  folders: string[];
  findings: Finding[];
  /** Its page as the pages below it see it. */
  parent?: Parent | undefined;
}

const NAME = "manifest";
/** Apart, as most builds change none. */
const CLAIMS = "claims";

/** The part of a manifest that is no column, as it stands in its file. */
interface ManifestHeader extends Pick<
  Manifest,
  | "site"
  | "siteKey"
  | "historyKey"
  | "folders"
  | "nameFindings"
  | "pageFindings"
  | "siteFindings"
  | "contract"
  | "ended"
  | "staged"
  | "pagesStat"
  | "browse"
  | "times"
  | "bulk"
> {
  /** Which file of claims belongs to it. */
  claims: string;
  count: number;
  listed: Folder[];
}

/** The names of the claims that are on the disk already. */
const saved = new WeakMap<Claims, string>();

/**
 * Saves a manifest in a folder of the cache.
 *
 * @param key differs for every version of the program.
 * @throws the system's error where it cannot be written; the next build then finds none.
 */
export function saveManifest(folder: string, key: string, manifest: Manifest): void {
  const { listing, table, claims, ...rest } = manifest;
  const { count, folders: listed } = listing;
  const columns: Columns = {
    folderOf: listing.folderOf.subarray(0, count),
    kinds: listing.kinds.subarray(0, count),
    nameStarts: listing.nameStarts.subarray(0, count + 1),
    names: listing.names.subarray(0, listing.nameStarts[count]),
    ...table,
  };
  let name = saved.get(claims);
  if (name === undefined) {
    name = randomUUID();
    writeManifestFile(folder, CLAIMS, `${key} ${name}`, { header: null, columns: { ...claims } });
    saved.set(claims, name);
  }
  const header: ManifestHeader = { ...rest, claims: name, count, listed };
  writeManifestFile(folder, NAME, key, { header, columns });
}

/** The bytes that a manifest takes for a file with a name of common length. */
// tuning: an estimate that starts a second thread sooner or later
const BYTES_A_FILE = 150;

/** About how many files the manifest of a folder of the cache knows: it is told by its size, before it is loaded. */
export const roughCount = (folder: string): number =>
  (statIfThere(join(folder, NAME))?.size ?? 0) / BYTES_A_FILE;

/** Loads the manifest of a folder of the cache: all of it, or where anything is missing or damaged none. */
export function loadManifest(folder: string, key: string): Manifest | undefined {
  const file = readManifestFile<ManifestHeader>(folder, NAME, key);
  if (file === undefined) return undefined;
  const { claims: name, count, listed, ...header } = file.header;
  const claims = readManifestFile(folder, CLAIMS, `${key} ${name}`)?.columns as Claims | undefined;
  if (claims === undefined) return undefined;
  saved.set(claims, name);
  const { folderOf, kinds, nameStarts, names, ...table } = file.columns as unknown as PageTable &
    Pick<Listing, "folderOf" | "kinds" | "nameStarts" | "names">;
  const listing = new Listing({ folders: listed, count, folderOf, kinds, nameStarts, names });
  return { ...header, listing, table, claims };
}

/** Which output a folder of the cache is about. */
const OUTPUT_NAME = "output";

const LEFTOVER = /^lock$|^(?:lock|manifest|claims)\./;
/** More than any path is long. */
const PATH_LIMIT = 1 << 16;

/** Notes whose manifest a folder of the cache holds; drops what killed builds left, and the manifests of outputs that are gone. */
export function pruneCache(folder: string, output: string): void {
  if (!isFolder(folder)) rmSync(folder, { force: true });
  mkdirSync(folder, { recursive: true });
  const note = join(folder, OUTPUT_NAME);
  for (const name of readdirSync(folder))
    if (LEFTOVER.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
  if (readText(note, PATH_LIMIT) !== output) {
    rmSync(note, { recursive: true, force: true });
    writeNew(note, Buffer.from(output));
  }
  const cache = dirname(folder);
  for (const name of readdirSync(cache)) {
    const other = join(cache, name);
    const about = readText(join(other, OUTPUT_NAME), PATH_LIMIT);
    if (about !== undefined && !existsSync(about)) rmSync(other, { recursive: true, force: true });
  }
}

/** The entries of the known folders by their paths, for a walk that finds a folder unchanged. */
export function knownEntries({
  folders,
  listing,
  historyKey,
}: Manifest): (path: string) => FolderEntries | undefined {
  const byPath = new Map(listing.folders.map((folder, f) => [folder.path, f]));
  return (path) => {
    const f = byPath.get(path) ?? -1;
    const [known, listed] = [folders[f], listing.folders[f]];
    if (known === undefined || listed === undefined) return undefined;
    const files = path === "" ? [SITE, ...(historyKey === "" ? [] : [HISTORY])] : [];
    for (let i = listed.first; i < listed.end; i++) files.push(listing.name(i));
    return { stat: known.stat, files: files.sort(), folders: known.folders, findings: known.findings };
  };
}

/** For each file of a listing its number in another; -1 for a file that is not there. */
export function matchFiles(listing: Listing, before: Listing): Int32Array {
  const matches = new Int32Array(listing.count).fill(-1);
  const byPath = new Map(before.folders.map((folder) => [folder.path, folder]));
  for (const folder of listing.folders) {
    const old = byPath.get(folder.path);
    if (old === undefined) continue;
    let k = old.first;
    // Both are in the same order, so one pass over each is enough.
    for (let i = folder.first; i < folder.end; i++) {
      const name = listing.name(i);
      while (k < old.end && before.name(k) < name) k++;
      // A page that has become a draft, with its folder's page, is another file.
      if (k < old.end && before.name(k) === name && before.kind(k) === listing.kind(i)) matches[i] = k;
    }
  }
  return matches;
}

/** What is known of the files that a build does not read, by their numbers now. */
export function keptFindings(
  { listing, pageFindings }: Manifest,
  matches: Int32Array,
  isRead: Uint8Array,
): PageFindings[] {
  if (pageFindings.length === 0) return [];
  const now = new Int32Array(listing.count).fill(-1);
  for (let file = 0; file < matches.length; file++) {
    const match = matches[file] ?? -1;
    if (match !== -1 && isRead[file] === 0) now[match] = file;
  }
  return pageFindings
    .map((found) => ({ ...found, file: now[found.file] ?? -1 }))
    .filter(({ file }) => file !== -1);
}
