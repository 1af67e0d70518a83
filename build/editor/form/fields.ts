import type * as z from "zod";
import type { Derivation } from "../../page/derive.ts";
import {
  definitionOf,
  derivedFields,
  fallbacks,
  formatOf,
  htmlFields,
  identities,
  ids,
  isPlainText,
  isTitle,
  labels,
  multilineTexts,
  names,
  occurring,
  unspecified,
  within,
  type Identity,
} from "../../page/field.ts";
import type { FormatName } from "../../page/formats.ts";
import { sourceSchemas } from "../../page/page.ts";
import { RULES } from "../../page/rules.ts";
import { isPageType, PAGE_TYPES, rowOf, type PageType } from "../../page/types.ts";
import { inWords, singular } from "./words.ts";

/*
 * The fields of a form, read from the tables in `page/`: a new field or page type needs no line here.
 */

export type Control =
  | "text"
  | "long-text"
  | "number"
  | "year"
  | "date"
  | "local-date-time"
  | "date-time"
  | "checkbox"
  | "choice"
  | "html"
  | "json"
  | "list"
  | "group"
  | "derived";

export interface Choice {
  value: string | number | boolean | null;
  label: string;
}

export interface Field {
  /** The name of the member; in a tuple, the index. */
  name: string;
  label: string;
  /** A description of the field, as a sentence; may be empty. */
  help: string;
  control: Control;
  isRequired: boolean;
  isNullable: boolean;
  /** The value of the field if a source omits it; undefined if there is none. */
  empty: unknown;
  form?: FormatName;
  isId: boolean;
  /** Whether the value is a text without line breaks. */
  isOneLine: boolean;
  choices: readonly Choice[];
  /** Whether the field also allows other values than the choices. */
  isOpen: boolean;
  /** The kind of thing of the site that the object describes. */
  identity?: Identity;
  /** The members of a group, in the order of the API contract. */
  fields: readonly Field[];
  /** Whether the value of a group is an array. */
  isTuple: boolean;
  /** The elements of a list. */
  element?: Field;
  derivation?: Derivation;
  /** The derivation of a text that a source omits. */
  fallback?: Derivation;
}

export type FieldPath = readonly (string | number)[];

/** A field of a page with its path in the source. */
export interface PageField {
  path: FieldPath;
  field: Field;
}

const YEARS = new Set(RULES.flatMap(({ code, reportOn }) => (code === "unlikely-year" ? [reportOn] : [])));

const DATE_FORMS: Partial<Record<FormatName, Control>> = {
  date: "date",
  "date-time": "date-time",
  "end-date-time": "date-time",
  "local-date-time": "local-date-time",
};

function controlOf(schema: z.ZodType, name: string): Control {
  if (derivedFields.has(schema)) return "derived";
  if (unspecified.has(schema)) return "json";
  if (htmlFields.has(schema)) return "html";
  const definition = definitionOf(schema);
  switch (definition.type) {
    case "string": {
      const form = formatOf.get(schema)?.format;
      if (occurring.has(schema)) return "choice";
      if (form !== undefined) return DATE_FORMS[form] ?? "text";
      return isTitle(schema) || fallbacks.has(schema) ? "text" : "long-text";
    }
    case "number":
      return occurring.has(schema) ? "choice" : YEARS.has(name) ? "year" : "number";
    case "boolean":
      return "checkbox";
    case "literal":
      return "choice";
    case "array":
      return "list";
    case "object":
    case "tuple":
      return "group";
    default:
      return "json";
  }
}

/** The values to choose from; empty if the schema lists none. */
function choicesOf(schema: z.ZodType): readonly Choice[] {
  const open = occurring.get(schema)?.values;
  if (open !== undefined) return open.map((value) => ({ value, label: String(value) }));
  const definition = definitionOf(schema);
  if (definition.type !== "literal") return [];
  // A page's schema lists only its own type, but an editor may choose any type.
  if (definition.values.some(isPageType))
    return PAGE_TYPES.map((type) => ({ value: type, label: rowOf(type).label }));
  return definition.values.map((value) => ({ value, label: String(value) }));
}

const labelOf = (schema: z.ZodType, name: string): string =>
  labels.get(schema)?.label ?? labels.get(within(schema))?.label ?? inWords(name);

function fieldOf(outer: z.ZodType, name: string): Field {
  const schema = within(outer);
  const mark = derivedFields.get(schema);
  const definition = definitionOf(schema);
  const { success, data } =
    mark === undefined ? outer.safeParse(undefined) : { success: true, data: undefined };
  const form = formatOf.get(schema)?.format;
  const identity = identities.get(schema);
  const fallback = fallbacks.get(schema) ?? fallbacks.get(outer);
  const label = labelOf(outer, name);
  const isPrefault = definitionOf(outer).type === "prefault";
  return {
    name,
    label,
    help: outer.description ?? schema.description ?? mark?.response.description ?? "",
    control: controlOf(schema, name),
    isRequired: !success,
    isNullable: outer.safeParse(null).success && mark === undefined && !unspecified.has(schema),
    empty: isPrefault ? {} : data,
    isId: ids.has(schema),
    isOneLine: isPlainText(schema) && !multilineTexts.has(schema),
    choices: choicesOf(schema),
    isOpen: occurring.has(schema),
    fields:
      definition.type === "object"
        ? Object.entries(definition.shape).map(([key, member]) => fieldOf(member, key))
        : definition.type === "tuple"
          ? definition.items.map((item, index) => fieldOf(item, String(index)))
          : [],
    isTuple: definition.type === "tuple",
    ...(definition.type === "array" && !unspecified.has(schema)
      ? { element: elementOf(definition.element, label) }
      : {}),
    ...(form === undefined ? {} : { form }),
    ...(identity === undefined ? {} : { identity }),
    ...(mark === undefined ? {} : { derivation: mark.row }),
    ...(fallback === undefined ? {} : { fallback }),
  };
}

function elementOf(schema: z.ZodType, listLabel: string): Field {
  const name = names.get(within(schema))?.name;
  return { ...fieldOf(schema, ""), label: name === undefined ? singular(listLabel) : inWords(name) };
}

const known = new Map<PageType, readonly PageField[]>();

/**
 * The fields of a page in the order of the API contract. The members of a group that every page must have, such as
 * `meta`, are listed as fields of the page.
 */
export function fieldsOf(type: PageType): readonly PageField[] {
  let fields = known.get(type);
  if (fields === undefined) {
    const { shape } = definitionOf(sourceSchemas[type]) as { shape: Record<string, z.ZodType> };
    fields = Object.entries(shape).flatMap(([name, schema]): PageField[] => {
      const field = fieldOf(schema, name);
      return isGrouping(field)
        ? field.fields.map((member) => ({ path: [name, member.name], field: member }))
        : [{ path: [name], field }];
    });
    known.set(type, fields);
  }
  return fields;
}

const isGrouping = (field: Field): boolean =>
  field.control === "group" && field.isRequired && field.identity === undefined;

/** The thing of the site that a page of the type describes in its own fields, such as the venue of a work. */
export const pageIdentity = (type: PageType): Identity | undefined => identities.get(sourceSchemas[type]);

/** The kinds of things that a form of the type offers as suggestions. */
export function identitiesOf(type: PageType): Identity[] {
  const found = new Map<string, Identity>();
  const visit = (field: Field): void => {
    if (field.identity !== undefined) found.set(field.identity.kind, field.identity);
    field.fields.forEach(visit);
    if (field.element !== undefined) visit(field.element);
  };
  const own = pageIdentity(type);
  if (own !== undefined) found.set(own.kind, own);
  for (const { field } of fieldsOf(type)) visit(field);
  return [...found.values()];
}
