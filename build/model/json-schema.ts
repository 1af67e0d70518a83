import type { TextOf } from "./derive.ts";
import { formats, type Format } from "./formats.ts";
import { SHOWABLE } from "./reference.ts";
import {
  formatOf,
  type Limits,
  type LiteralValue,
  type NumberValue,
  type ObjectValue,
  type OpenValue,
  type TextValue,
  type ValueModel,
} from "./model.ts";

/** The parts that this project writes (sources: draft 7, responses: 2020-12), with VS Code's extensions. */
export interface JsonSchema {
  title?: string;
  description?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema | true>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  minProperties?: number;
  items?: JsonSchema | JsonSchema[] | false;
  prefixItems?: JsonSchema[];
  minItems?: number;
  maxItems?: number;
  additionalItems?: boolean;
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  default?: unknown;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  not?: JsonSchema;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  if?: JsonSchema;
  then?: JsonSchema;
  /** Of OpenAPI: the field that says which of the alternatives a value is of. */
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  $defs?: Record<string, JsonSchema>;
  definitions?: Record<string, JsonSchema>;
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

/** A source, as an editor writes it; a response, as a client reads it, with standard keywords only. */
type Direction = "input" | "output";

export function translate(model: ValueModel, io: Direction): JsonSchema {
  if (model.kind === "derived") return translate(model.response, io);
  const json: JsonSchema = {};
  const { empty } = model;
  const isOptional = io === "input" && !model.isRequired;
  const isWrapped = isOptional || model.isNullable;
  const hasDefault = isOptional && empty !== undefined;
  // The order of the keys is the order in which people read them.
  if (hasDefault && model.kind !== "object") json.default = empty;
  if ((isWrapped && model.description !== "") || isOpenObject(model)) json.description = "";
  if (hasDefault && model.kind === "object") json.default = empty;
  Object.assign(json, bodyOf(model, io));
  if (model.isNullable && json.type !== undefined) {
    json.type = [json.type as string, "null"];
    if (json.enum !== undefined) json.enum = [...json.enum, null];
  }
  const description = hover(model, io);
  if (description !== "") json.description = description;
  if (io === "output" && model.name !== undefined) json.title = model.name;
  if (model.kind === "object" && io === "output") {
    const texts = derivedTextsOf(model.fields);
    if (texts.length > 0) json.allOf = texts;
  }
  if ((model.kind === "text" || model.kind === "number") && model.choices?.isOpen === true)
    json.examples = [...model.choices.values];
  if (model.kind === "number" && model.isId && json.type === "integer") json.minimum = 1;
  if (model.kind === "text") completeText(model, json, io);
  return json;
}

const isOpenObject = (model: ValueModel): boolean => model.kind === "open" && model.of === "object";

function bodyOf(model: ValueModel, io: Direction): JsonSchema {
  switch (model.kind) {
    case "text":
      return { type: "string", ...closed(model), ...(model.max !== undefined && { maxLength: model.max }) };
    case "number":
      return io === "output" && model.reference?.shows !== undefined
        ? shownPage(model.reference.shows)
        : { ...numberOf(model), ...closed(model), ...limitsOf(model, "minimum", "maximum") };
    case "boolean":
      return { type: "boolean" };
    case "literal":
      return literalOf(model, io);
    case "list": {
      const json: JsonSchema = {
        type: "array",
        items: translate(model.element, io),
        ...limitsOf(model, "minItems", "maxItems"),
      };
      if (!model.isNeverEmpty) return json;
      return io === "output" ? { minItems: 1, ...json } : { ...json, minItems: 1 };
    }
    case "tuple": {
      const items = model.items.map((item) => translate(item, io));
      const size = { minItems: items.length, maxItems: items.length };
      return io === "input"
        ? { type: "array", items, additionalItems: false, ...size }
        : { type: "array", prefixItems: items, ...size };
    }
    case "object":
      return objectOf(model, io);
    case "block":
      return {
        [io === "output" ? "oneOf" : "anyOf"]: Array.from(model.variants.values(), (variant) =>
          translate(variant, io),
        ),
      };
    default:
      return model.kind === "open" ? openOf(model) : {};
  }
}

/** The choices, if no other value is allowed. */
const closed = ({ choices }: TextValue | NumberValue): JsonSchema =>
  choices === undefined || choices.isOpen ? {} : { enum: [...choices.values] };

const limitsOf = ({ min, max }: Limits, least: keyof JsonSchema, most: keyof JsonSchema): JsonSchema => ({
  ...(min !== undefined && { [least]: min }),
  ...(max !== undefined && { [most]: max }),
});

const textNamed = (name: string): JsonSchema => ({ type: "string", description: `The page's ${name}.` });

const exactly = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

function shownPage(shows: readonly string[]): JsonSchema {
  const meta = SHOWABLE.filter((name) => name !== "title" && shows.includes(name));
  const ofMeta = exactly(Object.fromEntries(meta.map((name) => [name, textNamed(name)])));
  return exactly({
    id: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "The page's id." },
    ...(meta.length > 0 && { meta: { ...ofMeta, description: "Facts about the page." } }),
    ...(shows.includes("title") && { title: textNamed("title") }),
  });
}

const numberOf = ({ isInteger, isId }: NumberValue): JsonSchema =>
  isInteger
    ? {
        type: "integer",
        ...(isId ? {} : { minimum: Number.MIN_SAFE_INTEGER }),
        maximum: Number.MAX_SAFE_INTEGER,
      }
    : { type: "number" };

function literalOf({ values, isEnum }: LiteralValue, io: Direction): JsonSchema {
  const [value] = values;
  if (value === null) return { type: "null" };
  if (isEnum) return { type: typeof value, enum: [...values] };
  return io === "output" ? constant(value) : { type: typeof value, const: value };
}

/** The same twice, because some generators of clients ignore `const`. */
export const constant = (value: unknown): JsonSchema => ({ type: typeof value, ...only(value) });

const only = (value: unknown): JsonSchema => ({ const: value, enum: [value] });

const openOf = ({ of }: OpenValue): JsonSchema =>
  of === "any"
    ? {}
    : of === "object"
      ? { type: "object" }
      : { type: "array", items: of === "list" ? {} : { type: "object" } };

function objectOf({ fields }: ObjectValue, io: Direction): JsonSchema {
  const shown = [...fields].filter(([, field]) =>
    io === "input" ? field.kind !== "derived" : !field.isSourceOnly,
  );
  const properties = shown.map(([key, field]) => {
    const property = translate(field, io);
    if (io === "output") property.description ??= `${asWords(key)}.`;
    return [key, property] as const;
  });
  const required = shown.filter(([, field]) => io === "output" || field.isRequired).map(([key]) => key);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** For a text derived from one field: the text for each value that is known to occur in the field. */
function derivedTextsOf(fields: ReadonlyMap<string, ValueModel>): JsonSchema[] {
  return [...fields].flatMap(([key, field]) => {
    const row: TextOf | undefined =
      field.kind === "derived" && field.row.kind === "text" ? field.row : undefined;
    const [from = "", ...others] = row?.fields ?? [];
    const source = fields.get(from);
    const known = source?.kind === "text" ? source.choices?.values : undefined;
    if (row === undefined || known === undefined || others.length > 0) return [];
    return known.map((value) => ({
      if: { properties: { [from]: only(value) } },
      then: { properties: { [key]: only(row.text([value])) } },
    }));
  });
}

/** In a response, a media address is always complete; a source may leave out the host. */
const formatIn = (model: TextValue, io: Direction): Format | undefined =>
  io === "output" && model.format === "media-url" ? formats["absolute-url"] : formatOf(model);

function completeText(model: TextValue, json: JsonSchema, io: Direction): void {
  const format = formatIn(model, io);
  if (format === undefined) {
    if (!model.mayBeEmpty && json.enum === undefined) json.minLength = 1;
    return;
  }
  const { pattern, expected, example, standard } = format;
  json.pattern = model.mayBeEmpty ? `^$|${pattern}` : pattern;
  if (io === "output" && standard !== undefined && !model.mayBeEmpty) json.format = standard;
  if (io === "input") json.patternErrorMessage = `Expected ${expected}, for example ${example}`;
}

/** `start_date` and `startDate` as “Start date”. */
const asWords = (name: string): string => {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** What the values stand for: the labels of choices, or the pages that an id is of. */
function meaningOf({ choices, ...model }: TextValue | NumberValue): string[] {
  const labels = (choices?.labels ?? []).map((label, k) => [choices?.values[k], label] as const);
  const meanings = labels.filter(([value, label]) => String(value) !== label);
  const reference = model.kind === "number" ? model.reference : undefined;
  const types = reference?.types === undefined ? "" : ` of ${reference.types.join(" or ")}`;
  const page = reference?.shows === undefined ? "The id of a page" : "A page";
  return [
    ...(reference === undefined ? [] : [`${page}${types}.`]),
    ...(meanings.length === 0
      ? []
      : [`${meanings.map(([value, label]) => `${JSON.stringify(value)}: ${label}`).join("; ")}.`]),
  ];
}

/** The text that an editor, or a client's developer, reads when pointing at a field. */
function hover(model: ValueModel, io: Direction): string {
  const isWritten = io === "input";
  const isOfSource = io === "output" && model.kind === "text" && model.format === "media-url";
  const parts = model.description === "" || isOfSource ? [] : [model.description];
  if (!isWritten) parts.unshift(...(model.label === undefined ? [] : [asSentence(model.label)]));
  if (!isWritten && (model.kind === "text" || model.kind === "number")) parts.push(...meaningOf(model));
  const format = model.kind === "text" ? formatIn(model, io) : undefined;
  if (format !== undefined)
    parts.push(`${isWritten ? "Write" : "It is"} ${format.expected}, such as ${format.example}`);
  if (model.kind === "text" && model.isHtml) parts.push("HTML: paragraphs, emphasis, lists and links.");
  if (model.kind === "text" && model.isUnchecked) parts.push("HTML with any elements, which is not checked.");
  // The type of a list is specified in a response.
  if (model.kind === "open" && (isWritten || model.of === "any" || model.of === "object"))
    parts.push(`${isWritten ? "Leave it out: the" : "The"} API contract does not specify its value.`);
  return parts.join(" ");
}
