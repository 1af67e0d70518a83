import { isExact } from "../json/exact.ts";
import { ESCAPE, MARKUP } from "./state.ts";

/** Facts about a source that JSON.parse does not report. */
export interface Scan {
  /** The number of keys of all objects: a duplicate key is counted twice. */
  keys: number;
  /** The kinds of characters in the texts, as a sum of flags. */
  signs: number;
}

const [QUOTE, BACKSLASH, COLON, MINUS, DOT, PLUS] = [0x22, 0x5c, 0x3a, 0x2d, 0x2e, 0x2b];

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** What each byte outside a text begins. */
const [TEXT, VALUE, NUMBER] = [1, 2, 3];
const BEGINS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === QUOTE) return TEXT;
  if (byte === COLON) return VALUE;
  return byte === MINUS || isDigit(byte) ? NUMBER : 0;
});

/** Maximum number of digits that a double always represents exactly. */
const MAX_EXACT_DIGITS = String(Number.MAX_SAFE_INTEGER).length - 1;

/**
 * Scans a source, given as its bytes and as a text with one character for each byte, for mistakes that JSON.parse accepts silently: duplicate keys, found by the number of keys, and numbers
 * that a double cannot represent exactly.
 *
 * @returns undefined at an inexact number, and at an escape of a character outside ASCII, which may be half a surrogate
 *   pair.
 */
export function scan(bytes: Uint8Array, text: string): Scan | undefined {
  const signs = signsOf(text);
  const hasEscapes = (signs & ESCAPE) !== 0;
  if (hasEscapes && /\\u(?!00[0-7])/.test(text)) return undefined;
  let keys = 0;
  const end = bytes.length;
  for (let at = 0; at < end; at++) {
    const begins = BEGINS[bytes[at] as number];
    if (begins === 0) continue;
    if (begins === TEXT) at = endOfText(text, at, hasEscapes);
    else if (begins === VALUE) keys++;
    else {
      const start = at;
      let isPlain = bytes[at] !== MINUS;
      for (at++; at < end; at++) {
        const next = bytes[at] as number;
        if (isDigit(next)) continue;
        if (next !== DOT && next !== MINUS && next !== PLUS && (next | 0x20) !== 0x65) break;
        isPlain = false;
      }
      if (!isPlain || at - start > MAX_EXACT_DIGITS) {
        const written = text.slice(start, at);
        if (!isExact(written, Number(written))) return undefined;
      }
      at--;
    }
  }
  return { keys, signs };
}

function signsOf(text: string): number {
  const signs = text.includes("\\") ? ESCAPE : 0;
  // An escape can be “<”.
  const hasMarkup = ["<", "&", "*", "](", "\\u"].some((sign) => text.includes(sign));
  return hasMarkup ? signs | MARKUP : signs;
}

/** The offset of the quotation mark that ends a text; the source's length if none does. */
function endOfText(text: string, start: number, hasEscapes: boolean): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    if (!hasEscapes) return at;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
}
