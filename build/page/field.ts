import * as z from "zod";
import { isObject } from "../json/object.ts";
import type { Copy, Derivation, TextOf } from "./derive.ts";
import { forms, type FormName } from "./forms.ts";

/**
 * The vocabulary in which `page.ts` states what a page is: zod schemas, with what zod has no word for kept beside them
 * in maps. A schema states the source; `responseOf` turns it into the schema of the response.
 */

/** Facts beside schemas, by their definition: `describe` copies the schema, and its copies share the definition. */
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

/** The form of a text field. */
export const formOf = new Marks<{ form: FormName }>();
/** Text fields that may be null instead. */
export const nullables = new Marks<{ orNull: true }>();
/** Text fields that are titles. */
export const titles = new Marks<{ title: true }>();
/** Text fields that hold an HTML fragment. */
export const htmlFields = new Marks<{ html: true }>();
/** Fields that no source has: the response's schema, and how the value is worked out. */
export const derivedFields = new Marks<{ response: z.ZodType; row: Derivation }>();
/** The response's schemas of derived texts. */
export const derivedTexts = new Marks<TextOf>();
/** Text fields that are worked out where a source leaves them out. */
export const fallbacks = new Marks<TextOf | Copy>();
/** Fields of sources that no response has. */
export const sourceOnlyFields = new Marks<{ sourceOnly: true }>();
/** Text fields whose list of values is open: another value than these is a warning. */
export const occurring = new Marks<{ values: readonly (string | number)[] }>();
/** Numbers that are ids: 1 to 2^53-1. */
export const ids = new Marks<{ id: true }>();
/** Fields of which the interface does not say what may stand in them, or in their members; `occurs`: what it shows. */
export const unspecified = new Marks<{ occurs: (value: unknown) => boolean }>();

/** Labels of fields in words, if the field's name does not give a good one. */
export const labels = new Marks<{ label: string }>();

/** Names for objects inside a page, which clients' types have. */
export const names = new Marks<{ name: string }>();
/** Lists with at least one element, as a rule between fields requires: the rule reports an empty one. */
export const neverEmptyLists = new Marks<{ neverEmpty: true }>();

/** Objects that speak of something that other pages speak of too, and should say the same of. */
export const identities = new Marks<Identity>();

export interface Identity {
  /** What it is, for a message. */
  kind: string;
  /** Tells the kinds' facts apart. */
  seed: number;
  /** The field that says which one it is. */
  key: string;
  /** The fields that are the same wherever the key is. */
  values: readonly string[];
}

/** A kind as `npm run new -- --list` takes it: “gift-groups” of a gift group. */
export const listName = ({ kind }: Identity): string => `${kind.replaceAll(" ", "-")}s`;

/** Marks a schema that has just been made; `kind` is unique. */
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

export const html = () => {
  const schema = z.string();
  htmlFields.set(schema, { html: true });
  return schema.default("");
};

/** A text of a form, or empty. */
export const formed = (form: FormName) => {
  const schema = z.string().refine((value) => value === "" || forms[form].holds(value));
  formOf.set(schema, { form });
  return schema.default("");
};

/** A text that must be there, not empty, and of the form, where one is named. */
export const requiredText = (form?: FormName) => {
  const schema = z
    .string()
    .refine((value) => value !== "" && (form === undefined || forms[form].holds(value)));
  if (form !== undefined) formOf.set(schema, { form });
  return schema;
};

/** Whether a text is read by people as it is written: of no form, no HTML, not one of a list. */
export const isPlainText = (at: z.ZodType): boolean =>
  definitionOf(at).type === "string" && !formOf.has(at) && !htmlFields.has(at) && !occurring.has(at);

/** The name of a page or thing, in one line: not empty, and without invisible characters. */
export const title = () => {
  const schema = requiredText();
  titles.set(schema, { title: true });
  return schema;
};

export const isTitle = (at: z.ZodType): boolean => titles.has(at);

/** A text that is not empty, of the form if one is named; or null if there is none, which is the default. */
export const nullable = (form?: FormName) => {
  const schema = requiredText(form);
  nullables.set(schema, { orNull: true });
  return schema.nullable().default(null);
};

const optionalOrNull = (form: FormName) => {
  const schema = requiredText(form);
  nullables.set(schema, { orNull: true });
  return schema.nullable().optional();
};

/** A text that may be null, and is another field's value, or else null, where a source leaves it out. */
export const nullableOrCopy = (form: FormName, row: Copy) => {
  const schema = optionalOrNull(form);
  fallbacks.set(schema, row);
  return schema;
};

/** A text that no response has, or null. */
export const sourceOnly = (form: FormName) => {
  const schema = optionalOrNull(form);
  sourceOnlyFields.set(schema, { sourceOnly: true });
  return schema;
};

/** Marks the values that occur, on a schema that has just been made. */
export const usually = <T extends z.ZodType>(schema: T, ...values: (string | number)[]): T => {
  occurring.set(schema, { values });
  return schema;
};

/** Gives a field that has just been made a label in words. */
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

/** An object with a name. */
export const named = <Shape extends z.ZodRawShape>(name: string, shape: Shape) => {
  const schema = z.strictObject(shape);
  names.set(schema, { name });
  return schema;
};

/** Marks a list that has just been made. */
export const neverEmpty = <T extends z.ZodArray>(schema: T): T => {
  neverEmptyLists.set(schema, { neverEmpty: true });
  return schema;
};

const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

const marked = <T extends z.ZodType>(schema: T, occurs: (value: unknown) => boolean): T => {
  unspecified.set(schema, { occurs });
  return schema;
};

/** Passed through by reference, so that it is printed as it was written. */
const anyObject = () => z.custom<Record<string, unknown>>(isObject);

export const unspecifiedValue = () => marked(z.unknown(), (value) => value === null).default(null as unknown);
export const unspecifiedList = () =>
  marked(z.array(z.unknown()), (value) => Array.isArray(value) && value.length === 0).default([]);
export const unspecifiedObject = () => marked(anyObject(), isEmptyObject).default({});
export const unspecifiedObjects = () =>
  marked(z.array(anyObject()), (value) => Array.isArray(value) && value.every(isEmptyObject)).default([]);

/**
 * A field that the build works out. In a source it may not stand. Its static type is the response's: the parsed page
 * is completed with it.
 */
export const derived = <T extends z.ZodType>(response: T, row: Derivation): z.ZodOptional<T> => {
  const schema = z.never().optional();
  derivedFields.set(schema, { response, row });
  if (row.kind === "text") derivedTexts.set(response, row);
  return schema as unknown as z.ZodOptional<T>;
};

/** A text that the build works out where it is left out. */
export const textOrDerived = (row: TextOf) => {
  const schema = z.string().optional();
  fallbacks.set(schema, row);
  return schema;
};

/** The definition that zod keeps of a schema, as far as walkers of this project need it. */
export type Definition =
  | { type: "object"; shape: Record<string, z.ZodType> }
  | { type: "array"; element: z.ZodType }
  | { type: "tuple"; items: z.ZodType[] }
  | { type: "default" | "prefault"; innerType: z.ZodType; defaultValue: unknown }
  | { type: "optional" | "nullable"; innerType: z.ZodType }
  | { type: "literal"; values: (string | number | boolean | null)[] }
  | { type: "string" | "number" | "boolean" | "null" | "unknown" | "custom" | "never" };

export const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition;

/** The schema inside defaults and null; a derived field's own marker. */
export function within(schema: z.ZodType): z.ZodType {
  if (derivedFields.has(schema)) return schema;
  const definition = definitionOf(schema);
  return "innerType" in definition ? within(definition.innerType) : schema;
}

/** The schema that a path into a value leads to, without defaults; absent where the path leaves the schema. */
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

/** A source's schema as the response's: derived fields are there, and nothing may be left out. */
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
    // A media address is complete in the response, whichever way its source has it.
    case "string":
      return formOf.get(schema)?.form === "media-url" ? requiredText("absolute-url") : schema;
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

/** Whether something in an object follows from the page's place, even if the object is omitted. */
export function dependsOnPlace(schema: z.ZodType): boolean {
  const definition = definitionOf(within(schema));
  return (
    definition.type === "object" &&
    Object.values(definition.shape).some(
      (field) => derivedFields.get(field)?.row.kind === "place" || dependsOnPlace(field),
    )
  );
}
