import { isObject } from "../source/json/object.ts";
import type { Copy, Derivation, TextOf } from "./derive.ts";
import { formats, type Format, type FormatName } from "./formats.ts";
import type { PictureMembers } from "./media.ts";
import type { PageType } from "./page-types.ts";
import type { Rule } from "./rules.ts";
import type { SectionName } from "./sections.ts";

/* A plain description of a source's values, which is all that other code reads of the declarations. */

/** The controls of the form that a field names itself, because its kind of value does not decide it. */
export type MarkedControl = "year" | "page";

export interface Facts {
  description: string;
  /** The name of the type for clients, if it has one. */
  name?: string | undefined;
  /** A label, if the field's name does not make a good one. */
  label?: string | undefined;
  /** The section of the form, if it is declared (`sectionOf`). */
  section?: SectionName | undefined;
  control?: MarkedControl | undefined;
  /** Whether it is the name by which people recognize its object, and whether it is the key of a broader object. */
  isName?: true;
  isBroader?: true;
  isNullable: boolean;
  isRequired: boolean;
  /** The value of an omitted field; undefined if there is none. */
  empty: unknown;
  isSourceOnly?: true;
  /** Whether lists for websites filter pages by it. */
  isFilter?: true | undefined;
  /** The scope in which no two pages have the same value; undefined if pages may. */
  uniqueIn?: string | undefined;
  /** How the field is derived if a source leaves it out. */
  fallback?: TextOf | Copy;
}

/** An entity that several pages describe, such as a subject. All should describe it in the same way. */
export interface Identity {
  /** The kind of entity, for messages. */
  kind: string;
  key: string;
  /** The fields that must agree wherever the key is the same. */
  values: readonly string[];
  /** The fields that the form copies from a page that describes the entity, but in which pages may differ. */
  copied?: readonly string[];
}

/** Objects that pages refer to, as `npx page-api new --list` lists them; by default, those with an identity. */
export interface ListedObjects {
  /** The argument of `--list`. */
  list: string;
  /** The fields that are the same on every page. The first identifies an object. */
  fields: readonly string[];
  /** Fields of the pages that tell what an object without a name is. */
  beside: readonly string[];
}

/** The values of a text or a number. */
export interface Choices {
  values: readonly (string | number)[];
  /** In the order of the values; the values themselves by default. */
  labels?: readonly string[] | undefined;
  /** Whether another value is only a warning. */
  isOpen: boolean;
}

/** Limits, inclusive: of a number, of a text's length in UTF-16 units, or of the number of elements of a list. */
export interface Limits {
  min?: number | undefined;
  max?: number | undefined;
}

export interface TextValue extends Facts, Pick<Limits, "max"> {
  kind: "text";
  format?: FormatName | undefined;
  /** A format that only this field has, instead of one by name. */
  pattern?: Format | undefined;
  mayBeEmpty: boolean;
  /** Whether it is the name of a page or an entity: on one line, without invisible characters. */
  isTitle?: boolean;
  isMultiline?: boolean;
  isHtml?: boolean;
  /** Whether the HTML is as Wagtail stores it: with its elements for links to pages, images and media. */
  isRaw?: boolean;
  /** Whether it is trusted HTML, which is published as written and shown as source. */
  isUnchecked?: boolean;
  /** Of an address of a picture. */
  picture?: PictureMembers | undefined;
  choices?: Choices | undefined;
}

interface PageReference {
  /** The types that it may have; any if undefined. */
  types: readonly PageType[] | undefined;
  /** What the response shows of it, instead of its id: fields of its response. */
  shows: readonly string[] | undefined;
}

export interface NumberValue extends Facts, Limits {
  kind: "number";
  isInteger: boolean;
  /** Whether it is an id: 1 to 2^53-1. */
  isId?: boolean;
  choices?: Choices | undefined;
  reference?: PageReference | undefined;
}

export interface BooleanValue extends Facts {
  kind: "boolean";
}

export interface ListValue extends Facts, Limits {
  kind: "list";
  element: ValueModel;
  /** Whether the list needs an element. A rule between fields reports an empty one. */
  isNeverEmpty?: true;
}

export interface TupleValue extends Facts {
  kind: "tuple";
  items: readonly ValueModel[];
}

export interface ObjectValue extends Facts {
  kind: "object";
  /** In the order of the API contract. */
  fields: ReadonlyMap<string, ValueModel>;
  identity?: Identity;
  listed?: ListedObjects;
  rules: readonly Rule[];
  /** Of a type of block: the name of its icon in the form. */
  icon?: string | undefined;
}

/** An object that is of one of several forms, which its `type` names: a block of Wagtail's StreamField. */
export interface BlockValue extends Facts {
  kind: "block";
  /** By type: its `type`, `value` and `id`. */
  variants: ReadonlyMap<string, ObjectValue>;
}

export interface LiteralValue extends Facts {
  kind: "literal";
  values: readonly (string | number | boolean | null)[];
  isEnum?: true;
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
  | BlockValue
  | BooleanValue
  | LiteralValue;

/** The form of a block; undefined if the value has no type of the list. */
export function variantOf({ variants }: BlockValue, value: unknown): ObjectValue | undefined {
  const type = isObject(value) ? value["type"] : undefined;
  return typeof type === "string" ? variants.get(type) : undefined;
}

/** @param value the value that the path leads into, which says what form blocks have. Undefined if the path leaves the model. */
export function valueIn(
  model: ValueModel,
  path: readonly PropertyKey[],
  value?: unknown,
): ValueModel | undefined {
  let at: ValueModel | undefined = model;
  let within = value;
  for (const step of path) {
    if (at?.kind === "block") at = variantOf(at, within);
    within = (within as Record<PropertyKey, unknown> | null | undefined)?.[step];
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

/** The model and those of all values in it, each with its path, in which `*` is every element of a list. */
export function* modelsIn(model: ValueModel, path: string[] = []): Generator<[ValueModel, string[]]> {
  yield [model, path];
  if (model.kind === "list") yield* modelsIn(model.element, [...path, "*"]);
  if (model.kind === "block") for (const variant of model.variants.values()) yield* modelsIn(variant, path);
  for (const [name, field] of fieldsIn(model)) yield* modelsIn(field, [...path, name]);
}

/** Gives the names of an object's members by its path in a source, in the order of the API contract. */
export const memberNames =
  (model: ValueModel | undefined, value?: unknown) =>
  (path: readonly PropertyKey[]): string[] => {
    const at = model && valueIn(model, path, value);
    // Every form of a block has the same members.
    const [block] = at?.kind === "block" ? at.variants.values() : [at];
    return [...(path.length === 0 ? ["$schema"] : []), ...fieldsIn(block).keys()];
  };

export const formatOf = ({ pattern, format }: TextValue): Format | undefined =>
  pattern ?? (format && formats[format]);

/** Whether people read a text as it is written: without a format, no HTML, and not from a list of values. */
export const isPlainText = (model: ValueModel): boolean =>
  model.kind === "text" &&
  formatOf(model) === undefined &&
  !model.isHtml &&
  !model.isUnchecked &&
  model.choices === undefined;

export function sectionOf(model: ValueModel): SectionName {
  if (model.section !== undefined) return model.section;
  const element = model.kind === "list" ? model.element : model;
  if (element.kind === "derived") return "technical";
  if (element.kind === "block") return "texts";
  if (element.kind === "text" && (element.isHtml || element.isMultiline)) return "texts";
  return element.kind === "text" && element.format === "media-url" ? "images" : "identification";
}

/** The member by which people recognize an object: the one that is marked, the first that identifies it, or a text. */
export function nameIn({ fields, identity, listed }: ObjectValue): string | undefined {
  const marked = [...fields].find(([, { isName }]) => isName);
  const text = [...fields].find(([, model]) => isPlainText(model));
  return marked?.[0] ?? identity?.values[0] ?? listed?.fields[0] ?? text?.[0];
}

/** Whether a field is derived from the page's location: it applies even if a source omits the object. */
export const dependsOnPlace = (model: ValueModel): boolean =>
  model.kind === "derived" ? model.row.kind === "place" : [...fieldsIn(model).values()].some(dependsOnPlace);

/** Whether the form needs a page that describes a thing: for a note on it, or to copy it. */
export const hasExample = ({ values, copied }: Identity): boolean =>
  values.length === 0 || copied !== undefined;
