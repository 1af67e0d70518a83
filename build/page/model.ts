import type * as z from "zod";
import type { Copy, Derivation, TextOf } from "./derive.ts";
import { marksOf, type Identity, type ListedObjects } from "./field.ts";
import type { FormatName } from "./formats.ts";
import { rulesFor, type Rule } from "./rules.ts";

/* A plain description of a source's values, made once from the declarations, which no other code reads. */

interface Facts {
  description: string;
  /** A label, if the field's name does not make a good one. */
  label: string | undefined;
  isNullable: boolean;
  isRequired: boolean;
  /** The value of an omitted field; undefined if there is none. */
  empty: unknown;
  isSourceOnly: boolean;
  /** How the field is derived if a source leaves it out. */
  fallback: TextOf | Copy | undefined;
}

export interface TextValue extends Facts {
  kind: "text";
  format: FormatName | undefined;
  mayBeEmpty: boolean;
  isTitle: boolean;
  isMultiline: boolean;
  isHtml: boolean;
  /** The values that occur, if the field has an open list of values. */
  known: readonly (string | number)[] | undefined;
}

export interface NumberValue extends Facts {
  kind: "number";
  isInteger: boolean;
  /** Whether it is an id: 1 to 2^53-1. */
  isId: boolean;
  isYear: boolean;
  known: readonly (string | number)[] | undefined;
}

export interface ListValue extends Facts {
  kind: "list";
  element: ValueModel;
  isNeverEmpty: boolean;
}

export interface TupleValue extends Facts {
  kind: "tuple";
  items: readonly ValueModel[];
}

export interface ObjectValue extends Facts {
  kind: "object";
  /** In the order of the API contract. */
  fields: ReadonlyMap<string, ValueModel>;
  /** The name of the type for clients. */
  name: string | undefined;
  identity: Identity | undefined;
  listed: ListedObjects | undefined;
  rules: readonly Rule[];
}

export interface LiteralValue extends Facts {
  kind: "literal";
  values: readonly (string | number | boolean | null)[];
  isEnum: boolean;
}

/** A value that the API contract does not specify. */
export interface OpenValue extends Facts {
  kind: "open";
  of: "any" | "list" | "object" | "objects";
  /** Whether the value occurs in the API. */
  occurs: (value: unknown) => boolean;
}

/** A field that no source has. */
export interface DerivedValue extends Facts {
  kind: "derived";
  row: Derivation;
  response: ValueModel;
}

export type ValueModel =
  | TextValue
  | NumberValue
  | ListValue
  | TupleValue
  | ObjectValue
  | OpenValue
  | DerivedValue
  | (Facts & { kind: "boolean" })
  | LiteralValue;

/** Zod's definition of a schema, as far as this project reads it. */
type Definition =
  | { type: "object"; shape: Record<string, z.ZodType> }
  | { type: "array"; element: z.ZodType }
  | { type: "tuple"; items: z.ZodType[] }
  | { type: "default" | "prefault" | "optional" | "nullable"; innerType: z.ZodType }
  | { type: "literal"; values: (string | number | boolean | null)[] }
  | { type: "enum"; entries: Record<string, string> }
  | { type: "string" | "number" | "boolean" | "null" | "unknown" | "custom" | "never" };

const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition;

/** The schema without its defaults and null. A derived field is returned as it is. */
function within(schema: z.ZodType): z.ZodType {
  const definition = definitionOf(schema);
  return "innerType" in definition && marksOf(schema).derived === undefined
    ? within(definition.innerType)
    : schema;
}

export function modelOf(declared: z.ZodType): ValueModel {
  const at = within(declared);
  const [marks, outer] = [marksOf(at), marksOf(declared)];
  const { derived, occurs, identity, listed, known } = marks;
  // Without JIT: each declaration parses only a few values.
  const parse = (value: unknown) => declared.safeParse(value, { jitless: true });
  const omitted = derived === undefined ? parse(undefined) : undefined;
  const facts: Facts = {
    description: declared.description ?? at.description ?? derived?.response.description ?? "",
    label: outer.label ?? marks.label,
    isNullable: derived === undefined && occurs === undefined && parse(null).success,
    isRequired: omitted?.success === false,
    empty: definitionOf(declared).type === "prefault" ? {} : omitted?.data,
    isSourceOnly: outer.isSourceOnly ?? false,
    fallback: outer.fallback,
  };
  if (derived !== undefined)
    return { ...facts, kind: "derived", row: derived.row, response: modelOf(derived.response) };
  if (occurs !== undefined) return { ...facts, kind: "open", of: shapeOf(at), occurs };
  const definition = definitionOf(at);
  switch (definition.type) {
    case "string":
      return {
        ...facts,
        kind: "text",
        format: marks.format,
        mayBeEmpty: at.safeParse("", { jitless: true }).success,
        isTitle: marks.isTitle ?? false,
        isMultiline: marks.isMultiline ?? false,
        isHtml: marks.isHtml ?? false,
        known,
      };
    case "number":
      return {
        ...facts,
        kind: "number",
        isInteger: "format" in at.def,
        isId: marks.isId ?? false,
        isYear: marks.isYear ?? false,
        known,
      };
    case "boolean":
      return { ...facts, kind: "boolean" };
    case "literal":
      return { ...facts, kind: "literal", values: definition.values, isEnum: false };
    case "enum":
      return { ...facts, kind: "literal", values: Object.values(definition.entries), isEnum: true };
    case "null":
      return { ...facts, kind: "literal", values: [null], isEnum: false, isNullable: false };
    case "array": {
      const element = modelOf(definition.element);
      return { ...facts, kind: "list", element, isNeverEmpty: marks.isNeverEmpty ?? false };
    }
    case "tuple":
      return { ...facts, kind: "tuple", items: definition.items.map(modelOf) };
    case "object": {
      const fields = new Map(Object.entries(definition.shape).map(([name, of]) => [name, modelOf(of)]));
      return {
        ...facts,
        kind: "object",
        fields,
        name: marks.name,
        identity,
        listed,
        rules: rulesFor(fields),
      };
    }
    default:
      throw new Error(`a field cannot be declared as ${definition.type}`);
  }
}

function shapeOf(schema: z.ZodType): OpenValue["of"] {
  const definition = definitionOf(schema);
  if (definition.type === "custom") return "object";
  if (definition.type !== "array") return "any";
  return definitionOf(definition.element).type === "custom" ? "objects" : "list";
}

export function objectModel(declared: z.ZodType): ObjectValue {
  const model = modelOf(declared);
  if (model.kind !== "object") throw new Error("an object is declared as another value");
  return model;
}

/** Undefined if the path leaves the model. */
export function valueIn(model: ValueModel, path: readonly PropertyKey[]): ValueModel | undefined {
  let at: ValueModel | undefined = model;
  for (const step of path) {
    if (at?.kind === "object") at = at.fields.get(String(step));
    else if (at?.kind === "list") at = at.element;
    else if (at?.kind === "tuple") at = at.items[Number(step)];
    else return undefined;
  }
  return at;
}

export const fieldsIn = (model: ValueModel | undefined): ReadonlyMap<string, ValueModel> =>
  model?.kind === "object" ? model.fields : NO_FIELDS;

const NO_FIELDS: ReadonlyMap<string, ValueModel> = new Map();

/** Gives the names of an object's members by its path in a source, in the order of the API contract. */
export const memberNames =
  (model: ValueModel | undefined) =>
  (path: readonly PropertyKey[]): string[] => [
    ...(path.length === 0 ? ["$schema"] : []),
    ...fieldsIn(model && valueIn(model, path)).keys(),
  ];

/** Whether people read a text as it is written: without a format, no HTML, and not from a list of values. */
export const isPlainText = (model: ValueModel): boolean =>
  model.kind === "text" && model.format === undefined && !model.isHtml && model.known === undefined;

/** Whether a field is derived from the page's location: it applies even if a source omits the object. */
export const dependsOnPlace = (model: ValueModel): boolean =>
  model.kind === "derived" ? model.row.kind === "place" : [...fieldsIn(model).values()].some(dependsOnPlace);
