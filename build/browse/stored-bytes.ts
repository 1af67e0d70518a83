import { appendFileSync, closeSync, openSync } from "node:fs";
import { readInto } from "../base/file.ts";

/** Maximum bytes in memory, if there is a file for the others. */
const MAX_BYTES_IN_MEMORY = 4 << 20;

/** Bytes in shared memory; if they were too many, the first ones are in a file. */
export interface StoredBytes {
  memory: Uint8Array<SharedArrayBuffer>;
  file?: { path: string; length: number } | undefined;
}

/** Stores items of bytes one after the other. An item is in memory or in the file as a whole. */
export class BytesWriter {
  private memory: Buffer;
  /** The same memory, for items that consist of numbers. */
  private numbers: Uint32Array;
  private used = 0;
  private readonly path: string | undefined;
  private filed = 0;

  /**
   * @param expected the number of bytes to reserve space for; unused space takes no memory.
   * @param path of the file for bytes that do not fit in memory, which does not exist yet; if it is left out, all are in
   * memory.
   */
  constructor(expected: number, path: string | undefined) {
    const most = path === undefined ? Infinity : 2 * MAX_BYTES_IN_MEMORY;
    this.memory = Buffer.from(new SharedArrayBuffer(Math.min(expected, most)));
    this.numbers = integersIn(this.memory);
    this.path = path;
  }

  pushText(latin1: string): void {
    this.makeSpace(latin1.length);
    this.used += this.memory.write(latin1, this.used, "latin1");
  }

  pushNumber(value: number): void {
    this.makeSpace(4);
    this.numbers[this.used / 4] = value;
    this.used += 4;
  }

  /** Ends an item. @returns the number of bytes so far. @throws the system's error if the file cannot be written. */
  endItem(): number {
    if (this.path !== undefined && this.used > MAX_BYTES_IN_MEMORY) {
      appendFileSync(this.path, this.memory.subarray(0, this.used));
      this.filed += this.used;
      this.used = 0;
    }
    return this.filed + this.used;
  }

  private makeSpace(length: number): void {
    if (this.used + length <= this.memory.length) return;
    const wider = Buffer.from(new SharedArrayBuffer(2 * this.used + length));
    this.memory.copy(wider, 0, 0, this.used);
    this.memory = wider;
    this.numbers = integersIn(wider);
  }

  finish(): StoredBytes {
    const { path, filed: length } = this;
    const { buffer, byteOffset } = this.memory;
    return {
      memory: new Uint8Array(buffer as SharedArrayBuffer, byteOffset, this.used),
      file: path === undefined || length === 0 ? undefined : { path, length },
    };
  }
}

/** Bytes as numbers of four bytes; a rest is left out. */
export const integersIn = ({ buffer, byteOffset, length }: Uint8Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, Math.floor(length / 4));

/** Reads stored bytes through a window, which is the part in memory or a part of the file. */
export class BytesReader {
  window: Buffer;
  /** The position of the window in the stored bytes. */
  private start: number;
  private readonly memory: Buffer;
  private readonly filed: number;
  private readonly file: number | undefined;
  private readonly ahead: number;
  private read = Buffer.alloc(0);

  /** @param ahead the minimum number of bytes to read at a time from the file, for a reader that reads in order. */
  constructor({ memory: { buffer, byteOffset, byteLength }, file }: StoredBytes, ahead = 0) {
    this.memory = Buffer.from(buffer, byteOffset, byteLength);
    this.file = file && openSync(file.path, "r");
    this.filed = file?.length ?? 0;
    this.ahead = ahead;
    this.window = this.memory;
    this.start = this.filed;
  }

  /** Moves the window over an item. @returns its position in the window. */
  locate(from: number, to: number): number {
    if (from < this.start || to > this.start + this.window.length) this.move(from, to - from);
    return from - this.start;
  }

  private move(from: number, length: number): void {
    this.start = this.filed;
    this.window = this.memory;
    if (this.file === undefined || from >= this.filed) return;
    const size = Math.min(Math.max(length, this.ahead), this.filed - from);
    if (this.read.length < size) this.read = Buffer.allocUnsafeSlow(size);
    this.start = from;
    this.window = this.read.subarray(0, readInto(this.file, this.read.subarray(0, size), from));
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
  }
}
