import { isObject } from "../json/object.ts";
import { ANNOTATIONS, canonical, type Schema } from "./canonical.ts";
import type { Type } from "./accepts.ts";
import { isContained, TOGETHER, typesOf } from "./contained.ts";
import { OR_EMPTY } from "./patterns.ts";
import type { JsonSchema } from "./translate.ts";

/** Receives one difference: whether it may break a client, its subject, and its predicate. */
export type Note = (breaking: boolean, what: string, message: string) => void;

/**
 * Reports the differences for a client that reads values of a schema. The messages explain the differences. Only
 * `isContained` decides whether they are breaking; differences without a message of their own are reported too.
 */
export function compareSchemas(
  before: Schema | JsonSchema,
  after: Schema | JsonSchema,
  path: string,
  note: Note,
): void {
  const [was, is] = [before as Schema, after as Schema];
  if (canonical(was) === canonical(is)) return;
  const what = path === "" ? "the body" : path.startsWith("the ") ? path : `“${path}”`;
  const isCompatible = isContained(is, was);
  const noted = { any: false, breaking: false };
  const explain: Note = (breaking, ...words) => {
    // Keywords are compared one by one, but another keyword may have the same effect.
    if (breaking && isCompatible) return;
    noted.any = true;
    noted.breaking ||= breaking;
    note(breaking, ...words);
  };
  if (compareTypes(was, is, what, explain))
    for (const [one, other] of alike(was, is)) compareKeywords(one, other, path, what, explain);

  const words = `it was ${shown(was)}, and is ${shown(is)}`;
  if (!noted.breaking && !isCompatible) explain(true, what, `may have new values: ${words}`);
  if (!noted.any && !isContained(was, is)) explain(false, what, `has fewer values than before: ${words}`);
  // Clients ignore unknown fields, so the schemas can only differ in these.
  if (!noted.any && [was, is].some((one) => canonical(one).includes('"additionalProperties":false')))
    explain(false, what, `may have different unknown fields: ${words}`);
}

/**
 * Compares the types. Returns false if the schemas have no other type than null in common, so that there are no
 * keywords to compare.
 */
function compareTypes(before: Schema, after: Schema, what: string, note: Note): boolean {
  const [was, is] = [typesOf(before), typesOf(after)];
  const come = is.filter((type) => !includes(was, type));
  const gone = was.filter((type) => !includes(is, type));
  if (come.length > 0 && gone.length > 0 && !is.some((type) => type !== "null" && was.includes(type))) {
    note(true, what, `was ${listed(was)}, and is ${listed(is)}`);
    return false;
  }
  if (come.length > 0) note(true, what, `is wider: it may now also be ${listed(come)}`);
  if (gone.length > 0) note(false, what, `is narrower: it can no longer be ${listed(gone)}`);
  return true;
}

const includes = (types: Type[], type: Type): boolean =>
  types.includes(type) || (type === "integer" && types.includes("number"));

const listed = (types: Type[]): string =>
  types.length === 6
    ? "anything"
    : types
        .map((type) => (type === "null" ? type : `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`))
        .join(" or ");

/** The parts of two schemas that accept values of the same type. */
function* alike(before: Schema, after: Schema): Generator<[JsonSchema, JsonSchema]> {
  const [was, is] = [branches(before), branches(after)];
  for (const one of was) {
    const others = is.filter((other) => areAlike(one, other));
    const [other] = others;
    if (
      other !== undefined &&
      others.length === 1 &&
      was.filter((each) => areAlike(each, other)).length === 1
    )
      yield [one, other];
  }
}

const areAlike = (one: Schema, other: Schema): boolean => {
  const types = valueTypes(other);
  return valueTypes(one).some((type) => types.includes(type));
};

const valueTypes = (schema: Schema): string[] =>
  typesOf(schema)
    .filter((type) => type !== "null")
    .map((type) => (type === "integer" ? "number" : type));

/** The members of `anyOf`, if a schema has no other keyword; otherwise the schema itself. */
function branches(schema: Schema): Record<string, unknown>[] {
  if (!isObject(schema)) return [schema ? {} : { not: {} }];
  const keywords = Object.keys(schema).filter((key) => !ANNOTATIONS.has(key));
  const { anyOf } = schema;
  return keywords.join() === "anyOf" && Array.isArray(anyOf)
    ? anyOf.flatMap((one: Schema) => branches(one))
    : [schema];
}

/** Keywords that are compared elsewhere. */
const ELSEWHERE = new Set([
  ...ANNOTATIONS,
  "type",
  "anyOf",
  "const",
  "enum",
  "properties",
  "required",
  "prefixItems",
]);

function compareKeywords(was: JsonSchema, is: JsonSchema, path: string, what: string, note: Note): void {
  compareValues(was, is, what, note);
  for (const [key] of inEither({ ...was }, { ...is })) {
    if (ELSEWHERE.has(key)) continue;
    if (isSame(key, was, is) || hasElements(key, was, is)) continue;
    const isWider = !isContained(is as Schema, group(was, key));
    if (key === "additionalProperties" && (was[key] === false) !== (is[key] === false))
      note(
        false,
        what,
        is[key] === false ? "no longer has unknown fields" : "may have unknown fields, which clients ignore",
      );
    else if (isWider || !isContained(was as Schema, group(is, key)))
      note(isWider, what, keywordMessage(key, was, is, isWider));
  }
  compareFields(was, is, path, note);
  compareElements(was, is, path, note);
}

/** Whether a keyword, and the keywords that only modify it, are the same in both schemas. */
const isSame = (key: string, was: JsonSchema, is: JsonSchema): boolean => {
  const keys = key === "if" || key === "contains" ? group : only;
  return canonical(keys(was, key)) === canonical(keys(is, key));
};

const only = (schema: JsonSchema, key: string): Record<string, unknown> => ({
  [key]: (schema as Record<string, unknown>)[key],
});

const group = (schema: JsonSchema, key: string): Record<string, unknown> =>
  Object.fromEntries((TOGETHER[key] ?? [key]).map((one) => [one, (schema as Record<string, unknown>)[one]]));

function keywordMessage(key: string, before: JsonSchema, after: JsonSchema, isWider: boolean): string {
  const [was, is] = [before, after].map((one) => (one as Record<string, unknown>)[key]);
  const direction = isWider ? "wider" : "narrower";
  if (key === "pattern") {
    if (is === `${OR_EMPTY}${shown(was, Infinity)}`) return "is wider: it may now be empty";
    if (was === `${OR_EMPTY}${shown(is, Infinity)}`) return "is narrower: it can no longer be empty";
    if (was !== undefined && is !== undefined && isWider)
      return `has a different pattern, and may be wider: it was ${shown(was, Infinity)}, and is ${shown(is, Infinity)}`;
  }
  if (was === undefined) return `is ${direction}: its ${key} is now ${shown(is)}`;
  if (is === undefined) return `is ${direction}: its ${key} was ${shown(was)}, and it now has none`;
  return `is ${direction}: its ${key} was ${shown(was)}, and is ${shown(is)}`;
}

function shown(value: unknown, max = MAX_SHOWN): string {
  const text = typeof value === "string" ? value : canonical(value);
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

/** Maximum length of a schema in a message, in UTF-16 units. */
const MAX_SHOWN = 120;

function compareValues(before: JsonSchema, after: JsonSchema, what: string, note: Note): void {
  const [was, is] = [before, after].map((one) =>
    (one.const === undefined ? one.enum : [one.const])?.map((value) =>
      canonical({ const: value }).slice(9, -1),
    ),
  );
  if (was === undefined && is === undefined) return;
  if (was === undefined) note(false, what, `is narrower: it is one of ${is?.join(", ")}`);
  else if (is === undefined)
    note(true, what, `is wider: it was one of ${was.join(", ")}, and may be another value now`);
  else if (was.length === 1 && is.length === 1) {
    if (was[0] !== is[0]) note(true, what, `was ${was[0]}, and is ${is[0]}`);
  } else {
    for (const value of is)
      if (!was.includes(value)) note(true, what, `is wider: it may now also be ${value}`);
    for (const value of was)
      if (!is.includes(value)) note(false, what, `is narrower: it can no longer be ${value}`);
  }
}

const fieldsOf = ({ properties = {}, required = [] }: JsonSchema) => ({
  ...Object.fromEntries(required.map((key) => [key, undefined])),
  ...properties,
});

function compareFields(before: JsonSchema, after: JsonSchema, path: string, note: Note): void {
  const [known, now] = [fieldsOf(before), fieldsOf(after)];
  for (const key of new Set([...Object.keys(known), ...Object.keys(now)])) {
    const field = path === "" ? key : `${path}.${key}`;
    const [was, is] = [before, after].map(({ properties = {} }) =>
      Object.hasOwn(properties, key) ? properties[key] : undefined,
    );
    const [must, mustNow] = [before, after].map(({ required = [] }) => required.includes(key));
    if (was === undefined && is !== undefined) note(false, `“${field}”`, "is new");
    else if (was !== undefined && is === undefined) note(true, `“${field}”`, "was removed");
    else {
      if (must && !mustNow) note(true, `“${field}”`, "may now be missing");
      if (!must && mustNow) note(false, `“${field}”`, "is now always present");
      if (was !== undefined && is !== undefined) compareSchemas(was, is, field, note);
    }
  }
}

/** Whether the keyword is `items` and both schemas allow elements: `compareElements` compares these. */
const hasElements = (key: string, ...schemas: JsonSchema[]): boolean =>
  key === "items" && schemas.every(({ items }) => items !== false && !Array.isArray(items));

function compareElements(before: JsonSchema, after: JsonSchema, path: string, note: Note): void {
  if ((before.items !== undefined || after.items !== undefined) && hasElements("items", before, after))
    compareSchemas((before.items ?? true) as Schema, (after.items ?? true) as Schema, `${path}[]`, note);
  const [first, now] = [before.prefixItems ?? [], after.prefixItems ?? []];
  for (let i = 0; i < Math.min(first.length, now.length); i++)
    compareSchemas(first[i] ?? {}, now[i] ?? {}, `${path}[${i}]`, note);
}

export function* inEither<T>(
  before: Record<string, T>,
  after: Record<string, T>,
): Generator<[string, T?, T?]> {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
    yield [
      key,
      Object.hasOwn(before, key) ? before[key] : undefined,
      Object.hasOwn(after, key) ? after[key] : undefined,
    ] as [string, T?, T?];
}
