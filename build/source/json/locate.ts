import type { Path } from "./object.ts";

/** The place of a value in a JSON text. If the value is missing, the place is the bracket of the innermost value around it. */
export interface ValueSpot {
  start: number;
  end: number;
  /** The range of the member's name; absent outside of objects. */
  key?: readonly [start: number, end: number];
  isFound: boolean;
}

/**
 * Finds the values at paths in a valid JSON text, in one pass. Of a repeated key, the last member counts.
 *
 * @param isUnique no key is repeated, so that the pass ends at the last of the values
 */
export function locate(text: string, paths: readonly Path[], isUnique = false): ValueSpot[] {
  const root: Wanted = { indices: [], below: undefined };
  for (const [index, path] of paths.entries()) {
    let at = root;
    for (const step of path) {
      at.below ??= new Map();
      let next = at.below.get(step);
      if (next === undefined) at.below.set(step, (next = { indices: [], below: undefined }));
      at = next;
    }
    at.indices.push(index);
  }
  const locator = new Locator(text, paths.length, isUnique);
  locator.value(root);
  return locator.spots;
}

/** The wanted paths that begin alike. */
interface Wanted {
  /** The indices of the paths that end here. */
  indices: number[];
  below: Map<PropertyKey, Wanted> | undefined;
}

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
];

class Locator {
  readonly spots: ValueSpot[];
  private readonly text: string;
  private at = 0;
  /** The number of values to find before the pass may end. */
  private left: number;

  constructor(text: string, count: number, isUnique: boolean) {
    this.text = text;
    this.left = isUnique ? count : Infinity;
    this.spots = [];
    for (let k = 0; k < count; k++) this.spots.push({ start: 0, end: 0, isFound: false });
  }

  value(wanted: Wanted | undefined, key?: ValueSpot["key"]): void {
    const first = this.next();
    const start = this.at;
    const { indices = [], below } = wanted ?? {};
    for (const one of below?.values() ?? []) this.miss(one, start, key);
    if (below !== undefined && first === OPEN_OBJECT) this.entries(below, CLOSE_OBJECT);
    else if (below !== undefined && first === OPEN_LIST) this.entries(below, CLOSE_LIST);
    else this.skip(first);
    for (const index of indices) {
      this.spots[index] = { start, end: this.at, isFound: true, ...(key && { key }) };
      this.left--;
    }
  }

  private entries(below: Map<PropertyKey, Wanted>, close: number): void {
    this.at++;
    for (let index = 0; this.left > 0 && this.next() !== close; index++) {
      if (close === CLOSE_LIST) this.value(below.get(index));
      else {
        const from = this.at;
        this.string();
        const written = this.text.slice(from, this.at);
        const name = written.includes("\\") ? (JSON.parse(written) as string) : written.slice(1, -1);
        const key = [from, this.at] as const;
        this.next();
        // The colon.
        this.at++;
        this.value(below.get(name), key);
      }
      if (this.next() === COMMA) this.at++;
    }
    this.at++;
  }

  /** Sets the place of paths that may be missing. */
  private miss(wanted: Wanted, start: number, key: ValueSpot["key"]): void {
    for (const index of wanted.indices)
      this.spots[index] = { start, end: start + 1, isFound: false, ...(key && { key }) };
    for (const below of wanted.below?.values() ?? []) this.miss(below, start, key);
  }

  /** The next character that is no white space. */
  private next(): number {
    let c = this.text.charCodeAt(this.at);
    while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) c = this.text.charCodeAt(++this.at);
    return c;
  }

  private skip(first: number): void {
    const { text } = this;
    if (first === QUOTE) this.string();
    else if (first === OPEN_OBJECT || first === OPEN_LIST)
      for (let depth = 0; ;) {
        const c = text.charCodeAt(this.at);
        if (c === QUOTE) {
          this.string();
          continue;
        }
        this.at++;
        if (c === OPEN_OBJECT || c === OPEN_LIST) depth++;
        else if ((c === CLOSE_OBJECT || c === CLOSE_LIST) && --depth === 0) return;
      }
    // A number, true, false or null.
    else while (/[\w.+-]/.test(text[this.at] ?? "")) this.at++;
  }

  private string(): void {
    this.at = endOfText(this.text, this.at + 1) + 1;
  }
}

/** The offset of the quotation mark that ends a text; the length of all if none does. */
export function endOfText(text: string, from: number, hasEscapes = true): number {
  let at = text.indexOf('"', from);
  if (hasEscapes) while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at === -1 ? text.length : at;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}
