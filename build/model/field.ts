import { isObject } from "../source/json/object.ts";
import type { Derivation } from "./derive.ts";
import type {
  BooleanValue,
  Choices,
  DerivedValue,
  Facts,
  Identity,
  ListValue,
  LiteralValue,
  NumberValue,
  ObjectValue,
  OpenValue,
  TextValue,
  TupleValue,
  ValueModel,
} from "./model.ts";
import { rulesFor } from "./rules.ts";

/*
 * The vocabulary of declarations: of the program's fields (`page.ts`, `artwork.ts`), of `_site.json` and `_history.json`, and of
 * the fields that a site declares. Each function takes a description for editors, and the facts that differ from the usual ones:
 * `text("The location in words.", { section: "display", label: "Place" })`.
 */

/** The fields of an object, in the order of the response. */
export type FieldModels = Readonly<Record<string, ValueModel>>;

/** @param empty the value of an omitted field; undefined if the field is required */
export const factsOf = (description: string, empty: unknown): Facts => ({
  description,
  isNullable: false,
  isRequired: empty === undefined,
  empty,
});

export const text = (description = "", more: Partial<TextValue> = {}): TextValue => ({
  ...factsOf(description, ""),
  kind: "text",
  mayBeEmpty: true,
  ...more,
});

/** Of a text that is required, but may be empty. */
export const REQUIRED = { empty: undefined, isRequired: true };

/** A text that is required, and not empty. */
export const requiredText = (description = "", more: Partial<TextValue> = {}): TextValue =>
  text(description, { ...REQUIRED, mayBeEmpty: false, ...more });

/** The name of a page or an entity: not empty, on one line, without invisible characters. */
export const title = (description: string): TextValue => requiredText(description, { isTitle: true });

export const flag = (description = "", more: Partial<BooleanValue> = {}): BooleanValue => ({
  ...factsOf(description, false),
  kind: "boolean",
  ...more,
});

export const decimal = (description = "", more: Partial<NumberValue> = {}): NumberValue => ({
  ...factsOf(description, undefined),
  kind: "number",
  isInteger: false,
  ...more,
});

export const integer = (description = "", more: Partial<NumberValue> = {}): NumberValue =>
  decimal(description, { isInteger: true, ...more });

export const id = (description = "", more: Partial<NumberValue> = {}): NumberValue =>
  integer(description, { isId: true, ...more });

export const year = (description: string, more: Partial<NumberValue> = {}): NumberValue =>
  integer(description, { control: "year", ...more });

export const list = (element: ValueModel, description = "", more: Partial<ListValue> = {}): ListValue => ({
  ...factsOf(description, []),
  kind: "list",
  element,
  ...more,
});

export const tuple = (...items: ValueModel[]): TupleValue => ({
  ...factsOf("", undefined),
  kind: "tuple",
  items,
});

export const literal = (
  values: LiteralValue["values"],
  description = "",
  more: Partial<LiteralValue> = {},
): LiteralValue => ({ ...factsOf(description, undefined), kind: "literal", values, ...more });

export function object(fields: FieldModels, description = "", more: Partial<ObjectValue> = {}): ObjectValue {
  const models = new Map(Object.entries(fields));
  return {
    ...factsOf(description, undefined),
    kind: "object",
    fields: models,
    rules: rulesFor(models),
    ...more,
  };
}

/** An object with a name for the types of clients. */
export const named = (name: string, description: string, fields: FieldModels): ObjectValue =>
  object(fields, description, { name });

/** The same; if a source leaves it out, it has the empty values of its fields. */
export const optionalObject = (...declared: Parameters<typeof named>): ObjectValue =>
  optional(named(...declared), {});

const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/** By kind of open value: the value of an omitted field, and whether a value occurs in the API. */
const OPEN: Record<OpenValue["of"], [empty: unknown, occurs: OpenValue["occurs"]]> = {
  any: [null, (value) => value === null],
  list: [[], (value) => Array.isArray(value) && value.length === 0],
  object: [{}, isEmptyObject],
  objects: [[], (value) => Array.isArray(value) && value.every(isEmptyObject)],
};

/** A value of any type, which is printed as it is written. */
export const open = (of: OpenValue["of"], more: Partial<OpenValue> = {}): OpenValue => {
  const [empty, occurs] = OPEN[of];
  return { ...factsOf("", empty), kind: "open", of, occurs, ...more };
};

/** A value that only responses have, and each has. */
export const derived = (
  response: ValueModel,
  row: Derivation,
  more: Partial<DerivedValue> = {},
): DerivedValue => ({
  ...factsOf(response.description, undefined),
  isRequired: false,
  kind: "derived",
  row,
  response: { ...response, ...REQUIRED },
  ...more,
});

/** A field that a source can leave out. @param empty its value then; undefined if it has none */
export const optional = <T extends ValueModel>(model: T, empty?: unknown): T => ({
  ...model,
  isRequired: false,
  empty,
});

/** A value or null, which is the value of an omitted field. */
export const orNull = <T extends ValueModel>(model: T): T => ({ ...optional(model, null), isNullable: true });

/** Values that are known to occur; another value is a warning. */
export const known = (...values: (string | number)[]): Choices => ({ values, isOpen: true });

/** The kind as an argument of `npx page-api new --list`: “gift-groups” for a gift group. */
export const listName = ({ kind }: Pick<Identity, "kind">): string =>
  `${kind.replaceAll(" ", "-")}s`.replace(/(?<=[^aeiou])ys$/, "ies");

/** The facts of an object that describes an entity (`Identity`); `kind` must be unique. */
export const identified = (
  kind: string,
  key: string,
  values: readonly string[],
  copied?: readonly string[],
): Pick<ObjectValue, "identity" | "listed"> => ({
  identity: { kind, key, values, ...(copied && { copied }) },
  listed: { list: listName({ kind }), fields: [key, ...values], beside: [] },
});
