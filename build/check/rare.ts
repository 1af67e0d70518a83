import { claimText, type Claims } from "./claims.ts";

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
export function rareClaims(claims: Claims): Map<number, Usual> {
  const pages = pagesOf(claims);
  const ofKey = new Map<number, number>();
  for (const [number, key] of claims.keys.entries())
    ofKey.set(key, (ofKey.get(key) ?? 0) + (pages[number] ?? 0));
  const usual = new Map<string, { text: string; pages: number }[]>();
  for (const [number, count] of pages.entries()) {
    if (count < USUAL) continue;
    const text = claimText(claims, number);
    for (const part of halves(text, text.length)) {
      const others = usual.get(part);
      if (others) others.push({ text, pages: count });
      else usual.set(part, [{ text, pages: count }]);
    }
  }
  const rare = new Map<number, Usual>();
  if (usual.size === 0) return rare;
  for (const [number, key] of claims.keys.entries()) {
    if (pages[number] !== 1 || ofKey.get(key) !== 1) continue;
    const text = claimText(claims, number);
    if (text.length - text.indexOf("\n") <= SHORTEST) continue;
    const near = nearby(usual, text);
    if (near !== undefined) rare.set(number, { key: near.text.split("\n")[1] ?? "", pages: near.pages });
  }
  return rare;
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

/**
 * By what texts are found that may be one edit away: it leaves the beginning or the end as it was, both a little shorter
 * than half, as two characters that are swapped may stand in the middle.
 */
function halves(text: string, length: number): [start: string, end: string] {
  const half = Math.max(0, Math.floor(length / 2) - 1);
  return [`${length} ${text.slice(0, half)}`, `${length} …${half === 0 ? "" : text.slice(-half)}`];
}

function nearby<T extends { text: string; pages: number }>(
  usual: Map<string, T[]>,
  text: string,
): T | undefined {
  const found = [text.length - 1, text.length, text.length + 1]
    .flatMap((length) => halves(text, length))
    .flatMap((part) => usual.get(part) ?? [])
    .filter((one) => isOneEdit(one.text, text));
  // Of several the most usual; of these the first, whatever the order of reading.
  return found.sort((a, b) => b.pages - a.pages || (a.text < b.text ? -1 : 1))[0];
}

/** A character put in, left out or replaced, or two swapped. */
function isOneEdit(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return left !== right;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
