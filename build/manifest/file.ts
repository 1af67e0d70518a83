import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { readInto, withFile } from "../base/file.ts";

/**
 * The file format of a manifest: a JSON header, columns and a checksum. If the file is missing, damaged or from another
 * version, the next build is a full one.
 */

export type ColumnValues = Float64Array | Uint32Array | Uint8Array;
export type Columns = Record<string, ColumnValues>;

export interface Remembered<H> {
  header: H;
  columns: Columns;
}

const MAGIC = "page-memory 3\n";
const KINDS = { Float64Array, Uint32Array, Uint8Array };
/** Bytes of the checksum at the end, a CRC-32, which detects accidental damage. */
const CHECKSUM_BYTES = 4;

interface Envelope {
  key: string;
  header: unknown;
  columns: { name: string; kind: keyof typeof KINDS; length: number }[];
}

const aligned = (n: number): number => Math.ceil(n / 8) * 8;

/** Writes a manifest; a reader never gets a part of it. @throws the system's error if it cannot be written. */
export function writeManifestFile(
  folder: string,
  name: string,
  key: string,
  { header, columns }: Remembered<unknown>,
): void {
  const envelope: Envelope = { key, header, columns: [] };
  const parts: Uint8Array[] = [];
  for (const [column, values] of Object.entries(columns)) {
    const kind =
      values instanceof Float64Array
        ? "Float64Array"
        : values instanceof Uint32Array
          ? "Uint32Array"
          : "Uint8Array";
    envelope.columns.push({ name: column, kind, length: values.length });
    parts.push(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    parts.push(new Uint8Array(aligned(values.byteLength) - values.byteLength));
  }
  const text = Buffer.from(JSON.stringify(envelope));
  const head = Buffer.alloc(aligned(MAGIC.length + 4 + text.length));
  head.write(MAGIC);
  head.writeUInt32LE(text.length, MAGIC.length);
  text.copy(head, MAGIC.length + 4);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  // Only one build at a time saves an output's manifest, so an existing file is from a build that was killed.
  const staged = `${path}.new`;
  rmSync(staged, { recursive: true, force: true });
  try {
    writeParts(staged, [head, ...parts]);
    // When a file is replaced, some file systems wait for the disk. A manifest is not worth the wait.
    rmSync(path, { recursive: true, force: true });
    renameSync(staged, path);
  } catch (cause) {
    rmSync(staged, { force: true });
    throw cause;
  }
}

/** Writes the parts one by one, so that the columns of a million pages are in memory only once, and then a checksum. */
function writeParts(path: string, parts: Uint8Array[]): void {
  let sum = 0;
  const file = openSync(path, "wx");
  const write = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
  };
  try {
    for (const part of parts) {
      sum = crc32(part, sum);
      write(part);
    }
    write(checksum(sum));
  } finally {
    closeSync(file);
  }
}

function checksum(sum: number): Buffer {
  const bytes = Buffer.alloc(CHECKSUM_BYTES);
  bytes.writeUInt32LE(sum);
  return bytes;
}

/** Reads a file into memory that threads can share. */
const readShared = (path: string): Buffer | undefined =>
  withFile(path, (file, { size }) => {
    const bytes = Buffer.from(new SharedArrayBuffer(size));
    return bytes.subarray(0, readInto(file, bytes));
  });

export function readManifestFile<H>(folder: string, name: string, key: string): Remembered<H> | undefined {
  const file = readShared(join(folder, name));
  if (file === undefined) return undefined;
  const end = file.length - CHECKSUM_BYTES;
  if (end < MAGIC.length + 4 || file.toString("latin1", 0, MAGIC.length) !== MAGIC) return undefined;
  if (crc32(file.subarray(0, end)) !== file.readUInt32LE(end)) return undefined;
  const textLength = file.readUInt32LE(MAGIC.length);
  const envelope = JSON.parse(
    file.toString("utf8", MAGIC.length + 4, MAGIC.length + 4 + textLength),
  ) as Envelope;
  if (envelope.key !== key) return undefined;
  const columns: Columns = {};
  let at = aligned(MAGIC.length + 4 + textLength);
  for (const { name: column, kind, length } of envelope.columns) {
    const Kind = KINDS[kind];
    columns[column] = new Kind(file.buffer as ArrayBuffer, at, length);
    at += aligned(length * Kind.BYTES_PER_ELEMENT);
  }
  return { header: envelope.header as H, columns };
}
