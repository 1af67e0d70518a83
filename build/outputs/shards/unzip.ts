import { crc32, inflateRawSync } from "node:zlib";
import { Damaged, type Shard } from "./format.ts";
import {
  CENTRAL,
  CENTRAL_BYTES,
  DEFLATED,
  END,
  END_BYTES,
  LOCAL,
  LOCAL_BYTES,
  nameOf,
  type PageBytes,
} from "./zip.ts";

/** Reads shards. Every value of a ZIP file is checked against its release or index, its layout or a page's CRC. */

/** Maximum characters of a page's file name: `9007199254740991.json`. */
const MAX_NAME = 21;

/** The positions of the pages in a ZIP file, in columns by ascending id. */
export interface Directory {
  ids: Float64Array;
  /** The offset of each page, and at the end that of the directory. */
  starts: Float64Array;
  lengths: Uint32Array;
  crcs: Uint32Array;
  /** Whether the hash of the whole shard was compared. Only then is a page that the directory lacks surely unpublished. */
  isProven: boolean;
}

/** Bytes of one page's columns in memory. */
export const DIRECTORY_BYTES = 24;

/** Reads a whole shard and compares its hash; `use` receives each page before that. @throws Damaged */
export function openShard(found: Uint8Array, shard: Shard, use?: (page: PageBytes) => void): Directory {
  const { key } = shard;
  const bytes = bufferOf(found);
  const end = readEnd(key, bytes, bytes.length);
  const directory = parseDirectory(shard, bytes.subarray(end.start), end);
  // Page by page, so that only one inflated page is in memory.
  function* pages(): Generator<PageBytes> {
    for (const [i, id] of directory.ids.entries()) {
      const between = bytes.subarray(directory.starts[i], directory.starts[i + 1]);
      const page = { id, bytes: openPage(key, directory, i, between).bytes };
      use?.(page);
      yield page;
    }
  }
  if (nameOf(pages()) !== shard.name) throw new Damaged(key, "its hash does not match");
  return { ...directory, isProven: true };
}

/** The end record of a ZIP file: the number of pages, and the offset of the directory. */
export interface End {
  count: number;
  start: number;
}

export function readEnd(key: string, tail: Buffer, size: number): End {
  const at = tail.length - END_BYTES;
  if (at < 0 || tail.readUInt32LE(at) !== END) throw new Damaged(key, "it does not end as a ZIP file does");
  const count = tail.readUInt16LE(at + 10);
  const length = tail.readUInt32LE(at + 12);
  const start = tail.readUInt32LE(at + 16);
  if (start + length !== size - END_BYTES || length > count * (CENTRAL_BYTES + MAX_NAME))
    throw new Damaged(key, "its directory is in another position");
  return { count, start };
}

/** @param bytes from the directory to the end of the ZIP file. */
export function parseDirectory(shard: Shard, bytes: Buffer, { count, start: end }: End): Directory {
  const damaged = (): Damaged => new Damaged(shard.key, "its directory is damaged");
  const directory: Directory = {
    ids: new Float64Array(count),
    starts: new Float64Array(count + 1).fill(end),
    lengths: new Uint32Array(count),
    crcs: new Uint32Array(count),
    isProven: false,
  };
  const last = bytes.length - END_BYTES;
  let [at, id, start, sum] = [0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const nameAt = at + CENTRAL_BYTES;
    if (nameAt > last || bytes.readUInt32LE(at) !== CENTRAL) throw damaged();
    const nameBytes = bytes.readUInt16LE(at + 28);
    const written = bytes.toString("latin1", nameAt, nameAt + nameBytes);
    const next = Number(/^([1-9]\d{0,15})\.json$/.exec(written)?.[1] ?? 0);
    const isOurs = Number.isSafeInteger(next) && next > id && next % shard.count === shard.remainder;
    // Each page begins where the one before it ends: so only one value is valid for each length and offset.
    const isNext = bytes.readUInt32LE(at + 42) === start && bytes.readUInt32LE(at + 30) === 0;
    if (!isOurs || !isNext || bytes.readUInt16LE(at + 10) !== DEFLATED) throw damaged();
    directory.ids[i] = id = next;
    directory.starts[i] = start;
    directory.crcs[i] = bytes.readUInt32LE(at + 16);
    directory.lengths[i] = bytes.readUInt32LE(at + 24);
    sum += directory.lengths[i] ?? 0;
    start += LOCAL_BYTES + nameBytes + bytes.readUInt32LE(at + 20);
    at = nameAt + nameBytes;
  }
  // The release limits the sum of the lengths, so that no page can inflate to more.
  if (at !== last || start !== end || sum !== shard.bytes) throw damaged();
  return directory;
}

/** A page's published bytes, and its deflated bytes from the ZIP file. */
export interface UnzippedPage {
  bytes: Buffer;
  deflated: Buffer;
  crc: number;
}

/** @param entry from the page's local header to the end of its deflated bytes. */
export function openPage(key: string, directory: Directory, index: number, entry: Buffer): UnzippedPage {
  const { ids, starts, lengths, crcs } = directory;
  const [id = 0, length = 0, crc = 0] = [ids[index], lengths[index], crcs[index]];
  const damaged = (): Damaged => new Damaged(key, `its page ${id} is damaged`);
  const name = `${id}.json`;
  const dataAt = LOCAL_BYTES + name.length;
  const isItsOwn =
    entry.length === (starts[index + 1] ?? 0) - (starts[index] ?? 0) &&
    entry.length > dataAt &&
    entry.readUInt32LE(0) === LOCAL &&
    entry.readUInt32LE(14) === crc &&
    entry.readUInt32LE(18) === entry.length - dataAt &&
    entry.readUInt32LE(22) === length &&
    entry.readUInt16LE(26) === name.length &&
    entry.readUInt16LE(28) === 0 &&
    entry.toString("latin1", LOCAL_BYTES, dataAt) === name;
  if (!isItsOwn) throw damaged();
  const deflated = entry.subarray(dataAt);
  const { bytes, used } = inflated(deflated, length) ?? {};
  // A client would read bytes after the deflated page as the trailer of the gzip that `gzipOf` makes.
  if (bytes?.length !== length || used !== deflated.length || crc32(bytes) !== crc) throw damaged();
  return { bytes, deflated, crc };
}

/** The inflated bytes, at most one more than `length`, and the number of deflated bytes that were used. */
function inflated(deflated: Buffer, length: number): { bytes: Buffer; used: number } | undefined {
  try {
    // Node's types lack the result of `info`.
    const { buffer, engine } = inflateRawSync(deflated, {
      info: true,
      maxOutputLength: length + 1,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    return { bytes: buffer, used: engine.bytesWritten };
  } catch {
    return undefined;
  }
}

export const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** A header without a file name, a time or an operating system. */
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** A page as gzip, made of the deflated bytes of the ZIP file. */
export function gzipOf({ deflated, crc, bytes }: UnzippedPage): Buffer {
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc, 0);
  end.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([GZIP_HEAD, deflated, end]);
}
