import { isObject } from "../json/object.ts";
import { accepts, isOfType, TYPES, typeOf, type Type } from "./accepts.ts";
import { ANNOTATIONS, canonical, ignoringUnknownFields, isSchema, type Schema } from "./canonical.ts";
import { isNarrowerPattern, refusesEmpty } from "./patterns.ts";

/**
 * Whether a client that expects values of `outer`, and ignores unknown fields, can read every value of `inner`. True only
 * if that is proven. A keyword without a rule below is proven only by the same keyword.
 */
export function isContained(inner: Schema, outer: Schema): boolean {
  if (outer === true || canonical(inner) === canonical(outer)) return true;
  return alternatives(inner).every((all) => {
    const values = valuesOf(all);
    if (values !== undefined && areRead(values, outer)) return true;
    return typesIn(all).every((type) => isProven(all, type, outer));
  });
}

/** The types of the values that a schema may accept. */
export function typesOf(schema: Schema): Type[] {
  const found = new Set(alternatives(schema).flatMap(typesIn));
  return TYPES.filter((type) => found.has(type) && !(type === "integer" && found.has("number")));
}

type SchemaPart = Record<string, unknown>;

/** Schemas that a value must all match. None has `allOf` or `anyOf`. */
type Conjunction = readonly SchemaPart[];

/** Maximum number of alternatives to distinguish. Beyond it, `anyOf` counts as accepting every value. */
const MAX_ALTERNATIVES = 256;

/** Conjunctions of which every value of the schema matches at least one. */
function alternatives(schema: unknown): Conjunction[] {
  if (schema === false) return [];
  if (!isObject(schema)) return [[]];
  const { allOf, anyOf, ...rest } = schema;
  let found: Conjunction[] = [[rest]];
  const both = (others: Conjunction[]): void => {
    if (found.length * others.length > MAX_ALTERNATIVES) return;
    found = found.flatMap((one) => others.map((other) => [...one, ...other]));
  };
  for (const part of listOf(allOf)) both(alternatives(part));
  for (const choice of [anyOf, rest["oneOf"]])
    if (Array.isArray(choice)) both(choice.flatMap((part: unknown) => alternatives(part)));
  return found;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const recordOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
const own = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** A number is an integer if only integers are allowed. */
const allows = (all: Conjunction, type: Type): boolean =>
  all.every((part) => isOfType(part["type"], type)) &&
  !(type === "integer" && all.every((part) => isOfType(part["type"], "number")));

/** The types of the values that match all parts. */
function typesIn(all: Conjunction): Type[] {
  const values = valuesOf(all);
  return TYPES.filter((type) =>
    values === undefined ? allows(all, type) : values.some((value) => typeOf(value) === type),
  );
}

/** The only values that match, if they are listed. */
function valuesOf(all: Conjunction): unknown[] | undefined {
  const listed = all.find((part) => part["const"] !== undefined || Array.isArray(part["enum"]));
  if (listed === undefined) return undefined;
  const values = listed["const"] === undefined ? listOf(listed["enum"]) : [listed["const"]];
  return matching(values, all);
}

/** The values that no part refuses for certain. */
const matching = (values: unknown[], all: Conjunction): unknown[] =>
  values.filter((value) => all.every((part) => accepts(part, value) !== false));

function areRead(values: unknown[], outer: Schema): boolean {
  const read = ignoringUnknownFields(outer);
  return values.every((value) => accepts(read, value) === true);
}

function areListed(all: Conjunction, outer: Schema): boolean {
  const values = valuesOf(all);
  return values !== undefined && areRead(values, outer);
}

/** Whether every value of the type that matches all parts matches the schema too. */
function isProven(all: Conjunction, type: Type, outer: unknown): boolean {
  if (type === "null") return isSchema(outer) && areRead(matching([null], all), outer);
  if (type === "boolean") return isSchema(outer) && areRead(matching([true, false], all), outer);
  if (!isObject(outer)) return outer === true;
  return Object.keys(outer).every(
    (key) => outer[key] === undefined || ANNOTATIONS.has(key) || isKeywordProven(key, all, type, outer),
  );
}

/**
 * The rule of a keyword: whether every value of a type that matches all parts also matches the keyword. Undefined:
 * this is proven only by the same keyword.
 */
type KeywordRule = (all: Conjunction, outer: SchemaPart, type: Type) => boolean | undefined;

function isKeywordProven(key: string, all: Conjunction, type: Type, outer: SchemaPart): boolean {
  const [applies, rule] = Object.hasOwn(RULES, key) ? (RULES[key] as (typeof RULES)[string]) : [];
  if (applies !== undefined && !applies.includes(type)) return true;
  const keys = TOGETHER[key] ?? [key];
  return rule?.(all, outer, type) ?? all.some((part) => isSame(keys, part, outer));
}

/** Keywords that have a meaning only together. */
export const TOGETHER: Record<string, readonly string[]> = {
  if: ["if", "then", "else"],
  contains: ["contains", "minContains", "maxContains"],
  additionalProperties: ["properties", "patternProperties", "additionalProperties"],
  items: ["prefixItems", "items", "additionalItems"],
};

const isSame = (keys: readonly string[], part: SchemaPart, outer: SchemaPart): boolean =>
  keys.every((key) => canonical({ [key]: part[key] }) === canonical({ [key]: outer[key] }));

const NUMBERS: readonly Type[] = ["integer", "number"];
const TEXTS: readonly Type[] = ["string"];
const LISTS: readonly Type[] = ["array"];
const OBJECTS: readonly Type[] = ["object"];

const RULES: Record<string, [applies: readonly Type[] | undefined, rule?: KeywordRule]> = {
  type: [
    undefined,
    (all, outer, type) =>
      isOfType(outer["type"], type) ||
      (type === "number" &&
        isOfType(outer["type"], "integer") &&
        all.some((part) => Number.isInteger(part["multipleOf"]))),
  ],
  const: [undefined, (all, outer) => areListed(all, { const: outer["const"] })],
  enum: [undefined, (all, outer) => areListed(all, { enum: outer["enum"] })],
  allOf: [undefined, (all, { allOf }, type) => listOf(allOf).every((one) => isProven(all, type, one))],
  anyOf: [undefined, (all, { anyOf }, type) => listOf(anyOf).some((one) => isProven(all, type, one))],
  // Other keywords read these: they have no meaning of their own.
  then: [undefined, () => true],
  else: [undefined, () => true],
  minContains: [LISTS, () => true],
  maxContains: [LISTS, () => true],

  minimum: [NUMBERS, (all, outer, type) => isBound(all, type, outer["minimum"], false, 1)],
  exclusiveMinimum: [NUMBERS, (all, outer, type) => isBound(all, type, outer["exclusiveMinimum"], true, 1)],
  maximum: [NUMBERS, (all, outer, type) => isBound(all, type, outer["maximum"], false, -1)],
  exclusiveMaximum: [NUMBERS, (all, outer, type) => isBound(all, type, outer["exclusiveMaximum"], true, -1)],
  multipleOf: [
    NUMBERS,
    (all, { multipleOf: unit }, type) =>
      (unit === 1 && type === "integer") ||
      numbersOf(all, "multipleOf").some(
        (one) => one === unit || (typeof unit === "number" && one % unit === 0),
      ),
  ],

  format: [["string", ...NUMBERS]],
  pattern: [
    TEXTS,
    (all, { pattern }) =>
      textsOf(all, "pattern").some((one) => typeof pattern === "string" && isNarrowerPattern(one, pattern)),
  ],
  minLength: [
    TEXTS,
    (all, { minLength }) =>
      isAtLeast(textsOf(all, "pattern").some(refusesEmpty) ? 1 : 0, minLength) ||
      numbersOf(all, "minLength").some((one) => isAtLeast(one, minLength)),
  ],
  maxLength: [
    TEXTS,
    (all, { maxLength }) => numbersOf(all, "maxLength").some((one) => isAtMost(one, maxLength)),
  ],

  minItems: [
    LISTS,
    (all, { minItems }) => [0, ...numbersOf(all, "minItems")].some((one) => isAtLeast(one, minItems)),
  ],
  maxItems: [LISTS, (all, { maxItems }) => isAtMost(longest(all), maxItems)],
  uniqueItems: [
    LISTS,
    (all, { uniqueItems }) =>
      uniqueItems === false || longest(all) <= 1 || all.some((part) => part["uniqueItems"] === true),
  ],
  prefixItems: [LISTS, areElementsProven],
  items: [LISTS, areElementsProven],

  required: [OBJECTS, (all, { required }) => listOf(required).every((key) => requiredOf(all).has(key))],
  minProperties: [
    OBJECTS,
    (all, { minProperties }) =>
      [requiredOf(all).size, ...numbersOf(all, "minProperties")].some((one) => isAtLeast(one, minProperties)),
  ],
  maxProperties: [
    OBJECTS,
    (all, { maxProperties }) => numbersOf(all, "maxProperties").some((one) => isAtMost(one, maxProperties)),
  ],
  properties: [
    OBJECTS,
    (all, outer) =>
      Object.entries(recordOf(outer["properties"])).every(([key, field]) => isFieldProven(all, key, field)),
  ],
  additionalProperties: [OBJECTS, areOtherFieldsProven],
  // Their meaning depends on all other keywords of the schema.
  unevaluatedItems: [LISTS, () => false],
  unevaluatedProperties: [OBJECTS, () => false],
};

const numbersOf = (all: Conjunction, key: string): number[] =>
  all.flatMap((part) => (typeof part[key] === "number" ? part[key] : []));
const textsOf = (all: Conjunction, key: string): string[] =>
  all.flatMap((part) => (typeof part[key] === "string" ? part[key] : []));

const isAtLeast = (one: number, bound: unknown): boolean => typeof bound === "number" && one >= bound;
const isAtMost = (one: number, bound: unknown): boolean => typeof bound === "number" && one <= bound;

/** Compares with a lower bound, or, with the opposite signs, with an upper bound. */
function isBound(
  all: Conjunction,
  type: Type,
  bound: unknown,
  isExclusive: boolean,
  sign: 1 | -1,
): boolean | undefined {
  if (typeof bound !== "number") return undefined;
  const [including, excluding] =
    sign === 1 ? ["minimum", "exclusiveMinimum"] : ["maximum", "exclusiveMaximum"];
  const limit = sign * bound;
  const isWhole = type === "integer";
  return (
    numbersOf(all, including)
      .map((one) => (isWhole ? Math.ceil(sign * one) : sign * one))
      .some((one) => one > limit || (one === limit && !isExclusive)) ||
    numbersOf(all, excluding)
      .map((one) => sign * one)
      .some(
        (one) =>
          one >= limit ||
          (isWhole && Math.floor(one) + 1 > limit) ||
          (isWhole && Math.floor(one) + 1 === limit && !isExclusive),
      )
  );
}

/** Maximum length of the lists that match all parts. */
const longest = (all: Conjunction): number =>
  Math.min(
    Infinity,
    ...numbersOf(all, "maxItems"),
    ...all.filter(({ items }) => items === false).map(({ prefixItems }) => listOf(prefixItems).length),
  );

/** The schema of element `i`. An array as `items`, from drafts before 2020, is not compared. */
function elementOf({ prefixItems, items }: SchemaPart, i: number): unknown {
  const first = listOf(prefixItems);
  return i < first.length ? first[i] : (items ?? true);
}

function areElementsProven(all: Conjunction, outer: SchemaPart): boolean | undefined {
  if (Array.isArray(outer["items"])) return undefined;
  const places = Math.max(...[outer, ...all].map(({ prefixItems }) => listOf(prefixItems).length)) + 1;
  const length = Math.min(places, longest(all));
  return Array.from({ length }, (_, i) => i).every((i) =>
    isPartProven(
      all.map((part) => elementOf(part, i)),
      elementOf(outer, i),
    ),
  );
}

const requiredOf = (all: Conjunction): Set<unknown> =>
  new Set(all.flatMap(({ required }) => listOf(required)));

const isFieldProven = (all: Conjunction, key: string, field: unknown): boolean =>
  isPartProven(
    all.map((part) => own(part["properties"], key) ?? otherFieldsOf(part)),
    field,
  );

/** The schema of fields that are not named. If there are patterns for names, it accepts any value. */
const otherFieldsOf = ({ patternProperties, additionalProperties = true }: SchemaPart): unknown =>
  patternProperties === undefined ? additionalProperties : true;

function areOtherFieldsProven(all: Conjunction, outer: SchemaPart): boolean | undefined {
  const others = outer["additionalProperties"];
  if (typeof others === "boolean") return true;
  if (outer["patternProperties"] !== undefined) return undefined;
  const named = all.flatMap(({ properties }) => Object.keys(recordOf(properties)));
  return (
    isPartProven(all.map(otherFieldsOf), others) &&
    named.every((key) => own(outer["properties"], key) !== undefined || isFieldProven(all, key, others))
  );
}

/** `parts`: the schemas that the element or field must all match. */
function isPartProven(parts: unknown[], outer: unknown): boolean {
  const [first = true, ...more] = parts.filter((part) => part !== true);
  const inner: unknown = more.length === 0 ? first : { allOf: [first, ...more] };
  return isSchema(outer) && isContained(isSchema(inner) ? inner : true, outer);
}
