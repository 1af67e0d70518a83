/** Shared, because the threads of a build read each other's columns. */
export type Shared = SharedArrayBuffer;
export type Doubles = Float64Array<Shared>;
export type Integers = Uint32Array<Shared>;

export const doubles = (length: number): Doubles => new Float64Array(new SharedArrayBuffer(8 * length));
export const integers = (length: number): Integers => new Uint32Array(new SharedArrayBuffer(4 * length));

/** A growing list of numbers. */
export class NumberColumn<T extends Doubles | Integers> {
  length = 0;
  values: T;
  private readonly make: (length: number) => T;

  /** @param expected the number of values to reserve space for; unused space takes no memory. */
  constructor(make: (length: number) => T, expected: number) {
    this.make = make;
    this.values = make(Math.max(1, expected));
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const wider = this.make(2 * this.length);
      wider.set(this.values);
      this.values = wider;
    }
    this.values[this.length++] = value;
  }

  finish(): T {
    return this.values.subarray(0, this.length) as T;
  }
}

/** The start of an item, given the end of each: they follow one another. */
export const startOfItem = (ends: Uint32Array, item: number): number =>
  item === 0 ? 0 : (ends[item - 1] as number);

/** Maximum size of numbers that are marked in a set of bits, per number; with larger ones, the set takes more memory. */
const MAX_BITS_PER_NUMBER = 64;

/** The numbers that occur more than once, each at least once. They are integers, and at least 0. */
export function* repeatedIn(numbers: Float64Array): Generator<number> {
  const most = numbers.reduce((one, two) => Math.max(one, two), 0);
  if (most > MAX_BITS_PER_NUMBER * numbers.length) {
    const sorted = numbers.slice().sort();
    for (let k = 1; k < sorted.length; k++) if (sorted[k] === sorted[k - 1]) yield sorted[k] as number;
    return;
  }
  // This takes less time and memory than a sorted copy.
  const bits = new Uint32Array(Math.floor(most / 32) + 1);
  for (const number of numbers) {
    const [word, bit] = [number >>> 5, 1 << number];
    if (((bits[word] as number) & bit) === 0) (bits[word] as number) |= bit;
    else yield number;
  }
}
