import * as z from "zod";
import {
  definitionOf,
  derivedFields,
  derivedTexts,
  formatOf,
  htmlFields,
  ids,
  names,
  neverEmptyLists,
  occurring,
  unspecified,
  within,
} from "../page/field.ts";
import { formats } from "../page/formats.ts";

/**
 * The parts of JSON Schema that this project writes (sources: draft 7, responses: 2020-12), with VS Code's
 * extensions.
 */
export interface JsonSchema {
  title?: string;
  description?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema | true>;
  required?: string[];
  additionalProperties?: boolean;
  items?: JsonSchema | JsonSchema[] | false;
  prefixItems?: JsonSchema[];
  minItems?: number;
  maxItems?: number;
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  default?: unknown;
  pattern?: string;
  minLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  not?: JsonSchema;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  if?: JsonSchema;
  then?: JsonSchema;
  $defs?: Record<string, JsonSchema>;
  $ref?: string;
  $id?: string;
  $schema?: string;
  /** For VS Code: a description of each value of `enum`, and messages. */
  enumDescriptions?: string[];
  patternErrorMessage?: string;
  errorMessage?: string;
}

/** The version of JSON Schema that VS Code reads. */
export const DRAFT = "http://json-schema.org/draft-07/schema#";
/** The version of JSON Schema that OpenAPI 3.1 uses. */
export const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * `input` is a source, as an editor writes it. `output` is a response, as a client reads it, with standard keywords
 * only.
 */
type Direction = "input" | "output";

/** A schema of a source or of a response as JSON Schema. */
export function translate(schema: z.ZodType, io: Direction): JsonSchema {
  const target = io === "input" ? "draft-07" : "draft-2020-12";
  const json = z.toJSONSchema(schema, { io, target, unrepresentable: "any" }) as JsonSchema;
  delete json.$schema;
  complete(schema, json, io);
  return json;
}

/**
 * Completes zod's translation with everything that zod cannot express: formats, ids, derived fields, descriptions for
 * editors.
 */
function complete(schema: z.ZodType, json: JsonSchema, io: Direction): void {
  const at = within(schema);
  const definition = definitionOf(at);
  const description = hover(schema, at, io);
  if (description !== "") json.description = description;
  const name = names.get(at)?.name;
  if (name !== undefined && io === "output") json.title = name;
  const values = occurring.get(at)?.values;
  if (values !== undefined) json.examples = [...values];
  if (ids.has(at)) {
    delete json.exclusiveMinimum;
    json.minimum = 1;
  }
  if (definition.type === "object") {
    for (const [key, field] of Object.entries(definition.shape)) {
      const property = json.properties?.[key];
      if (derivedFields.has(field)) delete json.properties?.[key];
      else if (typeof property === "object") {
        complete(field, property, io);
        if (io === "output") property.description ??= "The API contract specifies only its type.";
      }
    }
    const texts = io === "output" ? derivedTextsOf(definition.shape) : [];
    if (texts.length > 0) json.allOf = texts;
  } else if (definition.type === "array" && json.items && !Array.isArray(json.items)) {
    complete(definition.element, json.items, io);
    if (neverEmptyLists.has(at)) json.minItems = 1;
  } else if (definition.type === "tuple") {
    const items = json.prefixItems ?? (Array.isArray(json.items) ? json.items : []);
    for (const [i, item] of items.entries()) complete(definition.items[i] ?? z.unknown(), item, io);
  } else if (definition.type === "string") {
    completeText(at, json, io);
  } else if (definition.type === "custom") {
    json.type = "object";
  }
}

/** For a text derived from one field: the text for each value that is known to occur in the field. */
function derivedTextsOf(shape: Record<string, z.ZodType>): JsonSchema[] {
  return Object.entries(shape).flatMap(([key, field]) => {
    const row = derivedTexts.get(field);
    const [from = "", ...others] = row?.fields ?? [];
    const known = shape[from] === undefined ? undefined : occurring.get(within(shape[from]));
    if (row === undefined || known === undefined || others.length > 0) return [];
    return known.values.map((value) => ({
      if: { properties: { [from]: { const: value } } },
      then: { properties: { [key]: { const: row.text([value]) } } },
    }));
  });
}

function completeText(schema: z.ZodType, json: JsonSchema, io: Direction): void {
  const form = formatOf.get(schema)?.format;
  const mayBeEmpty = schema.safeParse("").success;
  if (form === undefined) {
    if (!mayBeEmpty) json.minLength = 1;
    return;
  }
  const { pattern, expected, example } = formats[form];
  json.pattern = mayBeEmpty ? `^$|${pattern}` : pattern;
  if (io === "input") json.patternErrorMessage = `Expected ${expected}, for example ${example}`;
}

/** The text that an editor, or a client's developer, reads when pointing at a field. */
function hover(schema: z.ZodType, at: z.ZodType, io: Direction): string {
  const isWritten = io === "input";
  const parts = schema.description === undefined ? [] : [schema.description];
  const form = formatOf.get(at)?.format;
  if (form !== undefined)
    parts.push(
      `${isWritten ? "Write" : "It is"} ${formats[form].expected}, such as ${formats[form].example}`,
    );
  if (htmlFields.has(at)) parts.push("HTML: paragraphs, emphasis, lists and links.");
  if (unspecified.has(at))
    parts.push(`${isWritten ? "Leave it out: the" : "The"} API contract does not specify its value.`);
  return parts.join(" ");
}
