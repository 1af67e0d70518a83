import type * as z from "zod";
import { definitionOf, unspecified, within } from "../../build/page/field.ts";
import type { Path } from "../../build/json/node.ts";

/** A piece of JSON that is written into a source as it is. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The members of an object, two of which may have the same name. */
export class Members {
  readonly entries: [name: string, value: unknown][];
  constructor(entries: [name: string, value: unknown][]) {
    this.entries = entries;
  }
}

export function print(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(print).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = value instanceof Members ? value.entries : Object.entries(value);
  return `{${entries.map(([name, member]) => `${JSON.stringify(name)}: ${print(member)}`).join(", ")}}`;
}

/** A copy of a value with another value at a path. */
export function planted(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value))
    return value.map((item: unknown, i) => (i === step ? planted(item, rest, by) : item));
  const fields = value as Record<PropertyKey, unknown>;
  return { ...fields, [step]: planted(fields[step], rest, by) };
}

/** A value inside a source, with its schema. */
export interface Spot {
  path: Path;
  schema: z.ZodType;
  value: unknown;
}

/** All values of a source, including the source itself. */
export function* spotsIn(schema: z.ZodType, value: unknown, path: Path = []): Generator<Spot> {
  const at = within(schema);
  const definition = definitionOf(at);
  yield { path, schema, value };
  if (unspecified.has(at)) return;
  if (definition.type === "object") {
    const fields = value as Record<string, unknown>;
    for (const name of Object.keys(fields))
      yield* spotsIn(definition.shape[name] as z.ZodType, fields[name], [...path, name]);
  } else if (definition.type === "array" || definition.type === "tuple") {
    for (const [i, item] of (value as unknown[]).entries())
      yield* spotsIn(
        definition.type === "array" ? definition.element : (definition.items[i] as z.ZodType),
        item,
        [...path, i],
      );
  }
}

/** The name of a position: the same for all elements of a list, and different for the items of a tuple. */
export const placeName = (path: Path): string =>
  path
    .map((step, i) =>
      typeof step !== "number" ? `.${String(step)}` : typeof path[i - 1] === "number" ? `[${step}]` : "[]",
    )
    .join("");
