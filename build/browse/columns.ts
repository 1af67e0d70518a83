type Numbers = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Numbers, one after the other. */
export class Column<T extends Numbers> {
  length = 0;
  private values: T;
  private readonly make: new (length: number) => T;

  /** @param expected is what there is space for at once; space that is never used takes no memory. */
  constructor(make: new (length: number) => T, expected: number) {
    this.make = make;
    this.values = new make(Math.max(1, expected));
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const wider = new this.make(2 * this.length);
      wider.set(this.values);
      this.values = wider;
    }
    this.values[this.length++] = value;
  }

  finish(): T {
    return this.values.subarray(0, this.length) as T;
  }
}

/** Texts, one after the other, in latin1; and where each ends. */
export interface Texts {
  bytes: Uint8Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
}

/** Collects texts. */
export class TextColumn {
  bytes: Buffer;
  length = 0;
  private readonly ends: Column<Uint32Array<ArrayBuffer>>;

  constructor(texts: number, letters: number) {
    this.bytes = Buffer.allocUnsafeSlow(texts * letters);
    this.ends = new Column(Uint32Array, texts);
  }

  push(text: string): void {
    if (this.length + text.length > this.bytes.length) {
      const wider = Buffer.allocUnsafeSlow(2 * this.length + text.length);
      this.bytes.copy(wider, 0, 0, this.length);
      this.bytes = wider;
    }
    this.length += this.bytes.write(text, this.length, "latin1");
    this.ends.push(this.length);
  }

  finish(): Texts {
    const { buffer, byteOffset } = this.bytes;
    return {
      bytes: new Uint8Array(buffer as ArrayBuffer, byteOffset, this.length),
      ends: this.ends.finish(),
    };
  }
}

/** All texts as one. */
export const textOf = ({ bytes }: Texts): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

/** Gives a text by its number. */
export function reader({ bytes, ends }: Texts): (number: number) => string {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (number) => all.toString("latin1", ends[number - 1] ?? 0, ends[number]);
}
