/** The same bytes, to be read four at a time. */
export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

const encoder = new TextEncoder();

export const bytesOf = (text: string): DataView => viewOf(encoder.encode(text));

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

/** Up to so many bytes a loop is faster than a call. */
const SHORT = 256;

/** Bytes, one after the other. Who writes has made room before: no write looks whether there is any. */
export class ByteWriter {
  length = 0;
  private bytes: Buffer;
  /** The same bytes. */
  private view: DataView;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
    this.view = viewOf(this.bytes);
  }

  room(bytes: number): void {
    if (this.length + bytes <= this.bytes.length) return;
    const wider = Buffer.allocUnsafeSlow(2 * (this.length + bytes));
    this.bytes.copy(wider, 0, 0, this.length);
    this.bytes = wider;
    this.view = viewOf(wider);
  }

  byte(byte: number): void {
    this.bytes[this.length++] = byte;
  }

  put(from: DataView): void {
    this.copy(from, 0, from.byteLength);
  }

  copy(from: DataView, start: number, end: number): void {
    const { view } = this;
    let to = this.length;
    this.length = to + end - start;
    if (end - start > SHORT) {
      this.bytes.set(new Uint8Array(from.buffer, from.byteOffset + start, end - start), to);
      return;
    }
    let at = start;
    for (; at + 16 <= end; at += 16, to += 16) {
      view.setInt32(to, from.getInt32(at, true), true);
      view.setInt32(to + 4, from.getInt32(at + 4, true), true);
      view.setInt32(to + 8, from.getInt32(at + 8, true), true);
      view.setInt32(to + 12, from.getInt32(at + 12, true), true);
    }
    for (; at + 4 <= end; at += 4, to += 4) view.setInt32(to, from.getInt32(at, true), true);
    for (; at < end; at++, to++) view.setInt8(to, from.getInt8(at));
  }

  ascii(text: string): void {
    const { bytes } = this;
    let to = this.length;
    this.length = to + text.length;
    for (let i = 0; i < text.length; i++) bytes[to++] = text.charCodeAt(i);
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
