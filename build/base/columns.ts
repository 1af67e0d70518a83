const integers = (length: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * length));

/** A growing list of integers, in shared memory, so that another thread gets them without a copy. */
export class IntegerColumn {
  length = 0;
  values: Uint32Array;

  constructor(expected: number) {
    this.values = integers(Math.max(1, expected));
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const wider = integers(2 * this.length);
      wider.set(this.values);
      this.values = wider;
    }
    this.values[this.length++] = value;
  }

  finish(): Uint32Array {
    return this.values.subarray(0, this.length);
  }
}

/** TextList in few objects, for many pages. They are in shared memory, so that another thread gets them without a copy. */
export interface TextList {
  /** In UTF-8. */
  bytes: Uint8Array;
  /** By text: the end of its bytes. */
  ends: Uint32Array;
}

/** Maximum bytes of a UTF-16 unit in UTF-8. */
const MAX_UNIT_BYTES = 3;

export const sharedBytes = (length: number): Buffer => Buffer.from(new SharedArrayBuffer(length));

/** A guess, to reserve space; unused space takes no memory. */
const BYTES_PER_TEXT = 256;

/** A growing list of texts. */
export class TextColumn {
  private readonly ends: IntegerColumn;
  private bytes: Buffer;
  private end = 0;

  constructor(expected = 1) {
    this.ends = new IntegerColumn(expected);
    this.bytes = sharedBytes(BYTES_PER_TEXT * expected);
  }

  /** @returns its bytes. */
  push(text: string): Uint8Array {
    const { end: from } = this;
    const needed = from + MAX_UNIT_BYTES * text.length;
    if (needed > this.bytes.length) {
      const { bytes } = this;
      this.bytes = sharedBytes(Math.max(needed, 2 * bytes.length));
      this.bytes.set(bytes.subarray(0, from));
    }
    this.end += this.bytes.write(text, from);
    this.ends.push(this.end);
    return this.bytes.subarray(from, this.end);
  }

  finish(): TextList {
    return { bytes: this.bytes.subarray(0, this.end), ends: this.ends.finish() };
  }
}

export const bytesOf = ({ bytes, ends }: TextList, k: number): Uint8Array =>
  bytes.subarray(k === 0 ? 0 : ends[k - 1], ends[k]);

/** The values above 0 that occur more than once in a column, with their positions. */
export function repeated(column: Float64Array): Map<number, number[]> {
  const sorted = column.slice().sort();
  const twice = new Set(sorted.filter((value, k) => value > 0 && value === sorted[k - 1]));
  const byValue = new Map<number, number[]>();
  if (twice.size === 0) return byValue;
  for (const [at, value] of column.entries()) {
    if (!twice.has(value)) continue;
    const sharing = byValue.get(value);
    if (sharing) sharing.push(at);
    else byValue.set(value, [at]);
  }
  return byValue;
}

/** The index of a value in a column of ascending values; -1 if it is not there. */
export function indexIn(column: Float64Array, value: number): number {
  let [low, high] = [0, column.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = column[middle] ?? 0;
    if (at === value) return middle;
    if (at < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** TextList with numbers, in the order in which they came. */
export class Numbering {
  readonly texts: string[] = [];
  private readonly numbers = new Map<string, number>();

  of(text: string): number {
    let number = this.numbers.get(text);
    if (number === undefined) this.numbers.set(text, (number = this.texts.push(text) - 1));
    return number;
  }

  /** The same of a text that will hardly come again: the next time it may get another number. */
  ofRare(text: string): number {
    return this.numbers.get(text) ?? this.texts.push(text) - 1;
  }
}

/** Integers below this are kept in a column, which finds them faster than a map. */
const MAX_KEYS = 1 << 20;

/** A map whose keys are mostly small integers, such as ids. */
export class IdMap<Value> {
  /** By key: the number of its value, counted from 1. */
  private numbers = new Uint32Array(1 << 12);
  private readonly values: Value[] = [];
  private readonly others = new Map<unknown, Value>();

  get size(): number {
    return this.values.length + this.others.size;
  }

  get(key: unknown): Value | undefined {
    const number = typeof key === "number" ? this.numbers[key] : undefined;
    if (number) return this.values[number - 1];
    return this.others.size === 0 ? undefined : this.others.get(key);
  }

  set(key: unknown, value: Value): void {
    if (typeof key !== "number" || !Number.isInteger(key) || key < 0 || key >= MAX_KEYS) {
      this.others.set(key, value);
      return;
    }
    if (key >= this.numbers.length) {
      const wider = new Uint32Array(2 ** Math.ceil(Math.log2(key + 1)));
      wider.set(this.numbers);
      this.numbers = wider;
    }
    const number = this.numbers[key] as number;
    if (number > 0) this.values[number - 1] = value;
    else this.numbers[key] = this.values.push(value);
  }
}
