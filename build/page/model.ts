import type * as z from "zod";
import type { Copy, Derivation, TextOf } from "./derive.ts";
import {
  definitionOf,
  derivedFields,
  fallbacks,
  formatOf,
  htmlFields,
  identities,
  ids,
  isTitle,
  labels,
  multilineTexts,
  names,
  neverEmptyLists,
  occurring,
  sourceOnlyFields,
  unspecified,
  within,
  type Identity,
} from "./field.ts";
import type { FormatName } from "./formats.ts";
import { rulesFor, type Rule } from "./rules.ts";

/*
 * The model of a source: a plain description of its values, made once from the declarations. The engine, the form and
 * the commands that edit sources read it, and no other code reads the declarations.
 */

/** The facts about a value of any kind. */
interface Facts {
  description: string;
  /** A label, if the field's name does not make a good one. */
  label: string | undefined;
  /** Whether null is allowed beside values of the kind. */
  isNullable: boolean;
  /** Whether a source may not leave the field out. */
  isRequired: boolean;
  /** The value of an omitted field; undefined if there is none. */
  empty: unknown;
  /** Whether only sources have the field. */
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
  rules: readonly Rule[];
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
  | (Facts & { kind: "literal"; values: readonly (string | number | boolean | null)[] });

/** Makes the model of a declaration. */
export function modelOf(declared: z.ZodType): ValueModel {
  const at = within(declared);
  const mark = derivedFields.get(at);
  const isPrefault = definitionOf(declared).type === "prefault";
  // Without JIT: each declaration parses only two values.
  const omitted = mark === undefined ? declared.safeParse(undefined, { jitless: true }) : undefined;
  const facts: Facts = {
    description: declared.description ?? at.description ?? mark?.response.description ?? "",
    label: labels.get(declared)?.label ?? labels.get(at)?.label,
    isNullable:
      mark === undefined && !unspecified.has(at) && declared.safeParse(null, { jitless: true }).success,
    isRequired: omitted?.success === false,
    empty: isPrefault ? {} : omitted?.data,
    isSourceOnly: sourceOnlyFields.has(declared) || sourceOnlyFields.has(at),
    fallback: fallbacks.get(declared) ?? fallbacks.get(at),
  };
  if (mark !== undefined) return { ...facts, kind: "derived", row: mark.row };
  const open = unspecified.get(at);
  if (open !== undefined) return { ...facts, kind: "open", of: shapeOf(at), occurs: open.occurs };
  const definition = definitionOf(at);
  switch (definition.type) {
    case "string":
      return {
        ...facts,
        kind: "text",
        format: formatOf.get(at)?.format,
        mayBeEmpty: at.safeParse("", { jitless: true }).success,
        isTitle: isTitle(at),
        isMultiline: multilineTexts.has(at),
        isHtml: htmlFields.has(at),
        known: occurring.get(at)?.values,
      };
    case "number":
      return {
        ...facts,
        kind: "number",
        isInteger: "format" in at.def,
        isId: ids.has(at),
        known: occurring.get(at)?.values,
      };
    case "boolean":
      return { ...facts, kind: "boolean" };
    case "literal":
      return { ...facts, kind: "literal", values: definition.values };
    case "array": {
      const element = modelOf(definition.element);
      return { ...facts, kind: "list", element, isNeverEmpty: neverEmptyLists.has(at) };
    }
    case "tuple":
      return { ...facts, kind: "tuple", items: definition.items.map(modelOf) };
    case "object": {
      const fields = new Map(Object.entries(definition.shape).map(([name, of]) => [name, modelOf(of)]));
      return {
        ...facts,
        kind: "object",
        fields,
        name: names.get(at)?.name,
        identity: identities.get(at),
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

/** The model of an object. */
export function objectModel(declared: z.ZodType): ObjectValue {
  const model = modelOf(declared);
  if (model.kind !== "object") throw new Error("an object is declared as another value");
  return model;
}

/** The value at a path; undefined if the path leaves the model. */
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

/** Whether people read a text as it is written: without a format, no HTML, and not from a list of values. */
export const isPlainText = (model: ValueModel): boolean =>
  model.kind === "text" && model.format === undefined && !model.isHtml && model.known === undefined;

/**
 * Whether an object contains a field derived from the page's location, which applies even if a source omits the object.
 */
export const dependsOnPlace = (model: ValueModel): boolean =>
  model.kind === "derived" ? model.row.kind === "place" : [...fieldsIn(model).values()].some(dependsOnPlace);
