/** The same bytes, to be read four at a time. */
export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Whether the same bytes stand at two places, of which both lie within their views. */
export function areSame(
  one: DataView,
  start: number,
  other: DataView,
  place: number,
  length: number,
): boolean {
  const end = start + length;
  let at = start;
  let to = place;
  // Several at a time: a loop of single reads takes twice as long.
  for (; at + 16 <= end; at += 16, to += 16) {
    const differences =
      (one.getInt32(at, true) ^ other.getInt32(to, true)) |
      (one.getInt32(at + 4, true) ^ other.getInt32(to + 4, true)) |
      (one.getInt32(at + 8, true) ^ other.getInt32(to + 8, true)) |
      (one.getInt32(at + 12, true) ^ other.getInt32(to + 12, true));
    if (differences !== 0) return false;
  }
  for (; at + 4 <= end; at += 4, to += 4)
    if (one.getInt32(at, true) !== other.getInt32(to, true)) return false;
  for (; at < end; at++, to++) if (one.getInt8(at) !== other.getInt8(to)) return false;
  return true;
}

/** Up to so many bytes, a loop is faster than a call into the runtime. */
const SHORT = 40;

/** Bytes, one after the other. Who writes has made room before: no write looks whether there is any. */
export class ByteWriter {
  length = 0;
  private bytes: Buffer;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  room(bytes: number): void {
    if (this.length + bytes <= this.bytes.length) return;
    const wider = Buffer.allocUnsafeSlow(2 * (this.length + bytes));
    this.bytes.copy(wider, 0, 0, this.length);
    this.bytes = wider;
  }

  byte(byte: number): void {
    this.bytes[this.length++] = byte;
  }

  put(from: Uint8Array): void {
    const { bytes, length } = this;
    this.length = length + from.length;
    if (from.length > SHORT) bytes.set(from, length);
    else for (let i = 0; i < from.length; i++) bytes[length + i] = from[i] as number;
  }

  copy(from: Buffer, start: number, end: number): void {
    const { bytes } = this;
    let to = this.length;
    this.length = to + end - start;
    if (end - start > SHORT) bytes.set(new Uint8Array(from.buffer, from.byteOffset + start, end - start), to);
    else for (let at = start; at < end; at++) bytes[to++] = from[at] as number;
  }

  ascii(text: string): void {
    for (let i = 0; i < text.length; i++) this.byte(text.charCodeAt(i));
  }

  text(text: string): void {
    this.length += this.bytes.write(text, this.length);
  }

  /** What was written from `start` on, good until the next write. */
  written(start = 0): Buffer {
    if (this.length > this.bytes.length) throw new Error("more was written than room was made for");
    return this.bytes.subarray(start, this.length);
  }
}
