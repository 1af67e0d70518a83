import { createHash } from "node:crypto";
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { Failure } from "../base/failure.ts";
import { Damaged, Missing, type Found, type ReadableStore } from "./store.ts";

/** Plain ZIP files of pages: `<id>.json`, deflated, by id, without times. */

export interface Page {
  id: number;
  bytes: Uint8Array;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES] = [30, 46, 22];
const VERSION = 20;
const DEFLATED = 8;
/** The first day that a ZIP file can tell. */
const NO_DAY = 0x21;
/** Two thirds of the usual level's time, for 1.5 % more bytes; the small memory suits pages of some kilobytes. */
const DEFLATION = { level: 4, memLevel: 7, windowBits: 13, chunkSize: 4096 };
const MOST_ENTRIES = 0xffff;
/** Enough for the directory of a shard of the usual size, so that one read gets all of it. */
const TAIL = 16_384;

/** What a shard is named by: its pages before they are deflated, as zlib's builds deflate differently. */
export function nameOf(pages: readonly Page[]): string {
  const hash = createHash("sha256");
  for (const { id, bytes } of pages) hash.update(`${id} ${bytes.length}\n`).update(bytes);
  return hash.digest("hex");
}

/** @param pages by ascending id. */
export function zip(pages: readonly Page[]): Buffer {
  if (pages.length > MOST_ENTRIES)
    throw new Failure(`${pages.length} pages would share one shard, which holds at most ${MOST_ENTRIES}.`);
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { id, bytes } of pages) {
    const name = Buffer.from(`${id}.json`);
    const data = deflateRawSync(bytes, DEFLATION);
    const entry = Buffer.alloc(CENTRAL_BYTES);
    entry.writeUInt32LE(CENTRAL, 0);
    entry.writeUInt16LE(VERSION, 4);
    entry.writeUInt16LE(VERSION, 6);
    entry.writeUInt16LE(DEFLATED, 10);
    entry.writeUInt16LE(NO_DAY, 14);
    entry.writeUInt32LE(crc32(bytes), 16);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(bytes.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, name);
    // A local header says the same, from the version that is needed to the length of the name.
    const local = Buffer.alloc(LOCAL_BYTES);
    local.writeUInt32LE(LOCAL, 0);
    entry.copy(local, 4, 6, 30);
    parts.push(local, name, data);
    offset += local.length + name.length + data.length;
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(pages.length, 8);
  end.writeUInt16LE(pages.length, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

/** Where the pages of a ZIP file lie, in columns by ascending id. */
export interface Directory {
  ids: Float64Array;
  /** Where each begins; one more than there are pages, the last where they end. */
  starts: Float64Array;
  lengths: Uint32Array;
  crcs: Uint32Array;
}

/** Of one page in memory. */
export const DIRECTORY_BYTES = 24;

/** Reads a directory: one read of the store, but for a shard with very many pages. */
export async function readDirectory(store: ReadableStore, key: string): Promise<Directory> {
  const tail = await store.get(key, { last: TAIL });
  if (tail === undefined) throw new Missing(key);
  const bytes = Buffer.from(tail.bytes.buffer, tail.bytes.byteOffset, tail.bytes.byteLength);
  const at = bytes.length - END_BYTES;
  if (at < 0 || tail.start + bytes.length !== tail.size || bytes.readUInt32LE(at) !== END)
    throw new Damaged(key, "it does not end as a ZIP file does");
  const [count, length, start] = [
    bytes.readUInt16LE(at + 10),
    bytes.readUInt32LE(at + 12),
    bytes.readUInt32LE(at + 16),
  ];
  if (start + length !== tail.size - END_BYTES) throw new Damaged(key, "its directory lies elsewhere");
  const missing = tail.start - start;
  const rest = missing > 0 ? await store.get(key, { start, length: missing }) : undefined;
  if (missing > 0 && rest?.bytes.length !== missing) throw new Damaged(key, "it changed while it was read");
  const whole = rest === undefined ? bytes.subarray(-missing) : Buffer.concat([rest.bytes, bytes]);
  return parseDirectory(key, whole.subarray(0, length), count, start);
}

function parseDirectory(key: string, bytes: Buffer, count: number, end: number): Directory {
  const directory: Directory = {
    ids: new Float64Array(count),
    starts: new Float64Array(count + 1).fill(end),
    lengths: new Uint32Array(count),
    crcs: new Uint32Array(count),
  };
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + CENTRAL_BYTES > bytes.length || bytes.readUInt32LE(at) !== CENTRAL)
      throw new Damaged(key, "its directory cannot be read");
    const nameAt = at + CENTRAL_BYTES;
    at = nameAt + bytes.readUInt16LE(nameAt - 18);
    const id = Number(/^([1-9]\d{0,15})\.json$/.exec(bytes.toString("latin1", nameAt, at))?.[1] ?? 0);
    const start = bytes.readUInt32LE(nameAt - 4);
    const isNext = i === 0 || (id > (directory.ids[i - 1] ?? 0) && start > (directory.starts[i - 1] ?? 0));
    if (id === 0 || !isNext || start >= end) throw new Damaged(key, "its directory cannot be read");
    directory.ids[i] = id;
    directory.starts[i] = start;
    directory.lengths[i] = bytes.readUInt32LE(nameAt - 22);
    directory.crcs[i] = bytes.readUInt32LE(nameAt - 30);
  }
  if (at !== bytes.length) throw new Damaged(key, "its directory cannot be read");
  return directory;
}

/** The place of a page in its directory; -1 where there is none. */
export function indexOf({ ids }: Directory, id: number): number {
  let [low, high] = [0, ids.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = ids[middle] ?? 0;
    if (at === id) return middle;
    if (at < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** A page as it was published, and as it lies in the ZIP file. */
export interface Read {
  bytes: Buffer;
  deflated: Buffer;
  crc: number;
}

/** Reads one page: one read of the store. What does not inflate to what its directory says is never given. */
export async function readPage(
  store: ReadableStore,
  key: string,
  directory: Directory,
  index: number,
): Promise<Read> {
  const start = directory.starts[index] ?? 0;
  const length = (directory.starts[index + 1] ?? 0) - start;
  const found = await store.get(key, { start, length });
  if (found === undefined) throw new Missing(key);
  return openPage(key, directory, index, found);
}

function openPage(key: string, { ids, lengths, crcs }: Directory, index: number, found: Found): Read {
  const [id, length = 0, crc = 0] = [ids[index] ?? 0, lengths[index], crcs[index]];
  const all = Buffer.from(found.bytes.buffer, found.bytes.byteOffset, found.bytes.byteLength);
  const damaged = (): Damaged => new Damaged(key, `its page ${id} is damaged`);
  const name = `${id}.json`;
  if (all.length < LOCAL_BYTES + name.length || all.readUInt32LE(0) !== LOCAL) throw damaged();
  const dataAt = LOCAL_BYTES + all.readUInt16LE(26) + all.readUInt16LE(28);
  if (all.toString("latin1", LOCAL_BYTES, LOCAL_BYTES + name.length) !== name) throw damaged();
  const deflated = all.subarray(dataAt);
  let bytes: Buffer;
  try {
    bytes = inflateRawSync(deflated, { maxOutputLength: length + 1 });
  } catch {
    throw damaged();
  }
  if (bytes.length !== length || crc32(bytes) !== crc) throw damaged();
  return { bytes, deflated, crc };
}

/** All pages of a ZIP file. @throws Damaged where they are not those that it is named by. */
export async function unzip(store: ReadableStore, key: string, name: string): Promise<Page[]> {
  const found = await store.get(key);
  if (found === undefined) throw new Missing(key);
  const { bytes } = found;
  const part: ReadableStore = {
    get: async (_, range) => {
      const start =
        range === undefined ? 0 : "last" in range ? Math.max(0, bytes.length - range.last) : range.start;
      const end = range === undefined || "last" in range ? bytes.length : start + range.length;
      return { ...found, bytes: bytes.subarray(start, end), start, size: bytes.length };
    },
  };
  const directory = await readDirectory(part, key);
  const pages: Page[] = [];
  for (const [i, id] of directory.ids.entries())
    pages.push({ id, bytes: (await readPage(part, key, directory, i)).bytes });
  if (nameOf(pages) !== name) throw new Damaged(key, "its hash is another");
  return pages;
}
