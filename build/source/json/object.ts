import { shortened } from "../../base/shortened.ts";
import type { Path } from "./node.ts";

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of a JSON text; undefined if the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object in a JSON text; undefined if the text is not JSON, or another value. */
export function objectIn(text: string): JsonObject | undefined {
  const value = jsonIn(text);
  return isObject(value) ? value : undefined;
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (Array.isArray(at)) at = at[Number(step)];
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[String(step)];
    else return undefined;
  }
  return at;
}

/** A value in words, for messages: “the text “…””, “a list”. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value !== "string") return String(value);
  return value === "" ? "an empty text" : `the text “${shortened(value, 40)}”`;
}

/** Whether an object has just these fields, in this order: V8 reads them faster in their own order than by their names. */
export function hasFields(object: JsonObject, names: readonly string[], values: readonly unknown[]): boolean {
  let k = 0;
  for (const name in object) {
    if (object[name] !== values[k] || name !== names[k]) return false;
    k++;
  }
  return k === values.length;
}
