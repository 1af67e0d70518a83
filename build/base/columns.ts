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
