import * as z from "zod";
import { isObject } from "../source/json/object.ts";
import type { Copy, Derivation, TextOf } from "./derive.ts";
import type { FormatName } from "./formats.ts";
import type {
  Facts,
  Identity,
  ListValue,
  MarkedControl,
  NumberValue,
  ObjectValue,
  OpenValue,
  TextValue,
  ValueModel,
} from "./model.ts";
import { SECTION_NAMES, type SectionName } from "./sections.ts";
import { rulesFor } from "./rules.ts";

/**
 * The vocabulary of `page.ts` and `artwork.ts`: zod schemas of sources, with marks for facts that zod cannot express, such as
 * the format of a text. Only `model-of.ts` reads the schemas and their marks.
 */

/** Facts about a schema that zod cannot express, as its model has them. */
interface Marks
  extends
    Partial<
      Pick<
        Facts,
        | "name"
        | "label"
        | "section"
        | "control"
        | "isName"
        | "isBroader"
        | "isSourceOnly"
        | "isFilter"
        | "fallback"
      >
    >,
    Partial<Pick<TextValue, "format" | "isTitle" | "isMultiline" | "isHtml" | "choices">>,
    Partial<Pick<NumberValue, "isId">>,
    Partial<Pick<ListValue, "isNeverEmpty">>,
    Partial<Pick<ObjectValue, "identity" | "listed">> {
  /** Of a value that the API contract does not specify. */
  open?: Pick<OpenValue, "of" | "occurs">;
  /** Of a field that only responses have: the response's schema, and the derivation of the value. */
  derived?: { response: z.ZodType; row: Derivation };
}

/** By the schema's definition, because `describe` copies a schema but its copies share the definition. */
const byDefinition = new WeakMap<object, Marks>();

const marksOf = (schema: z.ZodType): Marks => byDefinition.get(schema.def) ?? {};

function mark<T extends z.ZodType>(schema: T, marks: Marks): T {
  byDefinition.set(schema.def, { ...marksOf(schema), ...marks });
  return schema;
}

/** The kind as an argument of `npx page-api new --list`: “gift-groups” for a gift group. */
export const listName = ({ kind }: Pick<Identity, "kind">): string =>
  `${kind.replaceAll(" ", "-")}s`.replace(/(?<=[^aeiou])ys$/, "ies");

/** Marks a new schema; `kind` must be unique. */
export const identified = <T extends z.ZodType>(
  schema: T,
  kind: string,
  key: string,
  ...values: string[]
): T =>
  mark(schema, {
    listed: { list: listName({ kind }), fields: [key, ...values], beside: [] },
    ...marksOf(schema),
    identity: { kind, key, values },
  });

/** Marks an identified schema. */
export const copying = <T extends z.ZodType>(schema: T, ...copied: string[]): T => {
  const { identity } = marksOf(schema);
  if (identity === undefined) throw new Error("only an entity with an identity is copied");
  return mark(schema, { identity: { ...identity, copied } });
};

export const listed = <T extends z.ZodType>(
  schema: T,
  list: string,
  fields: readonly string[],
  beside: readonly string[] = [],
): T => mark(schema, { listed: { list, fields, beside } });

export const text = () => z.string().default("");

export const lines = () => mark(z.string(), { isMultiline: true }).default("");

export const html = () => mark(z.string(), { isHtml: true }).default("");

/** A text in a format, or an empty text. */
export const formed = (format: FormatName) => mark(z.string(), { format }).default("");

/** Not empty, and in the format if one is given. */
export const requiredText = (format?: FormatName) => mark(z.string().min(1), { format });

/** The name of a page or an entity: not empty, on one line, without invisible characters. */
export const title = () => mark(requiredText(), { isTitle: true });

/** A text that is not empty, in the format if one is given; or null, the default. */
export const nullable = (format?: FormatName) => requiredText(format).nullable().default(null);

const optionalOrNull = (format: FormatName) => requiredText(format).nullable().optional();

/** A text or null. If a source leaves it out, it is copied from another field, or null. */
export const nullableOrCopy = (format: FormatName, row: Copy) =>
  mark(optionalOrNull(format), { fallback: row });

/** A value that only sources have. */
export const sourceOnly = <T extends z.ZodType>(schema: T): T => mark(schema, { isSourceOnly: true });
export const sourceDate = (format: FormatName) => sourceOnly(optionalOrNull(format));

/** Another value than these is a warning. */
export const knownValues = <T extends z.ZodType>(schema: T, ...known: (string | number)[]): T =>
  mark(schema, { choices: { values: known, isOpen: true } });

export const labelled = <T extends z.ZodType>(label: string, schema: T): T => mark(schema, { label });

/** Marks a field with its section of the form: `section.subjects(text())`. Without a mark, its value decides (`sectionOf`). */
export const section = Object.fromEntries(
  SECTION_NAMES.map((name) => [name, <T extends z.ZodType>(schema: T): T => mark(schema, { section: name })]),
) as Record<SectionName, <T extends z.ZodType>(schema: T) => T>;

/** Marks a field with its control of the form. */
export const controlled = <T extends z.ZodType>(control: MarkedControl, schema: T): T =>
  mark(schema, { control });

export const naming = <T extends z.ZodType>(schema: T): T => mark(schema, { isName: true });
export const broader = <T extends z.ZodType>(schema: T): T => mark(schema, { isBroader: true });

/** Marks a field by which lists for websites filter pages. */
export const filtered = <T extends z.ZodType>(schema: T): T => mark(schema, { isFilter: true });

export const flag = () => z.boolean().default(false);
export const id = () => mark(z.int().positive(), { isId: true });
export const integer = () => z.int();
export const year = () => controlled("year", z.int());
export const decimal = () => z.number();
export const list = <T extends z.ZodType>(element: T) => z.array(element).default([]);

export const named = (name: string, shape: z.ZodRawShape) => mark(z.strictObject(shape), { name });

export const neverEmpty = <T extends z.ZodArray>(schema: T): T => mark(schema, { isNeverEmpty: true });

const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/** A value of any type, which is printed as it is written. */
const open = (of: OpenValue["of"], empty: unknown, occurs: OpenValue["occurs"]) =>
  mark(z.unknown(), { open: { of, occurs } }).default(empty);

/** A value of one of several kinds, or with names of the site's own, which the schema itself checks. */
export const anyOf = <T extends z.ZodUnion | z.ZodRecord<z.ZodString>>(schema: T): T =>
  mark(schema as z.ZodType, { open: { of: "any", occurs: () => true } }) as T;

export const openValue = () => open("any", null, (value) => value === null);
export const openList = () => open("list", [], (value) => Array.isArray(value) && value.length === 0);
export const openObject = () => open("object", {}, isEmptyObject);
export const openObjects = () =>
  open("objects", [], (value) => Array.isArray(value) && value.every(isEmptyObject));

/** A source must not contain a derived field. Each response has it, so its schema has no default. */
export const derived = <T extends z.ZodType>(response: T extends z.ZodDefault ? never : T, row: Derivation) =>
  mark(z.never().optional(), { derived: { response, row } });

export const textOrDerived = (row: TextOf) => mark(z.string().optional(), { fallback: row });

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
  const { derived: derivation, open: unspecified, ...marks } = { ...marksOf(at), ...marksOf(declared) };
  // Without JIT: each declaration parses only a few values.
  const parse = (value: unknown) => declared.safeParse(value, { jitless: true });
  const omitted = derivation === undefined ? parse(undefined) : undefined;
  const facts = {
    ...marks,
    description: declared.description ?? at.description ?? derivation?.response.description ?? "",
    isNullable: derivation === undefined && unspecified === undefined && parse(null).success,
    isRequired: omitted?.success === false,
    empty: definitionOf(declared).type === "prefault" ? {} : omitted?.data,
  };
  if (derivation !== undefined)
    return { ...facts, kind: "derived", row: derivation.row, response: valueModelOf(derivation.response) };
  if (unspecified !== undefined) return { ...facts, kind: "open", ...unspecified };
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
