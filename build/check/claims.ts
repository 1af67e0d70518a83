import { IntegerColumn, Numbering } from "../base/columns.ts";
import type { JsonObject } from "../source/json/object.ts";
import type { Identity } from "../model/model.ts";
import type { ClaimLog } from "./state.ts";

/**
 * Claims of pages about entities that several pages describe (a subject's name, a venue's name). A claim is a text: kind,
 * values and key, each on a line. Its number is its place among the different texts.
 */
export interface Claims {
  texts: readonly string[];
  /** The numbers of the claims of all files, file by file. */
  entries: Uint32Array;
  /** By file: the index of its first entry, and the number of its entries. */
  starts: Uint32Array;
  counts: Uint32Array;
}

/**
 * The kind of claims that a page makes about its values that no other page may have. No entity has this kind, because
 * that of an entity is a word.
 */
const UNIQUE = "\u0000unique";

/** A text in the form in which texts that must differ are compared. */
export function folded(text: string): string {
  const upper = text.toUpperCase();
  // Almost no accession number has a space.
  return /\s/.test(upper) ? upper.replaceAll(/\s+/g, "") : upper;
}

/** Without values and with the scope and the value as its key, so that no other claim disagrees with it. */
export const uniqueClaim = (scope: string, value: string): string =>
  `${UNIQUE} ${scope}\n${printed(folded(value))}`;

/** The scope of the claim; undefined if it is about an entity. */
export const scopeOf = (claim: string): string | undefined =>
  claim.startsWith(UNIQUE) ? claim.slice(UNIQUE.length + 1, claim.indexOf("\n")) : undefined;

/** The claims that one thread has read. */
export interface ClaimPart {
  texts: string[];
  entries: Uint32Array;
  files: Uint32Array;
  /** By position in `files`: the index after its last entry. */
  ends: Uint32Array;
}

/** @param printed gives a field as it is printed, without quotation marks. */
export function claimText({ kind, key, values }: Identity, printed: (field: string) => string): string {
  let text = kind;
  for (const value of values) text += `\n${printed(value)}`;
  return `${text}\n${printed(key)}`;
}

/** Its kind and its key. */
export const entityOf = (claim: string): string =>
  claim.slice(0, claim.indexOf("\n")) + claim.slice(claim.lastIndexOf("\n"));

/** A field of a claim as it is printed, without quotation marks; empty if it is left out. */
export const printed = (value: unknown): string =>
  typeof value === "string"
    ? JSON.stringify(value).slice(1, -1)
    : typeof value === "number"
      ? String(value)
      : "";

/** A guess, to reserve space; unused space takes no memory. */
const CLAIMS_PER_FILE = 16;

/** Collects claims, file by file. In lists that grow, those of a large site would take 26 MiB more. */
export class ClaimCollector implements ClaimLog {
  private readonly numbering = new Numbering();
  private readonly entries: IntegerColumn;
  private readonly files: IntegerColumn;
  private readonly ends: IntegerColumn;

  /** @param files the expected number of files. */
  constructor(files = 1) {
    this.entries = new IntegerColumn(CLAIMS_PER_FILE * files);
    this.files = new IntegerColumn(files);
    this.ends = new IntegerColumn(files);
  }

  stateOf(identity: Identity): (object: JsonObject) => number {
    return (object) => {
      if (printed(object[identity.key]) === "") return -1;
      return this.add(claimText(identity, (field) => printed(object[field])));
    };
  }

  add(text: string): number {
    const number = this.numbering.of(text);
    this.addKnown(number);
    return number;
  }

  addKnown(number: number): void {
    this.entries.push(number);
  }

  /** Removes the claims added since the end of the last file. */
  rollBack(): void {
    this.entries.length = this.ends.values[this.ends.length - 1] ?? 0;
  }

  endFile(file: number): void {
    this.files.push(file);
    this.ends.push(this.entries.length);
  }

  part(): ClaimPart {
    const { numbering, entries, files, ends } = this;
    return {
      texts: numbering.texts,
      entries: entries.finish(),
      files: files.finish(),
      ends: ends.finish(),
    };
  }
}

/** Whether the files that were read make the same claims as in the last build, in which they had the same numbers. */
export function areSame(parts: readonly ClaimPart[], before: Claims): boolean {
  return parts.every(({ texts, entries, files, ends }) =>
    files.every((file, k) => {
      const from = ends[k - 1] ?? 0;
      const own = entries.subarray(from, ends[k]);
      const former = claimsOf(before, file);
      return (
        own.length === former.length &&
        own.every((claim, i) => texts[claim] === before.texts[former[i] as number])
      );
    }),
  );
}

/** The claims of files that were not read come from the last build. */
export function mergeClaims(
  count: number,
  parts: ClaimPart[],
  before: Claims | undefined,
  matches: Int32Array,
  isRead: (file: number) => boolean,
): Claims {
  const numbering = new Numbering();
  const size = parts.reduce((sum, part) => sum + part.entries.length, before?.entries.length ?? 0);
  const entries = new Uint32Array(size);
  const starts = new Uint32Array(count);
  const counts = new Uint32Array(count);
  let at = 0;
  const add = (file: number, numbers: Uint32Array, own: Uint32Array, from: number, to: number): void => {
    starts[file] = at;
    counts[file] = to - from;
    for (let k = from; k < to; k++) entries[at++] = numbers[own[k] as number] as number;
  };
  for (const { texts, files, entries: own, ends } of parts) {
    const numbers = numbering.numbersOf(texts);
    for (let k = 0, from = 0; k < files.length; k++) {
      const to = ends[k] as number;
      add(files[k] as number, numbers, own, from, to);
      from = to;
    }
  }
  if (before !== undefined) {
    const numbers = numbering.numbersOf(before.texts);
    for (let file = 0; file < count; file++) {
      const old = matches[file] ?? -1;
      if (old === -1 || isRead(file)) continue;
      const from = before.starts[old] as number;
      add(file, numbers, before.entries, from, from + (before.counts[old] as number));
    }
  }
  return { texts: numbering.texts, entries: entries.subarray(0, at), starts, counts };
}

export const claimsOf = ({ entries, starts, counts }: Claims, file: number): Uint32Array => {
  const start = starts[file] as number;
  return entries.subarray(start, start + (counts[file] as number));
};
