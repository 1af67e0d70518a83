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

/** Texts with numbers, in the order in which they came. */
export class Numbering {
  readonly texts: string[] = [];
  private readonly numbers = new Map<string, number>();

  of(text: string): number {
    let number = this.numbers.get(text);
    if (number === undefined) this.numbers.set(text, (number = this.texts.push(text) - 1));
    return number;
  }
}
