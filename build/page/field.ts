import * as z from "zod";
import { isObject } from "../json/object.ts";
import type { Copy, Derivation, TextOf } from "./derive.ts";
import { formats, type FormatName } from "./formats.ts";

/**
 * The vocabulary of `page.ts` and `artwork.ts`: zod schemas, plus facts that zod cannot express, stored in maps beside
 * the schemas. A schema describes the source; `responseOf` converts it to the schema of the response.
 */

/**
 * Facts about schemas, stored by the schema's definition, because `describe` copies a schema but its copies share the
 * definition.
 */
class Marks<Mark> {
  private readonly byDefinition = new WeakMap<object, Mark>();
  set(schema: z.ZodType, mark: Mark): void {
    this.byDefinition.set(schema.def, mark);
  }
  get(schema: z.ZodType): Mark | undefined {
    return this.byDefinition.get(schema.def);
  }
  has(schema: z.ZodType): boolean {
    return this.byDefinition.has(schema.def);
  }
}

/** The format of a text field. */
export const formatOf = new Marks<{ format: FormatName }>();
/** Text fields that may be null instead. */
export const nullables = new Marks<{ orNull: true }>();
/** Text fields that are titles. */
export const titles = new Marks<{ title: true }>();
/** Text fields that may have several lines. */
export const multilineTexts = new Marks<{ multiline: true }>();
/** Text fields that contain an HTML fragment. */
export const htmlFields = new Marks<{ html: true }>();
/** Fields that only responses have: the response's schema, and the derivation of the value. */
export const derivedFields = new Marks<{ response: z.ZodType; row: Derivation }>();
export const derivedTexts = new Marks<TextOf>();
/** Text fields that are derived if a source leaves them out. */
export const fallbacks = new Marks<TextOf | Copy>();
/** Fields that only sources have. */
export const sourceOnlyFields = new Marks<{ sourceOnly: true }>();
/** Fields with an open list of values: another value is a warning. */
export const occurring = new Marks<{ values: readonly (string | number)[] }>();
/** Numbers that are ids: 1 to 2^53-1. */
export const ids = new Marks<{ id: true }>();
/** Fields whose content the API contract does not specify; `occurs` accepts the values that occur in it. */
export const unspecified = new Marks<{ occurs: (value: unknown) => boolean }>();

/** Labels of fields, if the field's name does not make a good label. */
export const labels = new Marks<{ label: string }>();

/** Names of objects inside a page, for the types of clients. */
export const names = new Marks<{ name: string }>();
/** Lists that need at least one element. A rule between fields reports an empty one. */
export const neverEmptyLists = new Marks<{ neverEmpty: true }>();

/**
 * Objects that describe a thing that several pages share, such as a subject. All pages should describe it in the same
 * way.
 */
export const identities = new Marks<Identity>();

export interface Identity {
  /** The kind of thing, for messages. */
  kind: string;
  /** Seed of the hashes of its claims, so that claims of different kinds differ. */
  seed: number;
  /** The field that identifies the thing. */
  key: string;
  /** The fields that must agree wherever the key is the same. */
  values: readonly string[];
}

/** The kind as an argument of `npm run new -- --list`: “gift-groups” for a gift group. */
export const listName = ({ kind }: Identity): string => `${kind.replaceAll(" ", "-")}s`;

/** Marks a new schema; `kind` must be unique. */
export const identified = <T extends z.ZodType>(
  schema: T,
  kind: string,
  key: string,
  ...values: string[]
): T => {
  let seed = 0;
  for (const c of kind) seed = Math.imul(seed, 31) + c.charCodeAt(0);
  identities.set(schema, { kind, seed, key, values });
  return schema;
};

export const text = () => z.string().default("");

/** A text that may have several lines. */
export const lines = () => {
  const schema = z.string();
  multilineTexts.set(schema, { multiline: true });
  return schema.default("");
};

export const html = () => {
  const schema = z.string();
  htmlFields.set(schema, { html: true });
  return schema.default("");
};

/** A text in a format, or an empty text. */
export const formed = (format: FormatName) => {
  const schema = z.string().refine((value) => value === "" || formats[format].matches(value));
  formatOf.set(schema, { format });
  return schema.default("");
};

/** A text that is required, not empty, and in the format if one is given. */
export const requiredText = (format?: FormatName) => {
  const schema = z
    .string()
    .refine((value) => value !== "" && (format === undefined || formats[format].matches(value)));
  if (format !== undefined) formatOf.set(schema, { format });
  return schema;
};

/** Whether people read the text as it is written: without a format, no HTML, and not from a list of values. */
export const isPlainText = (at: z.ZodType): boolean =>
  definitionOf(at).type === "string" && !formatOf.has(at) && !htmlFields.has(at) && !occurring.has(at);

/** The name of a page or a thing: not empty, on one line, without invisible characters. */
export const title = () => {
  const schema = requiredText();
  titles.set(schema, { title: true });
  return schema;
};

export const isTitle = (at: z.ZodType): boolean => titles.has(at);

/** A text that is not empty, in the format if one is given; or null, which is the default. */
export const nullable = (format?: FormatName) => {
  const schema = requiredText(format);
  nullables.set(schema, { orNull: true });
  return schema.nullable().default(null);
};

const optionalOrNull = (format: FormatName) => {
  const schema = requiredText(format);
  nullables.set(schema, { orNull: true });
  return schema.nullable().optional();
};

/** A text or null. If a source leaves it out, it is copied from another field, or null. */
export const nullableOrCopy = (format: FormatName, row: Copy) => {
  const schema = optionalOrNull(format);
  fallbacks.set(schema, row);
  return schema;
};

/** A text or null, in sources only. */
export const sourceOnly = (format: FormatName) => {
  const schema = optionalOrNull(format);
  sourceOnlyFields.set(schema, { sourceOnly: true });
  return schema;
};

/** Marks a new schema with the values that occur. */
export const usually = <T extends z.ZodType>(schema: T, ...values: (string | number)[]): T => {
  occurring.set(schema, { values });
  return schema;
};

/** Gives a new schema a label. */
export const labelled = <T extends z.ZodType>(label: string, schema: T): T => {
  labels.set(schema, { label });
  return schema;
};

export const flag = () => z.boolean().default(false);
export const id = () => {
  const schema = z.int().positive();
  ids.set(schema, { id: true });
  return schema;
};
export const integer = () => z.int();
export const decimal = () => z.number();
export const list = <T extends z.ZodType>(element: T) => z.array(element).default([]);

export const named = <Shape extends z.ZodRawShape>(name: string, shape: Shape) => {
  const schema = z.strictObject(shape);
  names.set(schema, { name });
  return schema;
};

/** Marks a new list. */
export const neverEmpty = <T extends z.ZodArray>(schema: T): T => {
  neverEmptyLists.set(schema, { neverEmpty: true });
  return schema;
};

const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

const marked = <T extends z.ZodType>(schema: T, occurs: (value: unknown) => boolean): T => {
  unspecified.set(schema, { occurs });
  return schema;
};

/** Passes the object through by reference, so that it is printed with its keys in the order of the source. */
const anyObject = () => z.custom<Record<string, unknown>>(isObject);

export const unspecifiedValue = () => marked(z.unknown(), (value) => value === null).default(null as unknown);
export const unspecifiedList = () =>
  marked(z.array(z.unknown()), (value) => Array.isArray(value) && value.length === 0).default([]);
export const unspecifiedObject = () => marked(anyObject(), isEmptyObject).default({});
export const unspecifiedObjects = () =>
  marked(z.array(anyObject()), (value) => Array.isArray(value) && value.every(isEmptyObject)).default([]);

/**
 * A derived field. A source must not contain it. Its static type is the response's type, because the parsed page is
 * completed with it. Each response has the field, so its schema has no default.
 */
export const derived = <T extends z.ZodType>(
  response: T extends z.ZodDefault ? never : T,
  row: Derivation,
): z.ZodOptional<T> => {
  const schema = z.never().optional();
  derivedFields.set(schema, { response, row });
  if (row.kind === "text") derivedTexts.set(response, row);
  return schema as unknown as z.ZodOptional<T>;
};

/** A text that the build derives if the source leaves it out. */
export const textOrDerived = (row: TextOf) => {
  const schema = z.string().optional();
  fallbacks.set(schema, row);
  return schema;
};

/** Zod's definition of a schema, as far as this project reads it. */
export type Definition =
  | { type: "object"; shape: Record<string, z.ZodType> }
  | { type: "array"; element: z.ZodType }
  | { type: "tuple"; items: z.ZodType[] }
  | { type: "default" | "prefault"; innerType: z.ZodType; defaultValue: unknown }
  | { type: "optional" | "nullable"; innerType: z.ZodType }
  | { type: "literal"; values: (string | number | boolean | null)[] }
  | { type: "string" | "number" | "boolean" | "null" | "unknown" | "custom" | "never" };

export const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition;

/** The schema without its defaults and null. A derived field is returned as it is. */
export function within(schema: z.ZodType): z.ZodType {
  if (derivedFields.has(schema)) return schema;
  const definition = definitionOf(schema);
  return "innerType" in definition ? within(definition.innerType) : schema;
}

/** The schema at a path, without defaults; undefined if the path leaves the schema. */
export function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  let at: z.ZodType | undefined = within(schema);
  for (const step of path) {
    if (at === undefined) return undefined;
    const definition: Definition = definitionOf(at);
    if (definition.type === "object") at = definition.shape[String(step)];
    else if (definition.type === "array") at = definition.element;
    else if (definition.type === "tuple") at = definition.items[Number(step)];
    else return undefined;
    if (at !== undefined) at = within(at);
  }
  return at;
}

/** The response's schema: derived fields are included, and no field may be left out. */
export function responseOf(schema: z.ZodType): z.ZodType {
  const mark = derivedFields.get(schema);
  if (mark !== undefined) return mark.response;
  const definition = definitionOf(schema);
  switch (definition.type) {
    case "default":
    case "prefault":
    case "optional":
      return described(schema, responseOf(definition.innerType));
    case "nullable":
      return described(schema, responseOf(definition.innerType).nullable());
    case "array":
      return described(schema, listOf(responseOf(definition.element), neverEmptyLists.has(schema)));
    case "tuple":
      return described(schema, z.tuple(definition.items.map(responseOf) as [z.ZodType]));
    case "object":
      return described(
        schema,
        z.strictObject(
          Object.fromEntries(
            Object.entries(definition.shape)
              .filter(([, field]) => !sourceOnlyFields.has(field))
              .map(([key, field]) => [key, responseOf(field)]),
          ),
        ),
      );
    // In a response, a media address is always complete; a source may leave out the host.
    case "string":
      return formatOf.get(schema)?.format === "media-url" ? requiredText("absolute-url") : schema;
    default:
      return schema;
  }
}

const listOf = (element: z.ZodType, isNeverEmpty: boolean): z.ZodType =>
  isNeverEmpty ? z.array(element).min(1) : z.array(element);

function described(from: z.ZodType, to: z.ZodType): z.ZodType {
  const name = names.get(from);
  if (name !== undefined) names.set(to, name);
  return from.description === undefined ? to : to.describe(from.description);
}

/**
 * Whether an object contains a field derived from the page's location, which applies even if a source omits the object.
 */
export function dependsOnPlace(schema: z.ZodType): boolean {
  const definition = definitionOf(within(schema));
  return (
    definition.type === "object" &&
    Object.values(definition.shape).some(
      (field) => derivedFields.get(field)?.row.kind === "place" || dependsOnPlace(field),
    )
  );
}
