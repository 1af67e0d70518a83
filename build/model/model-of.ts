import type * as z from "zod";
import { marksOf } from "./field.ts";
import type { ObjectValue, ValueModel } from "./model.ts";
import { rulesFor } from "./rules.ts";

/* Makes the model of the program's own declarations, which are zod schemas. */

/** Zod's definition of a schema, as far as this project reads it. */
type Definition =
  | { type: "object"; shape: Record<string, z.ZodType> }
  | { type: "array"; element: z.ZodType }
  | { type: "tuple"; items: z.ZodType[] }
  | { type: "default" | "prefault" | "optional" | "nullable"; innerType: z.ZodType }
  | { type: "literal"; values: (string | number | boolean | null)[] }
  | { type: "enum"; entries: Record<string, string> }
  | { type: "string" | "number" | "boolean" | "null" | "unknown" | "never" };

const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition;

/** The schema without its defaults and null. A derived field is returned as it is. */
function within(schema: z.ZodType): z.ZodType {
  const definition = definitionOf(schema);
  return "innerType" in definition && marksOf(schema).derived === undefined
    ? within(definition.innerType)
    : schema;
}

function valueModelOf(declared: z.ZodType): ValueModel {
  const at = within(declared);
  const { derived, open, ...marks } = { ...marksOf(at), ...marksOf(declared) };
  // Without JIT: each declaration parses only a few values.
  const parse = (value: unknown) => declared.safeParse(value, { jitless: true });
  const omitted = derived === undefined ? parse(undefined) : undefined;
  const facts = {
    ...marks,
    description: declared.description ?? at.description ?? derived?.response.description ?? "",
    isNullable: derived === undefined && open === undefined && parse(null).success,
    isRequired: omitted?.success === false,
    empty: definitionOf(declared).type === "prefault" ? {} : omitted?.data,
  };
  if (derived !== undefined)
    return { ...facts, kind: "derived", row: derived.row, response: valueModelOf(derived.response) };
  if (open !== undefined) return { ...facts, kind: "open", ...open };
  const definition = definitionOf(at);
  switch (definition.type) {
    case "string":
      return { ...facts, kind: "text", mayBeEmpty: at.safeParse("", { jitless: true }).success };
    case "number":
      return { ...facts, kind: "number", isInteger: "format" in at.def };
    case "boolean":
      return { ...facts, kind: "boolean" };
    case "literal":
      return { ...facts, kind: "literal", values: definition.values };
    case "enum":
      return { ...facts, kind: "literal", values: Object.values(definition.entries), isEnum: true };
    case "null":
      return { ...facts, kind: "literal", values: [null], isNullable: false };
    case "array":
      return { ...facts, kind: "list", element: valueModelOf(definition.element) };
    case "tuple":
      return { ...facts, kind: "tuple", items: definition.items.map(valueModelOf) };
    case "object": {
      const fields = new Map(Object.entries(definition.shape).map(([name, of]) => [name, valueModelOf(of)]));
      return { ...facts, kind: "object", fields, rules: rulesFor(fields) };
    }
    default:
      throw new Error(`a field cannot be declared as ${definition.type}`);
  }
}

export function objectModel(declared: z.ZodType): ObjectValue {
  const model = valueModelOf(declared);
  if (model.kind !== "object") throw new Error("an object is declared as another value");
  return model;
}
