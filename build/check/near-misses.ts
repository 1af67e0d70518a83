import { claimTexts, type Claims } from "./claims.ts";

/** What so many pages speak of is usual. */
const USUAL = 10;
/** Of shorter texts most are one edit away from each other. */
const SHORTEST = 6;

export interface Usual {
  key: string;
  pages: number;
}

/**
 * The claims that one page alone makes of something, but for one character the same as those that many pages make of
 * something else: a number with two digits swapped, a letter left out.
 */
export function nearMisses(claims: Claims): Map<number, Usual> {
  const pages = pagesOf(claims);
  const ofKey = new Map<number, number>();
  for (const [number, key] of claims.keys.entries())
    ofKey.set(key, (ofKey.get(key) ?? 0) + (pages[number] ?? 0));
  const texts = claimTexts(claims);
  const usual = new Map<string, Neighbours>();
  for (const [number, count] of pages.entries())
    if (count >= USUAL) {
      const [kind, text] = kindAndText(texts[number] ?? "");
      let same = usual.get(kind);
      if (same === undefined) usual.set(kind, (same = new Neighbours()));
      same.add({ text, pages: count });
    }
  const misses = new Map<number, Usual>();
  for (const [number, key] of claims.keys.entries()) {
    if (pages[number] !== 1 || ofKey.get(key) !== 1) continue;
    const [kind, text] = kindAndText(texts[number] ?? "");
    const near = text.length < SHORTEST ? undefined : usual.get(kind)?.find(text);
    if (near !== undefined)
      misses.set(number, { key: near.text.split("\n").at(-1) ?? "", pages: near.pages });
  }
  return misses;
}

/** The key stands last, as that of an address begins like all others. */
function kindAndText(claim: string): [kind: string, text: string] {
  const end = claim.indexOf("\n");
  return [claim.slice(0, end), claim.slice(end + 1)];
}

function pagesOf({ keys, entries, starts, counts }: Claims): Uint32Array {
  const pages = new Uint32Array(keys.length);
  const last = new Int32Array(keys.length).fill(-1);
  for (let file = 0; file < starts.length; file++) {
    const start = starts[file] ?? 0;
    const end = start + (counts[file] ?? 0);
    for (let k = start; k < end; k++) {
      const claim = entries[k] ?? 0;
      if (last[claim] === file) continue;
      last[claim] = file;
      pages[claim] = (pages[claim] ?? 0) + 1;
    }
  }
  return pages;
}

interface Stated {
  text: string;
  pages: number;
}

/**
 * Texts by their beginnings and by their ends: an edit leaves one of them as it was, both a little shorter than half, as
 * two characters that are swapped may stand in the middle.
 */
class Neighbours {
  private readonly starts = new Map<string, Stated[]>();
  private readonly ends = new Map<string, Stated[]>();

  add(one: Stated): void {
    const half = halfOf(one.text.length);
    put(this.starts, one.text.slice(0, half), one);
    put(this.ends, one.text.slice(one.text.length - half), one);
  }

  /** The one that is one edit away; of several the most usual, of these the first, whatever the order of reading. */
  find(text: string): Stated | undefined {
    const found: Stated[] = [];
    const { length } = text;
    for (const half of new Set([halfOf(length - 1), halfOf(length), halfOf(length + 1)]))
      for (const some of [this.starts.get(text.slice(0, half)), this.ends.get(text.slice(length - half))])
        for (const one of some ?? [])
          if (Math.abs(one.text.length - length) <= 1 && isOneEdit(one.text, text)) found.push(one);
    return found.sort((a, b) => b.pages - a.pages || (a.text < b.text ? -1 : 1))[0];
  }
}

const halfOf = (length: number): number => Math.max(0, Math.floor(length / 2) - 1);

function put(map: Map<string, Stated[]>, part: string, one: Stated): void {
  const others = map.get(part);
  if (others) others.push(one);
  else map.set(part, [one]);
}

/** A character put in, left out or replaced, or two swapped. Most differ soon from their ends; addresses begin alike. */
function isOneEdit(a: string, b: string): boolean {
  let [i, k] = [a.length, b.length];
  while (i > 0 && k > 0 && a.charCodeAt(i - 1) === b.charCodeAt(k - 1)) [i, k] = [i - 1, k - 1];
  if (i !== k) return Math.abs(i - k) === 1 && isSame(a, i - (i > k ? 1 : 0), b, k - (k > i ? 1 : 0));
  if (i === 0) return false;
  if (isSame(a, i - 1, b, k - 1)) return true;
  return i > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1] && isSame(a, i - 2, b, k - 2);
}

const isSame = (a: string, i: number, b: string, k: number): boolean =>
  i === k && a.startsWith(b.slice(0, k));
