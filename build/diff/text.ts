import { printableJson } from "../findings/printable.ts";
import type { FieldChange } from "./fields.ts";

/** A text is shown whole up to so many characters. */
const WHOLE = 120;
/** Of a longer one, so many on either side of what differs. */
const CONTEXT = 40;
/** Where that is still long, so many at its beginning and at its end. */
const HALF = 140;

/** The values of a change as JSON on one line each; long ones are cut around what differs. */
export function shownChange(change: FieldChange): { old?: string; new?: string } {
  const [old, now] = [printed(change, "old"), printed(change, "new")];
  const [start, end] = old === undefined || now === undefined ? [0, 0] : common(old, now);
  return {
    ...(old === undefined ? {} : { old: cut(old, start, end) }),
    ...(now === undefined ? {} : { new: cut(now, start, end) }),
  };
}

const printed = (change: FieldChange, side: "old" | "new"): string | undefined =>
  Object.hasOwn(change, side) ? printableJson(change[side]) : undefined;

/** How much two texts have in common at their beginnings and at their ends. */
function common(a: string, b: string): [start: number, end: number] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [start, end];
}

function cut(text: string, start: number, end: number): string {
  if (text.length <= WHOLE) return text;
  const from = start <= CONTEXT ? 0 : whole(text, start - CONTEXT);
  const to = end <= CONTEXT ? text.length : whole(text, text.length - end + CONTEXT);
  const shown =
    to - from <= 2 * HALF
      ? text.slice(from, to)
      : `${text.slice(from, whole(text, from + HALF))}…${text.slice(whole(text, to - HALF), to)}`;
  return `${from > 0 ? "…" : ""}${shown}${to < text.length ? "…" : ""}`;
}

/** The nearest place at or before `at` that is not inside a character. */
const whole = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? "") ? at - 1 : at);
