import { grouped } from "../base/grouped.ts";
import type { Args } from "../findings/catalogue/index.ts";
import { type Claims, scopeOf, entityOf } from "./claims.ts";

/** Minimum number of pages with a claim for it to be usual. */
const MIN_USUAL_PAGES = 10;
/** Minimum length, in UTF-16 units, of texts that are compared: most shorter texts are one edit apart. */
const MIN_LENGTH = 6;

/** Maximum number of known keys in a message. */
const MAX_NAMED = 5;

/** The probable intention behind an unlikely claim: the intended key, or several, and the number of pages that use it. */
type IntendedClaim = Pick<Args<"unlikely-reference">, "why" | "usual" | "times">;

interface ClaimUsage {
  number: number;
  kind: string;
  entity: string;
  /** The values and the key, each on a line. */
  text: string;
  pages: number;
}

/**
 * The claims whose key is probably a mistake, by their numbers:
 * - the claim of a single page differs by one edit from a usual claim with another key: two digits swapped, a letter
 *   left out;
 * - a few pages give one key the values that at least as many pages give another: a known subject under another id;
 * - a single page uses a key without values, and many pages use another one: a classification.
 */
export function likelyTypos(claims: Claims): Map<number, IntendedClaim> {
  const { texts } = claims;
  const pages = pagesOf(claims, texts.length);
  const ofEntity = new Map<string, number>();
  const usages: ClaimUsage[] = [];
  for (const [number, claim] of texts.entries()) {
    const count = pages[number] ?? 0;
    if (count === 0 || scopeOf(claim) !== undefined) continue;
    const entity = entityOf(claim);
    ofEntity.set(entity, (ofEntity.get(entity) ?? 0) + count);
    // The key is the last line, because keys that are addresses have the same beginning.
    const end = claim.indexOf("\n");
    usages.push({ number, kind: claim.slice(0, end), entity, text: claim.slice(end + 1), pages: count });
  }
  const suggestions = new Map<number, IntendedClaim>();
  for (const ofKind of grouped(usages, ({ kind }) => kind).values()) {
    const single = ofKind.filter(({ entity, pages: count }) => count === 1 && ofEntity.get(entity) === 1);
    const usual = ofKind.filter(({ pages: count }) => count >= MIN_USUAL_PAGES).sort(byPages);
    addSimilar(suggestions, single, usual);
    addSame(suggestions, ofKind);
    if (usual.length > 0) addUnknown(suggestions, single, ofKind);
  }
  return suggestions;
}

function addSimilar(
  suggestions: Map<number, IntendedClaim>,
  single: ClaimUsage[],
  usual: ClaimUsage[],
): void {
  const neighbourOf = neighbours(usual);
  for (const { number, text } of single) {
    const near = text.length < MIN_LENGTH ? undefined : neighbourOf(text);
    if (near !== undefined)
      suggestions.set(number, { why: "similar", usual: keyOf(near.text), times: near.pages });
  }
}

/** Two things may share a name: a name without values counts only against a usual claim. Ignores case. */
function addSame(suggestions: Map<number, IntendedClaim>, usages: ClaimUsage[]): void {
  const byValues = grouped(usages, ({ text }) => text.slice(0, -keyOf(text).length).toLowerCase());
  for (const [values, some] of byValues) {
    if (values === "" || values.startsWith("\n")) continue;
    const [usual, ...rest] = some.sort(byPages);
    const differing = rest.filter(({ text }) => keyOf(text) !== keyOf(usual?.text ?? ""));
    if (usual === undefined || (usual.pages < MIN_USUAL_PAGES && !/\n./s.test(values))) continue;
    for (const { number, pages } of differing) {
      if (pages >= MIN_USUAL_PAGES) continue;
      suggestions.set(number, { why: "same", usual: keyOf(usual.text), times: usual.pages });
      // If both have the same number of pages, either may be the mistake.
      if (pages === usual.pages)
        suggestions.set(usual.number, { why: "same", usual: keyOf(differing[0]?.text ?? ""), times: pages });
    }
  }
}

function addUnknown(
  suggestions: Map<number, IntendedClaim>,
  single: ClaimUsage[],
  usages: ClaimUsage[],
): void {
  const others = usages.filter(({ pages }) => pages > 1).sort(byPages);
  const usual = others
    .slice(0, MAX_NAMED)
    .map(({ text }) => text)
    .join(", ");
  const times = others.reduce((sum, { pages }) => sum + pages, 0);
  for (const { number, text } of single)
    if (!text.includes("\n")) suggestions.set(number, { why: "known", usual, times });
}

/** The claims of most pages first, then by text, so that the order does not depend on the order of reading. */
const byPages = (a: ClaimUsage, b: ClaimUsage): number => b.pages - a.pages || (a.text < b.text ? -1 : 1);

const keyOf = (text: string): string => text.slice(text.lastIndexOf("\n") + 1);

function pagesOf(claims: Claims, count: number): Uint32Array {
  const pages = new Uint32Array(count);
  const last = new Int32Array(count).fill(-1);
  const { entries, starts, counts } = claims;
  for (let file = 0; file < starts.length; file++) {
    const from = starts[file] as number;
    const to = from + (counts[file] as number);
    for (let k = from; k < to; k++) {
      const claim = entries[k] as number;
      if (last[claim] === file) continue;
      last[claim] = file;
      (pages[claim] as number)++;
    }
  }
  return pages;
}

/**
 * Finds the claim whose text is one edit from another; of several, the one with the most pages, then the first by text.
 * One edit leaves the beginning or the end of a text unchanged; both are a little shorter than half, because two swapped
 * characters may be in the middle.
 */
function neighbours(usual: readonly ClaimUsage[]): (text: string) => ClaimUsage | undefined {
  const starts = grouped(usual, ({ text }) => text.slice(0, halfOf(text.length)));
  const ends = grouped(usual, ({ text }) => text.slice(text.length - halfOf(text.length)));
  return (text) => {
    const { length } = text;
    const halves = [length - 1, length, length + 1].map(halfOf);
    const near = halves
      .flatMap((half) => [starts.get(text.slice(0, half)), ends.get(text.slice(length - half))])
      .flatMap((some) => some ?? [])
      .filter((one) => Math.abs(one.text.length - length) <= 1 && isOneEdit(one.text, text));
    return near.sort(byPages)[0];
  };
}

const halfOf = (length: number): number => Math.max(0, Math.floor(length / 2) - 1);

/** One edit: a character inserted, deleted or replaced, or two swapped. Addresses differ at their ends. */
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
