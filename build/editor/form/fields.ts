import { isObject } from "../../source/json/object.ts";
import type { FormatName } from "../../model/formats.ts";
import {
  formatOf,
  isPlainText,
  nameIn,
  sectionOf,
  type DerivedValue,
  type Facts,
  type MarkedControl,
  type NumberValue,
  type ObjectValue,
  type TextValue,
  type ValueModel,
} from "../../model/model.ts";
import { EVERYDAY_WORDS, inWords } from "../../model/names.ts";
import type { PageModel } from "../../model/page.ts";
import type { PageType } from "../../model/page-types.ts";
import { SECTION_NAMES, SECTIONS, type SectionName } from "../../model/sections.ts";

/* The fields of a form, read from the tables in `model/`: a new field or page type needs no line here. */

export type Control =
  | MarkedControl
  | "text"
  | "long-text"
  | "number"
  | "date"
  | "local-date-time"
  | "date-time"
  | "time"
  | "checkbox"
  | "choice"
  | "html"
  | "raw-html"
  | "json"
  | "list"
  | "group"
  | "block"
  | "derived";

export interface Choice {
  value: string | number | boolean | null;
  label: string;
}

/** Facts of the model that the form reads as they are. */
type ModelFacts = Pick<Facts, "isRequired" | "isNullable" | "empty" | "isBroader" | "fallback"> &
  Pick<ValueModel, "kind"> &
  Partial<Pick<TextValue, "format" | "picture"> & Pick<NumberValue, "isInteger" | "isId" | "reference">> &
  Partial<Pick<ObjectValue, "identity"> & Pick<DerivedValue, "row">>;

export interface Field extends ModelFacts {
  /** The name of the member; in a tuple, the index. */
  name: string;
  label: string;
  /** A description of the field, as a sentence; may be empty. */
  help: string;
  control: Control;
  example: string | undefined;
  isOneLine: boolean;
  choices: readonly Choice[];
  areTypes?: true;
  /** Whether the field also allows other values than the choices. */
  isOpen: boolean;
  section: SectionName;
  /** Of a type of block: the name of its icon. */
  icon?: string | undefined;
  /** The value that a new page begins with, which the form leaves out: the type of a classification. */
  usual?: unknown;
  /** Of a group: the name of the member by which people recognize it. */
  naming: string | undefined;
  /** The members of a group, in the order of the API contract. */
  fields: readonly Field[];
  element: Field | undefined;
  /** The value of each type of block, with the block's label. */
  blocks: ReadonlyMap<string, Field>;
}

export type FieldPath = readonly (string | number)[];

export interface PageField {
  path: FieldPath;
  field: Field;
}

const DATE_FORMS: Partial<Record<FormatName, Control>> = {
  date: "date",
  "date-time": "date-time",
  "end-date-time": "date-time",
  "local-date-time": "local-date-time",
  time: "time",
};

/** The control of a model of each kind, if nothing else about it decides. */
const CONTROLS: Partial<Record<ValueModel["kind"], Control>> = {
  derived: "derived",
  number: "choice",
  boolean: "choice",
  literal: "choice",
  list: "list",
  object: "group",
  tuple: "group",
  block: "block",
};

function controlOf(model: ValueModel): Control {
  if (model.control !== undefined) return model.control;
  if (model.kind === "number" && model.choices === undefined)
    return model.reference === undefined ? "number" : "page";
  if (model.kind === "boolean" && !model.isNullable) return "checkbox";
  if (model.kind !== "text") return CONTROLS[model.kind] ?? "json";
  if (model.isHtml) return "html";
  if (model.isUnchecked) return "raw-html";
  if (model.choices !== undefined) return "choice";
  if (model.pattern !== undefined) return "text";
  if (model.format !== undefined) return DATE_FORMS[model.format] ?? "text";
  return model.isTitle || model.fallback !== undefined ? "text" : "long-text";
}

function choicesOf(model: ValueModel): readonly Choice[] {
  if (model.kind === "literal") return model.values.map((value) => ({ value, label: String(value) }));
  const none = model.isNullable ? [NONE] : [];
  if (model.kind === "boolean") return model.isNullable ? [...none, ...YES_OR_NO] : [];
  const choices = model.kind === "text" || model.kind === "number" ? model.choices : undefined;
  if (choices === undefined) return [];
  const { values, labels } = choices;
  return [...none, ...values.map((value, i) => ({ value, label: labels?.[i] ?? String(value) }))];
}

const NONE: Choice = { value: null, label: "None" };
const YES_OR_NO: readonly Choice[] = [
  { value: true, label: "Yes" },
  { value: false, label: "No" },
];

function helpOf(model: ValueModel, label: string): string {
  const { min, max } = { min: undefined, max: undefined, ...model };
  const unit = model.kind === "text" ? " characters" : model.kind === "list" ? " elements" : "";
  const limits = [
    min !== undefined && `at least ${min}${unit}`,
    max !== undefined && `at most ${max}${unit}`,
  ];
  const words = limits.filter((one) => one !== false).join(", ");
  const sentence = words && `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
  const description = saysMore(model.description, label) ? inWordsOfDates(model.description) : "";
  return [description.replace(/[^\p{P}\s]$/u, "$&."), sentence].filter((text) => text !== "").join(" ");
}

/** The form writes the offset of a time. */
export const inWordsOfDates = (text: string): string => text.replace(/,? with an offset or Z/, "");

const FILLERS = /^(?:a|an|as|in|is|its|of|the|this|to|was|whether|which|work|page|text|subject|group|s)$/;

/** Whether a description has words that are not in the label. */
const saysMore = (description: string, label: string): boolean =>
  description
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .some((word) => word !== "" && !FILLERS.test(word) && !label.toLowerCase().includes(word));

function fieldsIn(model: ValueModel): Field[] {
  if (model.kind === "tuple") return model.items.map((item, index) => fieldOf(item, String(index)));
  return model.kind === "object" ? Array.from(model.fields, ([name, field]) => fieldOf(field, name)) : [];
}

export function fieldOf(model: ValueModel, name: string): Field {
  const label = model.label ?? inWords(name);
  return {
    ...model,
    name,
    label,
    help: helpOf(model, label),
    section: sectionOf(model),
    control: controlOf(model),
    example: model.kind === "text" ? formatOf(model)?.example : undefined,
    isOneLine: model.kind === "text" && isPlainText(model) && !model.isMultiline,
    choices: choicesOf(model),
    isOpen: (model.kind === "text" || model.kind === "number") && model.choices?.isOpen === true,
    naming: model.kind === "object" ? nameIn(model) : undefined,
    fields: fieldsIn(model),
    element: model.kind === "list" ? elementOf(model.element, label) : undefined,
    blocks: new Map(model.kind === "block" ? Array.from(model.variants, blockOf) : []),
  };
}

const blockOf = ([type, { fields, icon }]: [string, ObjectValue]): [string, Field] => {
  const value = fields.get("value") as ValueModel;
  return [type, { ...fieldOf({ ...value, label: value.label ?? inWords(type) }, "value"), icon }];
};

export const fieldsWithin = ({ fields, element, blocks }: Field): Field[] => [
  ...fields,
  ...(element === undefined ? [] : [element]),
  ...blocks.values(),
];

function elementOf(model: ValueModel, listLabel: string): Field {
  const name = model.kind === "object" ? model.name : undefined;
  return { ...fieldOf(model, ""), label: name === undefined ? singular(listLabel) : inWords(name) };
}

/** The sections of a form with their fields: the title, then those that the type puts first, then the order of the API contract. */
export function sectionsOf(pages: PageModel, type: PageType) {
  const first = ["title", ...(pages.of(type).first ?? [])];
  const rank = ({ field, path }: PageField): number =>
    path.length > 1 || !first.includes(field.name) ? first.length : first.indexOf(field.name);
  const fields = fieldsOf(pages, type).toSorted((a, b) => rank(a) - rank(b));
  return SECTION_NAMES.flatMap((name) => {
    const own = fields.filter(({ field }) => field.section === name);
    return own.length === 0 ? [] : [{ name, title: SECTIONS[name], fields: own }];
  });
}

const known = new WeakMap<PageModel, Map<PageType, readonly PageField[]>>();

/**
 * The fields of a page in the order of the API contract. The members of `meta` are listed as fields of the page.
 */
export function fieldsOf(pages: PageModel, type: PageType): readonly PageField[] {
  const byType = known.get(pages) ?? new Map<PageType, readonly PageField[]>();
  known.set(pages, byType);
  let fields = byType.get(type);
  if (fields === undefined) byType.set(type, (fields = pageFields(pages, type)));
  return fields;
}

const pageFields = (pages: PageModel, type: PageType): PageField[] =>
  fieldsIn(pages.sourceOf(type)).flatMap((field): PageField[] => {
    const { name } = field;
    if (name !== "meta")
      return [{ path: [name], field: withUsual(field, pages.of(type).placeholders?.[name]) }];
    return field.fields.map((member) => {
      const isType = member.name === "type";
      return { path: [name, member.name], field: isType ? typeField(pages, member) : member };
    });
  });

function withUsual(field: Field, placeholder: unknown): Field {
  if (placeholder === undefined || placeholder === null) return field;
  if (!isObject(placeholder)) return { ...field, usual: placeholder };
  return { ...field, fields: field.fields.map((one) => withUsual(one, placeholder[one.name])) };
}

/** A page's model has only its own type, but an editor may choose any type. */
const typeField = (pages: PageModel, field: Field): Field => ({
  ...field,
  choices: pages.names.map((type) => ({ value: type, label: pages.of(type).label })),
  areTypes: true,
});

/** The words that find a field, in addition to its name and description. */
export const everydayWords = (name: string, control: string): string =>
  `${EVERYDAY_WORDS[name] ?? ""} ${/date|year/.test(control) ? "date" : ""}`;

/** Of “Pages of the artist”, the first noun is the plural. */
const singular = (label: string): string =>
  label.replace(/(?:(ies)|s)(?=$| (?:at|by|for|from|in|of|on|to|with) )/, (_, ies?: string) =>
    ies === undefined ? "" : "y",
  );
