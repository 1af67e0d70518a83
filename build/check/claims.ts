import { IntegerColumn } from "../base/columns.ts";
import type { JsonObject } from "../json/object.ts";
import type { Identity } from "../page/field.ts";
import type { ClaimLog } from "./state.ts";

/**
 * Claims of pages about things that several pages describe (a subject's name, a venue's name), as hashes: enough to see
 * that two pages differ, and small enough for a million pages. A claim has two hashes: one of its thing (kind and key),
 * and one of the whole claim (kind, key and values).
 */
export interface Claims {
  /** By the number of the claim: the hash of its thing. */
  keys: Float64Array;
  /** By the number of the claim: the hash of the whole claim. */
  hashes: Float64Array;
  /** The texts of the claims, for `claimTexts`. */
  texts: Uint8Array;
  /** The numbers of the claims of all files, file by file. */
  entries: Uint32Array;
  /** By file: the index of its first entry, and the number of its entries. */
  starts: Uint32Array;
  counts: Uint32Array;
}

/** The claims that one thread has read. */
export interface ClaimPart {
  keys: number[];
  hashes: number[];
  texts: string[];
  entries: Uint32Array;
  files: Uint32Array;
  /** By position in `files`: the index after its last entry. */
  ends: Uint32Array;
}

/** A running hash of 53 bits, enough for a few million claims. */
export class Hash {
  private a = 0;
  private b = 0;

  start(seed: number): void {
    this.a = seed | 0;
    this.b = ~seed;
  }

  text(text: string): void {
    let { a, b } = this;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      a = Math.imul(a ^ code, 0x01000193);
      b = Math.imul((b ^ code) + 0x7f4a7c15, 0x85ebca6b);
    }
    this.a = a;
    this.b = b;
    this.separate();
  }

  /** Adds the value of another hash. */
  number(value: number): void {
    this.a = Math.imul(this.a ^ (value >>> 0), 0x01000193);
    this.b = Math.imul((this.b ^ Math.floor(value / 2 ** 32)) + 0x7f4a7c15, 0x85ebca6b);
    this.separate();
  }

  /** Separates two values, so that “ab” and “c” give another hash than “a” and “bc”. */
  separate(): void {
    this.a = Math.imul(this.a ^ 0x1ff, 0x01000193);
    this.b = Math.imul(this.b ^ (this.b >>> 15), 0xc2b2ae35);
  }

  value(): number {
    return (this.a >>> 0) * 2 ** 21 + (this.b >>> 11);
  }
}

/** The hashes of a claim. `printed` gives a field as it is printed, without quotation marks. */
export function hashClaim(
  { seed, key, values }: Identity,
  printed: (field: string) => string,
): { key: number; hash: number } {
  const hash = new Hash();
  hash.start(seed);
  hash.text(printed(key));
  const keyHash = hash.value();
  for (const field of values) hash.text(printed(field));
  return { key: keyHash, hash: hash.value() };
}

/** A field of a claim as it is printed, without quotation marks; empty if it is left out. */
export const printed = (value: unknown): string =>
  typeof value === "string"
    ? JSON.stringify(value).slice(1, -1)
    : typeof value === "number"
      ? String(value)
      : "";

/** Maximum number of objects of one kind that are kept in memory to recognise them on later pages. */
const MAX_KNOWN_OBJECTS = 1 << 14;

/** The number of claims per file to reserve space for. */
const CLAIMS_PER_FILE = 16;

/** Collects the claims of files, one file after another. */
export class ClaimCollector implements ClaimLog {
  private readonly numbers = new Map<number, number>();
  private readonly keys: number[] = [];
  private readonly hashes: number[] = [];
  private readonly texts: string[] = [];
  private readonly entries: IntegerColumn;
  private readonly files: IntegerColumn;
  private readonly ends: IntegerColumn;
  private readonly hash = new Hash();

  /** @param expected the number of files to reserve space for; unused space takes no memory. */
  constructor(expected = 1) {
    this.entries = new IntegerColumn(CLAIMS_PER_FILE * expected);
    this.files = new IntegerColumn(expected);
    this.ends = new IntegerColumn(expected);
  }

  /** Adds a claim to the current file, and returns its number in this collector. */
  add(key: number, hash: number): number {
    let number = this.numbers.get(hash);
    if (number === undefined) {
      number = this.keys.length;
      this.numbers.set(hash, number);
      this.keys.push(key);
      this.hashes.push(hash);
    }
    this.again(number);
    return number;
  }

  /** Whether the text of the claim is not recorded yet. */
  lacksText(number: number): boolean {
    return number === this.texts.length;
  }

  /** Records the text of the latest claim: its kind, values and key. */
  note(parts: readonly string[]): void {
    this.texts.push(parts.join("\n"));
  }

  /** A claim that many pages make is hashed once. */
  stateOf(identity: Identity): (object: JsonObject) => number {
    const { kind, key, values } = identity;
    const known = new Map<unknown, { values: unknown[]; claim: number }>();
    return (object) => {
      if (printed(object[key]) === "") return -1;
      const before = known.get(object[key]);
      if (before !== undefined && values.every((field, k) => object[field] === before.values[k])) {
        this.again(before.claim);
        return before.claim;
      }
      const hashes = hashClaim(identity, (field) => printed(object[field]));
      const claim = this.add(hashes.key, hashes.hash);
      if (this.lacksText(claim))
        this.note([kind, ...[...values, key].map((field) => printed(object[field]))]);
      if (known.size < MAX_KNOWN_OBJECTS)
        known.set(object[key], { values: values.map((field) => object[field]), claim });
      return claim;
    };
  }

  /** Adds an earlier claim to the current file, by its number. */
  again(number: number): void {
    this.entries.push(number);
  }

  /** Removes the claims added since the end of the last file. */
  rollBack(): void {
    this.entries.length = this.endOfLast();
  }

  private endOfLast(): number {
    return this.ends.values[this.ends.length - 1] ?? 0;
  }

  /** Ends the current file, and returns a hash of its claims; 0 if it has none. */
  endFile(file: number): number {
    const from = this.endOfLast();
    const { length: end, values } = this.entries;
    if (end === from) return 0;
    this.files.push(file);
    this.ends.push(end);
    this.hash.start(end - from);
    for (let k = from; k < end; k++) this.hash.number(this.hashes[values[k] ?? 0] ?? 0);
    return this.hash.value();
  }

  part(): ClaimPart {
    const { keys, hashes, texts, entries, files, ends } = this;
    return { keys, hashes, texts, entries: entries.finish(), files: files.finish(), ends: ends.finish() };
  }
}

/** Merges the claims that the threads have read with those of the last build for the files that were not read. */
export function mergeClaims(
  count: number,
  parts: ClaimPart[],
  before: Claims | undefined,
  matches: Int32Array,
  isRead: (file: number) => boolean,
): Claims {
  const numbers = new Map<number, number>();
  const keys: number[] = [];
  const hashes: number[] = [];
  const texts: string[] = [];
  const numberOf = (key: number, hash: number, text: string): number => {
    let number = numbers.get(hash);
    if (number === undefined) {
      number = keys.length;
      numbers.set(hash, number);
      keys.push(key);
      hashes.push(hash);
      texts.push(text);
    }
    return number;
  };
  const size = parts.reduce((sum, part) => sum + part.entries.length, before?.entries.length ?? 0);
  const entries = new Uint32Array(size);
  const starts = new Uint32Array(count);
  const counts = new Uint32Array(count);
  let at = 0;
  for (const part of parts) {
    const renumbered = Uint32Array.from(part.keys, (key, k) =>
      numberOf(key, part.hashes[k] ?? 0, part.texts[k] ?? ""),
    );
    let from = 0;
    for (let k = 0; k < part.files.length; k++) {
      const file = part.files[k] ?? 0;
      const end = part.ends[k] ?? from;
      starts[file] = at + from;
      counts[file] = end - from;
      from = end;
    }
    for (let k = 0; k < from; k++) entries[at + k] = renumbered[part.entries[k] ?? 0] ?? 0;
    at += from;
  }
  if (before !== undefined) {
    const known = claimTexts(before);
    const renumbered = Uint32Array.from(before.keys, (key, k) =>
      numberOf(key, before.hashes[k] ?? 0, known[k] ?? ""),
    );
    for (let file = 0; file < count; file++) {
      const old = matches[file] ?? -1;
      if (old === -1 || isRead(file)) continue;
      const from = before.starts[old] ?? 0;
      const length = before.counts[old] ?? 0;
      starts[file] = at;
      counts[file] = length;
      for (let k = 0; k < length; k++) entries[at++] = renumbered[before.entries[from + k] ?? 0] ?? 0;
    }
  }
  return {
    keys: Float64Array.from(keys),
    hashes: Float64Array.from(hashes),
    texts: new TextEncoder().encode(texts.join(BETWEEN)),
    entries: entries.subarray(0, at),
    starts,
    counts,
  };
}

/** Separates two texts. Printed JSON does not contain it. */
const BETWEEN = "\0";

/** The texts of the claims by number. A text has the kind, the values and the key, each on a line. */
export const claimTexts = ({ texts }: Claims): string[] =>
  Buffer.from(texts.buffer, texts.byteOffset, texts.length).toString("utf8").split(BETWEEN);
