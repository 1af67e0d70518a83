const integers = (length: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * length));

/** 0, 1, 2, … */
export function countUp(count: number): Int32Array {
  const numbers = new Int32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = i;
  return numbers;
}

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
export const MAX_UNIT_BYTES = 3;

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

  /** @returns the number of its bytes. */
  push(text: string, encoding: "utf8" | "latin1" = "utf8"): number {
    const { end: from } = this;
    const needed = from + MAX_UNIT_BYTES * text.length;
    if (needed > this.bytes.length) {
      const { bytes } = this;
      this.bytes = sharedBytes(Math.max(needed, 2 * bytes.length));
      this.bytes.set(bytes.subarray(0, from));
    }
    this.end += this.bytes.write(text, from, encoding);
    this.ends.push(this.end);
    return this.end - from;
  }

  finish(): TextList {
    return { bytes: this.bytes.subarray(0, this.end), ends: this.ends.finish() };
  }
}

export const bytesOf = ({ bytes, ends }: TextList, k: number): Uint8Array =>
  bytes.subarray(k === 0 ? 0 : ends[k - 1], ends[k]);

type Column = Float64Array | Uint32Array | Uint8Array;

const asBuffer = ({ buffer, byteOffset, byteLength }: Column): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

export const haveSameBytes = (one: Column, other: Column): boolean => asBuffer(one).equals(asBuffer(other));

/** A text in UTF-8, with a character for each byte. */
export const asBytes = (text: string): string =>
  /[^\0-\x7f]/.test(text) ? Buffer.from(text).toString("latin1") : text;

/** A function that returns a text by its number. */
export function textReader(
  { bytes, ends }: TextList,
  encoding: "utf8" | "latin1" = "utf8",
): (k: number) => string {
  const all = asBuffer(bytes);
  return (k) => all.toString(encoding, k === 0 ? 0 : ends[k - 1], ends[k]);
}

export function textsOf(list: TextList): string[] {
  const textOf = textReader(list);
  return Array.from(list.ends, (_, k) => textOf(k));
}

/** Maximum number of values that are searched one by one; for more, sorting all values is faster. */
const MAX_SEARCHED = 30;

/**
 * The values above 0 that occur more than once in a column, with their positions.
 *
 * @param some positions; if they are given, only their values can occur more than once.
 */
export function repeated(column: Float64Array, some?: Uint32Array): Map<number, number[]> {
  const isSearched = some !== undefined && some.length <= MAX_SEARCHED;
  const values = isSearched ? Float64Array.from(some, (at) => column[at] ?? 0) : column.slice().sort();
  const isTwice = (value: number, k: number): boolean =>
    isSearched ? column.indexOf(value) !== column.lastIndexOf(value) : value === values[k - 1];
  const twice = new Set(values.filter((value, k) => value > 0 && isTwice(value, k)));
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

/**
 * Texts with numbers, in the order in which they came. Hashes and numbers are neighbours in one column: with many texts, a
 * map takes twice as long, because it looks up memory in more places.
 */
export class Numbering {
  readonly texts: string[] = [];
  /** By place: the hash of a text, then its number, counted from 1. */
  private table: Uint32Array;

  /** @param expected a guess of the number of texts. */
  constructor(expected = 100) {
    this.table = new Uint32Array(4 * 2 ** Math.ceil(Math.log2(expected + 1)));
  }

  of(text: string): number {
    const hash = hashOf(text);
    const { table, texts } = this;
    let at = placeIn(table, hash);
    for (; table[at + 1] !== 0; at = (at + 2) & (table.length - 1)) {
      const number = (table[at + 1] as number) - 1;
      if (table[at] === hash && texts[number] === text) return number;
    }
    table[at] = hash;
    table[at + 1] = texts.push(text);
    if (4 * texts.length > table.length) this.widen();
    return texts.length - 1;
  }

  numbersOf(texts: readonly string[]): Uint32Array {
    const numbers = new Uint32Array(texts.length);
    for (let k = 0; k < texts.length; k++) numbers[k] = this.of(texts[k] as string);
    return numbers;
  }

  private widen(): void {
    const { table } = this;
    const wider = new Uint32Array(2 * table.length);
    for (let from = 0; from < table.length; from += 2) {
      if (table[from + 1] === 0) continue;
      let at = placeIn(wider, table[from] as number);
      while (wider[at + 1] !== 0) at = (at + 2) & (wider.length - 1);
      wider[at] = table[from] as number;
      wider[at + 1] = table[from + 1] as number;
    }
    this.table = wider;
  }
}

/** The place at which the search for a hash begins. The length of the table is a power of two. */
const placeIn = (table: Uint32Array, hash: number): number => (hash << 1) & (table.length - 1);

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
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
