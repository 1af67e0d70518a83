import { fieldChanges, type FieldChange } from "../json/changes.ts";

/*
 * Responses are compared as bytes before any of them is parsed. Most of a moved page is unchanged, so only the
 * members up to the last difference are parsed.
 */

/** The differences between two responses, field by field. */
export function responseChanges(before: Buffer, after: Buffer): FieldChange[] {
  if (before.equals(after)) return [];
  const shared = sharedEnd(before, after);
  const ends = [memberEnd(before, before.length - shared), memberEnd(after, after.length - shared)] as const;
  // The bytes after both ends, and therefore the members, are the same.
  const isSame = before.length - ends[0] === after.length - ends[1];
  return isSame
    ? fieldChanges(valueUpTo(before, ends[0]), valueUpTo(after, ends[1]))
    : fieldChanges(valueUpTo(before, before.length), valueUpTo(after, after.length));
}

const valueUpTo = (response: Buffer, end: number): unknown =>
  JSON.parse(response.toString("utf8", 0, end) + (end < response.length ? "}" : ""));

/** Number of bytes that are compared at a time. */
const STEP = 256;

/** Number of equal bytes at their ends. */
function sharedEnd(one: Buffer, other: Buffer): number {
  const shorter = Math.min(one.length, other.length);
  let shared = 0;
  for (let more = STEP; more <= shorter; more += STEP) {
    const [start, end] = [other.length - more, other.length - shared];
    if (one.compare(other, start, end, one.length - more, one.length - shared) !== 0) break;
    shared = more;
  }
  while (shared < shorter && one[one.length - 1 - shared] === other[other.length - 1 - shared]) shared++;
  return shared;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** `{` and `}`; without `BRACE_BIT` they are `[` and `]`. */
const OPEN = 0x7b;
const CLOSE = 0x7d;
const BRACE_BIT = 0x20;

/**
 * The end of the first member of a compact JSON object that ends at `from` or after it: a comma, or the object's own
 * end.
 */
function memberEnd(json: Buffer, from: number): number {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) {
      if (depth === 1 && at >= from) return at;
    } else if ((byte | BRACE_BIT) === OPEN) depth++;
    else if ((byte | BRACE_BIT) === CLOSE) depth--;
  }
  return json.length;
}
