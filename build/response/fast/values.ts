import { forms } from "../../page/forms.ts";
import { checkFragment } from "../../page/html.ts";
import { STRING, type NumberPlan, type StringPlan } from "./plan.ts";
import { LEAVE } from "./scan.ts";

/** Judges single values by their plans: each throws LEAVE at what the other lane must decide. */

/** Of `$schema`. */
export const ANY_TEXT: StringPlan = {
  kind: STRING,
  form: undefined,
  required: false,
  html: false,
  nullable: false,
  occurring: undefined,
};

/** The text of a string literal with escapes, from its opening to behind its closing quotation mark. */
export function unescape(src: Buffer, start: number, end: number): string {
  try {
    const text = JSON.parse(src.toString("utf8", start, end)) as string;
    if (text.isWellFormed()) return text;
  } catch {
    // An escape that JSON does not have.
  }
  throw LEAVE;
}

export function judgeText({ required, form, occurring, html }: StringPlan, text: string): void {
  if (text === "") {
    if (required) throw LEAVE;
    return;
  }
  // One with escapes is no ordinary address.
  if (form === "media-url") throw LEAVE;
  if (form !== undefined && !forms[form].holds(text)) throw LEAVE;
  if (occurring !== undefined && !occurring.includes(text)) throw LEAVE;
  if (html && checkFragment(text).problems.length > 0) throw LEAVE;
}

export function judgeNumber({ integer, id, occurring }: NumberPlan, value: number): void {
  if (integer && !Number.isSafeInteger(value)) throw LEAVE;
  if (id && value < 1) throw LEAVE;
  if (occurring !== undefined && !occurring.includes(value)) throw LEAVE;
}
