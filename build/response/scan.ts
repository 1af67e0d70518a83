import { isAscii, isUtf8 } from "node:buffer";
import { isExact } from "../json/exact.ts";

/** Facts about a source that JSON.parse does not report. */
export interface Scan {
  /** The number of keys of all objects: a duplicate key is counted twice. */
  keys: number;
  /** The kinds of characters in the texts, as a sum of the flags below. */
  signs: number;
}

export const NON_ASCII = 1;
export const ESCAPE = 2;
/** Characters that can belong to HTML or Markdown in a plain text. */
export const MARKUP = 4;

const [QUOTE, BACKSLASH, COLON, MINUS, DOT, PLUS] = [0x22, 0x5c, 0x3a, 0x2d, 0x2e, 0x2b];

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

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
 * Scans a source for mistakes that JSON.parse accepts silently: bytes that are not UTF-8, duplicate keys, found by the
 * number of keys, and numbers that a double cannot represent exactly.
 *
 * @param text the source, with each byte as one character.
 * @returns undefined at bytes that are not UTF-8, at an inexact number, and at an escape of a character outside ASCII,
 *   which may be half a surrogate pair.
 */
export function scan(source: Buffer, text: string): Scan | undefined {
  const signs = signsOf(source, text);
  if ((signs & NON_ASCII) !== 0 && !isUtf8(source)) return undefined;
  const hasEscapes = (signs & ESCAPE) !== 0;
  if (hasEscapes && /\\u(?!00[0-7])/.test(text)) return undefined;
  let keys = 0;
  const end = source.length;
  for (let at = 0; at < end; at++) {
    const begins = BEGINS[source[at] as number];
    if (begins === 0) continue;
    if (begins === TEXT) at = endOfText(text, at, hasEscapes);
    else if (begins === VALUE) keys++;
    else {
      const start = at;
      let isPlain = source[at] !== MINUS;
      for (at++; at < end; at++) {
        const next = source[at] as number;
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

function signsOf(source: Buffer, text: string): number {
  let signs = isAscii(source) ? 0 : NON_ASCII;
  if (text.includes("\\")) signs |= ESCAPE;
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
