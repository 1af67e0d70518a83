import { isExact } from "../json/exact.ts";

/** Facts about a source that JSON.parse does not report. */
export interface Scan {
  /** The number of keys of all objects: a duplicate key is counted twice. */
  keys: number;
  /** The kinds of characters in the texts, as a sum of the flags below. */
  signs: number;
}

export const NON_ASCII = 1;
// internal: any other bit would do
export const ESCAPE = 2;
/** Characters that can belong to HTML or Markdown in a plain text. */
// internal: any other bit would do
export const MARKUP = 4;

const [SPACE, QUOTE, BACKSLASH, COLON, MINUS, DOT, PLUS, LETTER_U] = [
  0x20, 0x22, 0x5c, 0x3a, 0x2d, 0x2e, 0x2b, 0x75,
];

/** The end of a text. */
// internal: any other bit would do
const END = 8;

const SIGNS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return NON_ASCII;
  if (byte === QUOTE) return END;
  if (byte === BACKSLASH) return ESCAPE;
  return "<&*]".includes(String.fromCharCode(byte)) ? MARKUP : 0;
});

/** Maximum number of digits that a double always represents exactly. */
const MAX_EXACT_DIGITS = 15;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/**
 * Scans the bytes of a source for mistakes that JSON.parse accepts silently: duplicate keys, found by the number of keys,
 * and numbers that a double cannot represent exactly.
 *
 * @returns undefined at such a number, and at an escape of a character outside ASCII, which may be half a surrogate pair.
 */
export function scan(source: Buffer): Scan | undefined {
  let keys = 0;
  let signs = 0;
  const end = source.length;
  for (let at = 0; at < end; at++) {
    const byte = source[at] as number;
    if (byte <= SPACE) continue;
    if (byte === QUOTE) {
      for (at++; at < end; at++) {
        const sign = SIGNS[source[at] as number] as number;
        if (sign === 0) continue;
        if (sign === END) break;
        signs |= sign;
        if (sign !== ESCAPE || source[++at] !== LETTER_U) continue;
        const escaped = source.toString("latin1", at + 1, at + 5);
        if (!/^00[0-7]/.test(escaped)) return undefined;
        // An escaped “<” is markup too.
        signs |= MARKUP;
      }
    } else if (byte === COLON) keys++;
    else if (byte === MINUS || isDigit(byte)) {
      const start = at;
      let isPlain = byte !== MINUS;
      for (at++; at < end; at++) {
        const next = source[at] as number;
        if (isDigit(next)) continue;
        if (next !== DOT && next !== MINUS && next !== PLUS && (next | 0x20) !== 0x65) break;
        isPlain = false;
      }
      if (!isPlain || at - start > MAX_EXACT_DIGITS) {
        const written = source.toString("latin1", start, at);
        if (!isExact(written, Number(written))) return undefined;
      }
      at--;
    }
  }
  return { keys, signs };
}
