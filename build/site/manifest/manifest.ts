import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DefaultDeserializer, DefaultSerializer } from "node:v8";
import { crc32 } from "node:zlib";
import { sharedBytes, TextColumn, textsOf, type TextList } from "../../base/columns.ts";
import {
  isFolder,
  type FileStat,
  type RecordedStat,
  readInto,
  readText,
  withFile,
  writeNew,
} from "../../base/file.ts";
import type { Counts } from "../../browse/data-files.ts";
import type { Claims } from "../../check/claims.ts";
import type { PageFindings } from "../../check/page.ts";
import type { Finding } from "../../findings/finding.ts";
import type { Shards } from "../../outputs/shards/format.ts";
import { HISTORY, SITE, TYPES } from "../../source/site-files.ts";
import type { Site } from "../../model/site.ts";
import type { Times } from "../../base/instant.ts";
import { type FolderEntries } from "../../source/find.ts";
import { SourceIndex, type SourceIndexColumns } from "../../source/source-index.ts";
import type { SourceImage } from "../../source/images.ts";
import type { Parent } from "../../model/tree.ts";
import type { Groups, Summaries } from "../summaries.ts";
import { filledColumns, pageTable, type PageTable } from "./page-table.ts";

/**
 * The data that a build saves for the next build of the same output. It is trusted if its checksum is correct and the same
 * version of the program wrote it. Its data about a file or folder is trusted while that has the same size, times and
 * inode, and was not racy when it was read.
 */
export interface Manifest {
  /** The values of `_site.json` that the build used, and a digest of their sources. */
  site: Site | undefined;
  siteKey: string;
  /** A digest of `_history.json`; empty if there is none. */
  historyKey: string;
  /** `_types.json`, of which `siteKey` is a digest too; absent if there is none. */
  types?: TypesFile | undefined;
  listing: SourceIndex;
  /** By the number of the folder in the listing. */
  folders: KnownFolder[];
  /** What translations are derived from; absent on a site with one language. */
  summaries?: Summaries | undefined;
  groups?: Groups | undefined;
  /** Warnings about the names of files and folders, including those that depend on folders above. */
  nameFindings: Finding[];
  table: PageTable;
  claims: Claims;
  /** Warnings and links of pages, which a build repeats if it does not read a page again. */
  pageFindings: PageFindings[];
  /** The same, each as JSON, if the threads that read the pages have printed all of them. */
  printedFindings?: TextList[] | undefined;
  /** Warnings about several pages together. */
  siteFindings: Finding[];
  contract: ContractState;
  /** When the build ended, by the output's own clock: no build made a later change there. */
  ended: number;
  /**
   * When the last page was staged, by the same clock, if the build staged all pages. The table then lacks the times of
   * their folders: a folder with an earlier time has not been changed since.
   */
  staged?: number | undefined;
  pagesStat: FileStat;
  /** The build's instant, and the one after which all instants are known at which a page or a finding changes. */
  times: Times;
  /** Absent if the browse UI was left out. */
  browse?: BrowseState | undefined;
  /** Absent if there is no bulk download. */
  bulk?: BulkState | undefined;
  /** Absent if there are no files for websites. */
  website?: WebsiteState | undefined;
  /** Sorted by name in each folder. */
  images: KnownImage[];
}

/** A `_types.json` without errors. */
export interface TypesFile {
  text: string;
  /** Warnings. */
  findings: Finding[];
}

/** An image in `_media/`, and the stat of its published file. */
export interface KnownImage extends SourceImage {
  published: FileStat;
}

/** The files of a part of the output, sorted by their paths. */
export interface PublishedFiles {
  files: [path: string, stat: FileStat][];
}

export interface BulkState extends PublishedFiles {
  shards: Shards;
}

export interface WebsiteState extends PublishedFiles {
  /** The commit whose history the times of changes are from, if git has it. */
  commit?: string | undefined;
  /** The latest of these times. */
  changed: string | null;
  digits: number;
  /** A digest of the fields by which lists can be filtered and shown. */
  lists: string;
  /** The pages in the files of lists (`ListedPage`), as JSON, which only a change of these files needs. */
  listed: string;
  /** The old addresses that another one replaces. */
  old: [address: string, to: string][];
}

export interface BrowseState extends PublishedFiles {
  counts: Counts;
}

export interface ContractState extends PublishedFiles {
  /** A digest of the sources of the contract. */
  inputs: string;
}

/** A folder of the sources when it was last listed. */
export interface KnownFolder {
  stat: RecordedStat;
  /** The names of its subfolders. */
  folders: string[];
  findings: Finding[];
  /** The data of its page that subpages need. */
  parent?: Parent | undefined;
}

const NAME = "manifest";

interface Saved {
  /** JSON, which is read faster than many small objects. */
  rest: string;
  /** The same, on its own, because V8 saves two bytes for each character of a text if one character needs them. */
  names: string;
  printedFindings: TextList[];
  claims: Claims;
  summaries: Summaries | undefined;
  groups: Groups | undefined;
  columns: Pick<SourceIndexColumns, "folderOf" | "kinds"> & Partial<PageTable>;
  listed: string;
}
type Rest = Omit<
  Manifest,
  "listing" | "table" | "claims" | "summaries" | "groups" | "folders" | "pageFindings" | "printedFindings"
> &
  Pick<SourceIndexColumns, "folders"> & { known: KnownFolder[] };

/**
 * Saves a manifest; another build never reads a part of it.
 *
 * @param key differs for every version of the program.
 * @throws the system's error if it cannot be written; the next build then has no manifest.
 */
export function saveManifest(cache: string, key: string, manifest: Manifest): void {
  const { listing, table, claims, summaries, groups, folders: known, ...more } = manifest;
  const { pageFindings, printedFindings, ...others } = more;
  const { folders, names, folderOf, kinds } = listing;
  const { website } = others;
  const rest: Rest = { ...others, website: website && { ...website, listed: "" }, known, folders };
  const columns = { folderOf, kinds, ...filledColumns(table) };
  const value: Saved = {
    rest: JSON.stringify(rest),
    names: JSON.stringify(names),
    printedFindings: printedFindings ?? [printFindings(pageFindings)],
    claims,
    summaries,
    groups,
    columns,
    listed: website?.listed ?? "",
  };
  mkdirSync(cache, { recursive: true });
  const path = join(cache, NAME);
  // Only one build at a time saves an output's manifest, so an existing file is from a build that was killed.
  const staged = `${path}.new`;
  rmSync(staged, { recursive: true, force: true });
  try {
    const writer = new ManifestWriter();
    writer.writeHeader();
    writer.writeValue(value);
    const printed = writer.releaseBuffer();
    const parts = [Buffer.concat([printed, padding(printed.length)]), ...writer.columns] as const;
    writeNew(staged, headOf(key, ...parts), ...parts);
    // When a file is replaced, some file systems wait for the disk. A manifest is not worth the wait.
    rmSync(path, { recursive: true, force: true });
    renameSync(staged, path);
  } catch (cause) {
    rmSync(staged, { force: true });
    throw cause;
  }
}

/** Loads the manifest of a folder of the cache; undefined if it is missing, damaged or has another key. */
export function loadManifest(cache: string, key: string): Manifest | undefined {
  // In shared memory, so that threads get its columns without a copy.
  const file = withFile<Buffer | undefined>(
    join(cache, NAME),
    (handle, { size }) => {
      const all = sharedBytes(size);
      return all.subarray(0, readInto(handle, all));
    },
    () => undefined,
  );
  const head = file?.subarray(0, HEAD_BYTES).toString("latin1");
  const end = HEAD_BYTES + Number(head?.split(" ")[2]);
  if (file === undefined || !(end <= file.length)) return undefined;
  if (!headOf(key, file.subarray(HEAD_BYTES, end), file.subarray(end)).equals(file.subarray(0, HEAD_BYTES)))
    return undefined;
  const {
    rest,
    names: printedNames,
    printedFindings,
    claims,
    summaries,
    groups,
    columns,
    listed,
  } = new ManifestReader(file, end).readValue() as Saved;
  const { known, folders, ...others } = JSON.parse(rest) as Rest;
  if (others.website !== undefined) others.website.listed = listed;
  const names = JSON.parse(printedNames) as string[];
  const { folderOf, kinds, ...filled } = columns;
  const table = { ...pageTable(kinds.length), ...filled };
  const listing = new SourceIndex({ folders, names, folderOf, kinds });
  const pageFindings = readFindings(printedFindings);
  return { ...others, folders: known, listing, table, claims, summaries, groups, pageFindings };
}

function printFindings(findings: readonly PageFindings[]): TextList {
  const printed = new TextColumn(findings.length);
  for (const one of findings) printed.push(JSON.stringify(one));
  return printed.finish();
}

export const readFindings = (printed: readonly TextList[]): PageFindings[] =>
  printed.flatMap((list) => textsOf(list).map((json) => JSON.parse(json) as PageFindings));

/** Bytes of the first line, enough for the key and two numbers; the columns after it stay aligned. */
const HEAD_BYTES = 128;

/** The first line of the file: its key, a checksum that detects accidental damage, and the length of the values. */
const headOf = (key: string, values: Uint8Array, ...columns: Uint8Array[]): Buffer => {
  const sum = columns.reduce((before, column) => crc32(column, before), crc32(values));
  return Buffer.from(`${key} ${sum} ${values.length} `.padEnd(HEAD_BYTES - 1) + "\n");
};

const KINDS = [Float64Array, Uint32Array, Int32Array, Uint8Array];

const padding = (length: number): Uint8Array => new Uint8Array(-length & 7);

/** Prints a manifest without its columns, which are written after it. */
class ManifestWriter extends DefaultSerializer {
  readonly columns: Uint8Array[] = [];

  _writeHostObject(column: NodeJS.TypedArray): void {
    const { buffer, byteOffset, byteLength } = column;
    this.writeUint32(KINDS.findIndex((Column) => column instanceof Column));
    this.writeUint32(byteLength);
    this.columns.push(new Uint8Array(buffer, byteOffset, byteLength), padding(byteLength));
  }
}

class ManifestReader extends DefaultDeserializer {
  private readonly file: Buffer;
  private end: number;

  constructor(file: Buffer, end: number) {
    super(file.subarray(HEAD_BYTES, end));
    this.readHeader();
    this.file = file;
    this.end = end;
  }

  _readHostObject(): NodeJS.TypedArray {
    const Column = KINDS[this.readUint32()] ?? Uint8Array;
    const [length, from] = [this.readUint32(), this.file.byteOffset + this.end];
    this.end += length + padding(length).length;
    return new Column(this.file.buffer as ArrayBuffer, from, length / Column.BYTES_PER_ELEMENT);
  }
}

/** The file that contains the path of the output to which a folder of the cache belongs. */
const OUTPUT_NAME = "output";

const LEFTOVER = /^lock$|^(?:lock|manifest)\./;
/** Maximum bytes of a path, longer than any system allows. */
const MAX_PATH_BYTES = 1 << 16;

/** Records the output of a folder of the cache; removes leftovers of killed builds, and the folders of removed outputs. */
export function pruneCache(folder: string, output: string): void {
  if (!isFolder(folder)) rmSync(folder, { force: true });
  mkdirSync(folder, { recursive: true });
  const note = join(folder, OUTPUT_NAME);
  for (const name of readdirSync(folder))
    if (LEFTOVER.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
  if (readText(note, MAX_PATH_BYTES) !== output) {
    rmSync(note, { recursive: true, force: true });
    writeNew(note, Buffer.from(output));
  }
  const cache = dirname(folder);
  for (const name of readdirSync(cache)) {
    const other = join(cache, name);
    const about = readText(join(other, OUTPUT_NAME), MAX_PATH_BYTES);
    if (about !== undefined && !existsSync(about)) rmSync(other, { recursive: true, force: true });
  }
}

/** The entries of known folders by path, for a search that finds a folder unchanged. */
export function knownEntries({
  folders,
  listing,
  historyKey,
  types,
}: Manifest): (path: string) => FolderEntries | undefined {
  const byPath = new Map(listing.folders.map((folder, f) => [folder.path, f]));
  return (path) => {
    const f = byPath.get(path) ?? -1;
    const [known, listed] = [folders[f], listing.folders[f]];
    if (known === undefined || listed === undefined) return undefined;
    const files =
      path === ""
        ? [SITE, ...(historyKey === "" ? [] : [HISTORY]), ...(types === undefined ? [] : [TYPES])]
        : [];
    for (let i = listed.first; i < listed.end; i++) files.push(listing.name(i));
    return { stat: known.stat, files: files.sort(), folders: known.folders, findings: known.findings };
  };
}

/** For each file of a listing, its number in another listing; -1 if it is not in there. */
export function matchFiles(listing: SourceIndex, before: SourceIndex): Int32Array {
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
      // A file that became a draft with its section counts as another file.
      if (k < old.end && before.name(k) === name && before.kind(k) === listing.kind(i)) matches[i] = k;
    }
  }
  return matches;
}

/** The saved findings of the files that a build does not read, with their new numbers. */
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
