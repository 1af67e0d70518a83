import type * as z from "zod";
import { ids, occurring } from "../page/field.ts";

/*
 * The functions that a plan is composed of. Texts stay in latin1, one character for each byte of UTF-8, so that a text
 * that is only copied is never decoded.
 */

/** Thrown by `bail` if the full path must decide. */
export const BAIL_OUT = Symbol("bail out");

/** Checks a value from JSON.parse and adds its JSON to the pieces, both in latin1. */
export type Print = (value: unknown, out: string[]) => void;

export const bail: () => never = () => {
  throw BAIL_OUT;
};

/** Texts that need no escapes in JSON. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** A value's JSON, with each byte of its UTF-8 as one character. */
export function jsonOf(value: unknown): string {
  if (typeof value === "string" && PLAIN.test(value)) return `"${value}"`;
  const json = JSON.stringify(value);
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  return /^[\0-\x7f]*$/.test(json) ? json : Buffer.from(json).toString("latin1");
}

export function printed(print: Print, value: unknown): string {
  const out: string[] = [];
  print(value, out);
  return out.join("");
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
  (value, out) => {
    if (!Array.isArray(value)) bail();
    out.push("[");
    for (let i = 0; i < value.length; i++) {
      if (i > 0) out.push(",");
      item(value[i], out);
    }
    out.push("]");
  };

export const compileTuple =
  (items: Print[]): Print =>
  (value, out) => {
    if (!Array.isArray(value) || value.length !== items.length) bail();
    for (const [i, item] of items.entries()) {
      out.push(i === 0 ? "[" : ",");
      item(value[i], out);
    }
    out.push("]");
  };

export function compileNumber(at: z.ZodType): Print {
  const values = occurring.get(at)?.values;
  const isInteger = "format" in at.def;
  const least = ids.has(at) ? 1 : -Infinity;
  return (value, out) =>
    out.push(
      typeof value === "number" &&
        value >= least &&
        (!isInteger || Number.isSafeInteger(value)) &&
        (values === undefined || values.includes(value))
        ? `${value}`
        : bail(),
    );
}
