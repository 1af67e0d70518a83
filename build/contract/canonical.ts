import { isObject } from "../json/object.ts";
import type { JsonSchema } from "./translate.ts";

/** Any JSON Schema. The values of its keywords may have wrong types. */
export type Schema = boolean | Record<string, unknown>;

/** Keywords that refuse no value. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  "$comment",
  "$id",
  "$schema",
  "default",
  "deprecated",
  "description",
  "enumDescriptions",
  "errorMessage",
  "examples",
  "patternErrorMessage",
  "readOnly",
  "title",
  "writeOnly",
]);

const SCHEMAS_BY_NAME = new Set([
  "$defs",
  "definitions",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);
const SCHEMAS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const SCHEMA = new Set([
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const SETS = new Set(["enum", "required", "type"]);

export const isSchema = (value: unknown): value is Schema => typeof value === "boolean" || isObject(value);

/** A schema as text, without annotations and in a fixed order: schemas with the same text accept the same values. */
export function canonical(schema: unknown): string {
  if (!isObject(schema)) return orderedText(schema);
  const keywords = Object.keys(schema)
    .filter((key) => !ANNOTATIONS.has(key) && schema[key] !== undefined)
    .sort();
  return `{${keywords.map((key) => `${JSON.stringify(key)}:${keyword(key, schema[key])}`).join()}}`;
}

function keyword(key: string, value: unknown): string {
  if (SCHEMAS_BY_NAME.has(key) && isObject(value))
    return `{${Object.keys(value)
      .sort()
      .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
      .join()}}`;
  if (SCHEMAS.has(key) && Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (SCHEMA.has(key)) return canonical(value);
  return SETS.has(key) && Array.isArray(value)
    ? `[${value.map(orderedText).sort().join()}]`
    : orderedText(value);
}

/** A value as text, whatever the order of its keys: equal values have the same text. */
export const orderedText = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  ) ?? "undefined";

/**
 * The schema as applied by a client that ignores unknown fields: the contract allows new fields at any time. Parts
 * that may refuse a value because it matches (`not`, `oneOf`, `if`) stay unchanged.
 */
export function ignoringUnknownFields(schema: Schema): Schema {
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (key === "additionalProperties" && value === false) return [];
      if (key === "properties" && isObject(value))
        return [[key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, opened(one)]))]];
      if (["allOf", "anyOf", "prefixItems"].includes(key) && Array.isArray(value))
        return [[key, value.map(opened)]];
      return [[key, key === "items" || key === "additionalProperties" ? opened(value) : value]];
    }),
  );
}

const opened = (value: unknown): unknown => (isSchema(value) ? ignoringUnknownFields(value) : value);

export const asSchema = (schema: JsonSchema): Schema => schema as Record<string, unknown>;
