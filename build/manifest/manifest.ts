import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Finding } from "../findings/finding.ts";
import { readText } from "../output/file.ts";
import { readManifestFile, writeManifestFile, type Columns } from "./file.ts";
import { writeNew } from "../output/stage.ts";
import { pageTable, type PageTable } from "./page-table.ts";
import type { Site } from "../page/site.ts";
import type { PageFindings } from "../pipeline/worker.ts";
import type { FolderEntries } from "../sources/find.ts";
import type { Discovery } from "../pipeline/discover.ts";
import type { Parent } from "../sources/tree.ts";
import type { Claims } from "../check/claims.ts";
import { Listing, type Folder } from "../sources/listing.ts";
import { isFolder, type FileStat } from "../base/stat.ts";

/** What a build remembers for the next one of the same output. */
export interface Manifest {
  header: Header;
  listing: Listing;
  columns: PageTable;
}

export interface Header {
  /** `_site.json` as it was used, and a digest of what it was read from. */
  site: Site | undefined;
  siteKey: string;
  folders: (Folder & {
    stat: FileStat;
    folders: string[];
    findings: Finding[];
    asParent?: Parent | undefined;
  })[];
  /** Warnings and links of pages: the same come from a build that does not read those pages. */
  warnings: PageFindings[];
  /** What does not fit together over several pages. */
  siteFindings: Finding[];
  /** When the build ended, by the output's own clock: what changed there later was not changed by a build. */
  ended: number;
  /**
   * Where the build wrote all pages anew: when the last of them was written, by the same clock. No page's folder was
   * changed later, and which of them was changed when, nobody asked.
   */
  staged?: number;
  /** Which file of claims belongs to it. */
  claims: string;
  /** The stat of the folder of pages. */
  pages: FileStat;
}

const NAME = "memory";
/** Apart, as a build that meets no new ones does not need them. */
const CLAIMS = "facts";

export function saveManifest(folder: string, key: string, { header, listing, columns }: Manifest): void {
  const { count } = listing;
  const kept: Columns = {
    folderOf: listing.folderOf.subarray(0, count),
    kinds: listing.kinds.subarray(0, count),
    nameStarts: listing.nameStarts.subarray(0, count + 1),
    names: listing.names.subarray(0, listing.nameStarts[count]),
  };
  const { state: _, ...numbers } = columns;
  writeManifestFile(folder, NAME, key, { header: { ...header, count }, columns: { ...kept, ...numbers } });
}

export function loadManifest(folder: string, key: string): Manifest | undefined {
  const manifest = readManifestFile<Header & { count: number }>(folder, NAME, key);
  if (manifest === undefined) return undefined;
  const { header, columns } = manifest;
  const { folderOf, kinds, nameStarts, names, ...numbers } = columns as unknown as PageTable &
    Pick<Listing, "folderOf" | "kinds" | "nameStarts" | "names">;
  const { count, folders } = header;
  return {
    header,
    listing: new Listing({ folders, count, folderOf, kinds, nameStarts, names }),
    columns: { ...numbers, state: new Uint8Array(new SharedArrayBuffer(count)) },
  };
}

/** Gives the name by which they are asked for again. */
export function saveClaims(folder: string, key: string, claims: Claims): string {
  const name = randomUUID();
  const { keys, hashes, entries, starts, counts } = claims;
  writeManifestFile(folder, CLAIMS, `${key} ${name}`, {
    header: null,
    columns: { keys, hashes, entries, starts, counts },
  });
  return name;
}

export const loadClaims = (folder: string, key: string, name: string): Claims | undefined =>
  readManifestFile(folder, CLAIMS, `${key} ${name}`)?.columns as unknown as Claims | undefined;

/** What a build knows by its discover, and what it found in the pages. */
export const headerOf = (
  { site, siteKey, listing, entries, parents }: Discovery,
  warnings: PageFindings[],
) => ({
  site,
  siteKey,
  folders: listing.folders.map((folder, f) => {
    const { stat, folders = [], findings = [] } = entries.get(folder.path) ?? {};
    return {
      ...folder,
      stat: stat ?? { size: 0, mtime: 0, ctime: 0, inode: 0 },
      folders,
      findings,
      asParent: parents[f],
    };
  }),
  warnings,
});

/** What was found in files that this build did not need to read. */
export function keptFindings(
  manifest: Manifest | undefined,
  matches: Int32Array,
  isRead: Uint8Array,
): PageFindings[] {
  if (manifest === undefined || manifest.header.warnings.length === 0) return [];
  const now = new Int32Array(manifest.listing.count).fill(-1);
  for (let file = 0; file < matches.length; file++) {
    const match = matches[file] ?? -1;
    if (match !== -1 && isRead[file] === 0) now[match] = file;
  }
  return manifest.header.warnings
    .map((found) => ({ ...found, file: now[found.file] ?? -1 }))
    .filter(({ file }) => file !== -1);
}

/** Which output a folder of the cache is about. */
const OUTPUT_NAME = "output";

const LEFTOVER = /^lock$|^(?:lock|manifest|claims)\./;
/** More than any path is long. */
const PATH_LIMIT = 1 << 16;

/** Notes whose manifest a folder of the cache holds; drops what killed builds left, and the memories of outputs that are gone. */
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

/** The entries of a folder as they were known, for a walk that finds the folder unchanged. */
export function knownFolders({ header, listing }: Manifest): (path: string) => FolderEntries | undefined {
  const byPath = new Map(header.folders.map((folder) => [folder.path, folder]));
  return (path) => {
    const folder = byPath.get(path);
    if (folder === undefined) return undefined;
    const files = path === "" ? ["_site.json"] : [];
    for (let i = folder.first; i < folder.end; i++) files.push(listing.name(i));
    return { stat: folder.stat, files: files.sort(), folders: folder.folders, findings: folder.findings };
  };
}

/** For each file of a listing its number in the known one; -1 for a file that was not there. */
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
      if (k < old.end && before.name(k) === name) matches[i] = k;
    }
  }
  return matches;
}

export const sourceStat = (columns: PageTable, i: number): FileStat => ({
  size: columns.sourceSize[i] ?? 0,
  mtime: columns.sourceMtime[i] ?? 0,
  ctime: columns.sourceCtime[i] ?? 0,
  inode: columns.sourceInode[i] ?? 0,
});

/** Columns for a listing, with what is known of the files that it has in common with the known one. */
export function carryOver(count: number, matches: Int32Array, before: PageTable): PageTable {
  const columns = pageTable(count);
  const { state: _, ...numbers } = columns;
  for (let from = 0, to = 0; from < count; from = to) {
    const old = matches[from] ?? -1;
    // Files that were neighbours are copied together.
    for (to = from + 1; to < count && matches[to] === (old === -1 ? -1 : old + to - from);) to++;
    if (old === -1) continue;
    for (const [name, column] of Object.entries(numbers) as [keyof typeof numbers, Float64Array][])
      column.set(before[name].subarray(old, old + to - from), from);
  }
  return columns;
}
