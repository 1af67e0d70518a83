import { integers, NumberColumn, startOfItem, type Integers, type Shared } from "../base/columns.ts";

/** Texts in latin1, one after the other, and the end of each. */
export interface PackedTexts {
  bytes: Uint8Array<Shared>;
  ends: Integers;
}

export class TextColumn {
  bytes: Buffer;
  length = 0;
  private readonly ends: NumberColumn<Integers>;

  constructor(texts: number, letters: number) {
    this.bytes = Buffer.from(new SharedArrayBuffer(texts * letters));
    this.ends = new NumberColumn(integers, texts);
  }

  push(bytes: Uint8Array, from: number, to: number): void {
    this.makeSpace(to - from);
    for (let at = from; at < to; at++) this.bytes[this.length++] = bytes[at] as number;
    this.ends.push(this.length);
  }

  /** The start and the end of a text. */
  bounds(number: number): [start: number, end: number] {
    const { values } = this.ends;
    return [startOfItem(values, number), values[number] as number];
  }

  /** Adds one of other packed texts, given by its number. */
  copy({ bytes, ends }: PackedTexts, number: number): void {
    this.push(bytes, startOfItem(ends, number), ends[number] as number);
  }

  private makeSpace(length: number): void {
    if (this.length + length <= this.bytes.length) return;
    const wider = Buffer.from(new SharedArrayBuffer(2 * this.length + length));
    this.bytes.copy(wider, 0, 0, this.length);
    this.bytes = wider;
  }

  finish(): PackedTexts {
    const { buffer, byteOffset } = this.bytes;
    return {
      bytes: new Uint8Array(buffer as Shared, byteOffset, this.length),
      ends: this.ends.finish(),
    };
  }
}

/** Compares the bytes of two texts, given by their numbers. */
export function compareTexts(one: PackedTexts, a: number, two: PackedTexts, b: number): number {
  const from = startOfItem(one.ends, a);
  const start = startOfItem(two.ends, b);
  const length = (one.ends[a] as number) - from;
  const width = (two.ends[b] as number) - start;
  for (let k = 0; k < length && k < width; k++) {
    const difference = (one.bytes[from + k] as number) - (two.bytes[start + k] as number);
    if (difference !== 0) return difference;
  }
  return length - width;
}

/** Returns a function that reads a text by its number. */
export function reader({ bytes, ends }: PackedTexts): (number: number) => string {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (number) => all.toString("latin1", startOfItem(ends, number), ends[number]);
}
