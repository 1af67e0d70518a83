import type { Correction } from "../entry.ts";

/** The hints of `wrong-type`: the value that is meant, or an example. */

const VALUE_IN_TEXT = /^the text “(-?\d+(?:\.\d+)?|true|false)”$/;

/** Values that people write for true and for false. */
const TRUE = /^the (?:text “(?:true|yes|on|y)”|number 1)$/i;
const FALSE = /^the (?:text “(?:false|no|off|n)”|number 0)$/i;

/** For a value that was written differently: an object, or a list. “…” replaces unknown values. */
export interface Example {
  written: string;
  /** The kind and a search word, as arguments of `npx page-api new --list`. */
  list?: string;
}

export const exampleHint = (begin: string, { written, list }: Example): string =>
  list === undefined
    ? `${begin}${written}`
    : `${begin}${written}. To see those that the site has, run: npx page-api new --list ${list}`;

/** A year among words: `c.1857`. */
const YEAR_IN_TEXT = /^the text “\D*([12]\d{3})\D*”$/;

const TYPE_IN_TEXT = /^the text “(\w+\.\w+)”$/;

export interface WrongType {
  field: string;
  found: string;
  expected: string;
  example?: Example | undefined;
}

/** The number, true or false that a value of another type means, as it is written. */
function valueMeant({ found, expected }: WrongType): string | undefined {
  const value = VALUE_IN_TEXT.exec(found)?.[1];
  if (value !== undefined && expected.endsWith(/\d/.test(value) ? "number" : "true or false")) return value;
  if (expected !== "true or false") return undefined;
  return TRUE.test(found) ? "true" : FALSE.test(found) ? "false" : undefined;
}

export function typeCorrection(args: WrongType): Correction | undefined {
  const value = valueMeant(args);
  if (value === undefined) return undefined;
  if (value === "true" || value === "false") return { write: value === "true" };
  const number = Number(value);
  return String(number) === value ? { write: number } : undefined;
}

export function typeHint(args: WrongType): string {
  const { field, found, expected, example } = args;
  const type = field === "meta" ? TYPE_IN_TEXT.exec(found)?.[1] : undefined;
  if (type !== undefined) return `Write {"type": "${type}"} instead.`;
  const value = valueMeant(args);
  if (value !== undefined) return `Write ${value}, without quotation marks.`;
  const year = expected === "a whole number" ? YEAR_IN_TEXT.exec(found)?.[1] : undefined;
  if (year !== undefined) return `Write ${year}, without quotation marks. Words belong in a field for texts.`;
  if (field !== "meta" && example !== undefined && found !== "null") return exampleHint("Write ", example);
  if (expected.startsWith("a text") && /^(the number|true|false)/.test(found))
    return "Put it in quotation marks.";
  if (expected.startsWith("a list") && found === "an object") return "Put it in square brackets: [{…}].";
  if (expected === "true or false") return "Write true or false, in lowercase and without quotation marks.";
  if (found === "null" && field !== "meta.type")
    return `Write ${expected}, or leave the field out if it is not required.`;
  return `Write ${expected}.`;
}
