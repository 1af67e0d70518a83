import { forms, type Form } from "../../page/forms.ts";
import { checkFragment } from "../../page/html.ts";
import { textProblem } from "../../page/texts.ts";
import { STRING, type NumberPlan, type StringPlan } from "./plan.ts";
import { BAIL_OUT } from "./cursor.ts";

/** Judges single values by their plans: each throws BAIL_OUT at what the full path must decide. */

/** Of `$schema`. */
export const ANY_TEXT: StringPlan = {
  kind: STRING,
  form: undefined,
  required: false,
  html: false,
  nullable: false,
  occurring: undefined,
  plain: false,
  title: false,
};

/** The text of a string literal with escapes, from its opening to behind its closing quotation mark. */
export function unescape(src: Buffer, start: number, end: number): string {
  try {
    const text = JSON.parse(src.toString("utf8", start, end)) as string;
    if (text.isWellFormed()) return text;
  } catch {
    // An escape that JSON does not have.
  }
  throw BAIL_OUT;
}

export function judgeText(plan: StringPlan, text: string): void {
  const { required, form, occurring, html, plain, title } = plan;
  if (text === "") {
    if (required) throw BAIL_OUT;
    return;
  }
  // One with escapes is no ordinary address.
  if (form === "media-url") throw BAIL_OUT;
  const rules: Form | undefined = form && forms[form];
  if (rules !== undefined && (!rules.holds(text) || rules.unlikely?.(text) !== undefined)) throw BAIL_OUT;
  if (plain && textProblem(text, title) !== undefined) throw BAIL_OUT;
  if (occurring !== undefined && !occurring.includes(text)) throw BAIL_OUT;
  if (html && checkFragment(text).problems.length > 0) throw BAIL_OUT;
}

export function judgeNumber({ integer, id, occurring }: NumberPlan, value: number): void {
  if (integer && !Number.isSafeInteger(value)) throw BAIL_OUT;
  if (id && value < 1) throw BAIL_OUT;
  if (occurring !== undefined && !occurring.includes(value)) throw BAIL_OUT;
}
