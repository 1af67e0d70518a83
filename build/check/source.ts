import { isAscii, isUtf8 } from "node:buffer";
import { MAX_UNIT_BYTES } from "../base/columns.ts";
import { ownPeriod, livePeriod } from "../model/schedule.ts";
import type { Site } from "../model/site.ts";
import { type Parent, detailUrl } from "../model/tree.ts";
import { endOfText } from "../source/json/locate.ts";
import { MAX_VALUES, tooLarge, parseJson, isExact } from "../source/json/parse.ts";
import type { SourceBytes } from "../source/read.ts";
import type { ClaimCollector } from "./claims.ts";
import {
  type ParsedQuickly,
  PageChecker,
  type CheckerOptions,
  type PagePosition,
  type CheckedPage,
} from "./page.ts";
import { ESCAPE, MARKUP, WIDE } from "./state.ts";

/** Maximum bytes of a source: with fewer, it cannot exceed `MAX_VALUES`, so values need not be counted. */
const MAX_BYTES = 2 * MAX_VALUES;

/** The length of the buffer in which JSON is encoded, if it fits. */
const BUFFER_LENGTH = 1 << 17;

/** Kept for all checkers, because two versions of a site may have the same source. */
let last: { bytes: Buffer; parsed: ParsedQuickly | undefined } | undefined;

/**
 * Checks sources by their bytes. JSON.parse reads most of them; the strict parser reads those with mistakes that
 * JSON.parse would not report or would report without a place.
 */
export class SourceChecker {
  private readonly claims: ClaimCollector | undefined;
  private readonly checker: PageChecker;
  private readonly out = Buffer.allocUnsafeSlow(BUFFER_LENGTH);

  /** @param options `claims` receives the claims of the page that was checked last. */
  constructor(options: CheckerOptions & { claims?: ClaimCollector }) {
    this.claims = options.claims;
    this.checker = new PageChecker({ ...options, encode: (json) => this.asBytes(json) });
  }

  /** @param source if its bytes are the same buffer as before, they are not parsed again. */
  check({ file, bytes, size }: SourceBytes, at?: PagePosition): CheckedPage {
    this.claims?.rollBack();
    if (bytes === undefined) return this.checker.check(tooLarge(file, size));
    if (last?.bytes !== bytes) last = { bytes, parsed: parseQuickly(bytes) };
    const { parsed } = last;
    const checked = parsed && this.checker.checkQuickly(file, parsed, at);
    if (checked !== undefined) return checked;
    this.claims?.rollBack();
    return this.checker.check(parseJson(file, bytes), at);
  }

  /** The bytes of a response, valid until the next call, also of `check`. */
  encode(response: string): Buffer {
    if (response.length > BUFFER_LENGTH) return Buffer.from(response, "latin1");
    return this.out.subarray(0, this.out.write(response, "latin1"));
  }

  /**
   * JSON in UTF-8, as a text with a character for each byte: V8 would take two bytes for each character of a response that
   * has one dash, and twice the time to encode it.
   */
  private asBytes(json: string): string {
    if (!/[^\0-\x7f]/.test(json)) return json;
    if (MAX_UNIT_BYTES * json.length > BUFFER_LENGTH) return Buffer.from(json).toString("latin1");
    return this.out.toString("latin1", 0, this.out.write(json));
  }
}

/** Undefined if the source has a mistake, or may have one that JSON.parse accepts silently. */
function parseQuickly(bytes: Buffer): ParsedQuickly | undefined {
  if (bytes.length >= MAX_BYTES) return undefined;
  const isWide = !isAscii(bytes);
  if (isWide && !isUtf8(bytes)) return undefined;
  // With a character for each byte, texts are searched and parsed faster.
  const text = bytes.toString("latin1");
  const hasEscapes = text.includes("\\");
  // A character outside ASCII may be half a surrogate pair; behind a backslash, it is a mistake.
  if (hasEscapes && /\\(?:u(?!00[0-7])|[^\0-\x7f])/.test(text)) return undefined;
  const keys = countKeys(bytes, text, hasEscapes);
  if (keys === undefined) return undefined;
  const signs = signsIn(text, hasEscapes, isWide);
  try {
    const value: unknown = JSON.parse(isWide ? bytes.toString() : text);
    return { text: () => bytes.toString(), value, keys, signs };
  } catch {
    return undefined;
  }
}

function signsIn(text: string, hasEscapes: boolean, isWide: boolean): number {
  // An escape can be “<”.
  const hasMarkup =
    (hasEscapes && text.includes("\\u")) || ["<", "&", "*", "]("].some((sign) => text.includes(sign));
  return (hasEscapes ? ESCAPE : 0) | (hasMarkup ? MARKUP : 0) | (isWide ? WIDE : 0);
}

const [QUOTE, COLON, MINUS, DOT, PLUS] = [0x22, 0x3a, 0x2d, 0x2e, 0x2b];

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
 * Counts the keys of all objects, because JSON.parse accepts duplicate keys silently. Undefined if there is a
 * number that a double cannot represent exactly.
 *
 * @param text the bytes, with a character for each.
 */
function countKeys(bytes: Buffer, text: string, hasEscapes: boolean): number | undefined {
  let keys = 0;
  const end = bytes.length;
  for (let at = 0; at < end; at++) {
    const begins = BEGINS[bytes[at] as number];
    if (begins === 0) continue;
    if (begins === TEXT) {
      at = endOfText(text, at + 1, hasEscapes);
      if (bytes[at + 1] !== COLON) continue;
      keys++;
      at++;
    } else if (begins === VALUE) keys++;
    else {
      const start = at;
      let isInteger = bytes[at] !== MINUS;
      for (at++; at < end; at++) {
        const next = bytes[at] as number;
        if (isDigit(next)) continue;
        if (next !== DOT && next !== MINUS && next !== PLUS && (next | 0x20) !== 0x65) break;
        isInteger = false;
      }
      if (!isInteger || at - start > MAX_EXACT_DIGITS) {
        const written = bytes.toString("latin1", start, at);
        if (!isExact(written, Number(written))) return undefined;
      }
      at--;
    }
  }
  return keys;
}

export function asParent(
  { page, type, address }: CheckedPage,
  at: PagePosition,
  site: Site | undefined,
): Parent {
  const parent: Parent = { address: address ?? "" };
  if (type !== undefined) parent.type = type;
  if (page !== undefined && site !== undefined && address !== undefined && type !== undefined)
    parent.summary = {
      id: page.id,
      meta: { type, detail_url: detailUrl(site, page.id), html_url: address },
      title: page.title,
    };
  const own = page && ownPeriod(page.meta);
  const live = livePeriod(own, at.parent === "root" ? undefined : at.parent?.live);
  if (live !== undefined) parent.live = live;
  return parent;
}
