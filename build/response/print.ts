import type * as z from "zod";
import { encoded } from "../json/latin1.ts";
import { ids, occurring } from "../page/field.ts";

/*
 * The functions that a plan is composed of. Texts stay in latin1, one character for each byte of UTF-8, so that a text
 * that is only copied is never decoded.
 */

/** Thrown by `bail` if the full path must decide. */
export const BAIL_OUT = Symbol("bail out");

/** Checks a value from JSON.parse and returns its JSON, both in latin1. Texts are joined by V8 when the page is written. */
export type Print = (value: unknown) => string;

export const bail: () => never = () => {
  throw BAIL_OUT;
};

/** Texts that need no escapes in JSON. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** A value's JSON, with each byte of its UTF-8 as one character. */
export function jsonOf(value: unknown): string {
  if (typeof value === "string" && PLAIN.test(value)) return `"${value}"`;
  return encoded(JSON.stringify(value));
}

export const hasSpaceAround = (text: string): boolean => {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  // 0xc2 0xa0 is a no-break space in UTF-8.
  return (
    first === 0x20 || first === 0x09 || first === 0xc2 || last === 0x20 || last === 0x09 || last === 0xa0
  );
};

export const compileArray =
  (item: Print): Print =>
  (value) => {
    if (!Array.isArray(value)) bail();
    let json = "[";
    for (let i = 0; i < value.length; i++) json += i === 0 ? item(value[i]) : `,${item(value[i])}`;
    return `${json}]`;
  };

export const compileTuple =
  (items: Print[]): Print =>
  (value) => {
    if (!Array.isArray(value) || value.length !== items.length) bail();
    return `[${items.map((item, i) => item(value[i])).join(",")}]`;
  };

export function compileNumber(at: z.ZodType): Print {
  const values = occurring.get(at)?.values;
  const isInteger = "format" in at.def;
  const least = ids.has(at) ? 1 : -Infinity;
  return (value) =>
    typeof value === "number" &&
    value >= least &&
    (!isInteger || Number.isSafeInteger(value)) &&
    (values === undefined || values.includes(value))
      ? `${value}`
      : bail();
}
