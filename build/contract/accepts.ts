import { isObject } from "../json/object.ts";
import { ANNOTATIONS, orderedText } from "./canonical.ts";

/** Whether a value is accepted; undefined if this cannot be decided here. */
export type Verdict = boolean | undefined;

/** Whether a schema accepts a value. References, formats and unknown keywords leave the result undecided. */
export function accepts(schema: unknown, value: unknown): Verdict {
  if (typeof schema === "boolean") return schema;
  if (!isObject(schema)) return undefined;
  return all(
    Object.keys(schema)
      .filter((key) => schema[key] !== undefined && !ANNOTATIONS.has(key))
      .map((key) => (Object.hasOwn(KEYWORDS, key) ? KEYWORDS[key]?.(schema[key], value, schema) : undefined)),
  );
}

export const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"] as const;
export type Type = (typeof TYPES)[number];

/** The JSON Schema type of a value: a whole number is an integer. */
export function typeOf(value: unknown): Type {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "boolean" | "string" | "object";
}

/** Whether the keyword `type` allows a type. */
export function isOfType(type: unknown, wanted: Type): boolean {
  if (type === undefined) return true;
  const types = new Set<unknown>([type].flat());
  return types.has(wanted) || (wanted === "integer" && types.has("number"));
}

const all = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.includes(false) ? false : verdicts.includes(undefined) ? undefined : true;
const any = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.includes(true) ? true : verdicts.includes(undefined) ? undefined : false;
const opposite = (verdict: Verdict): Verdict => (verdict === undefined ? undefined : !verdict);

/** Whether the number of true verdicts is between `min` and `max`. */
function isCount(verdicts: readonly Verdict[], min: number, max: number): Verdict {
  const least = verdicts.filter((one) => one === true).length;
  const most = verdicts.filter((one) => one !== false).length;
  if (most < min || least > max) return false;
  return least >= min && most <= max ? true : undefined;
}

type Keyword = (expected: unknown, value: unknown, schema: Record<string, unknown>) => Verdict;

/** A keyword that checks values of one kind, and accepts all others. */
const forKind =
  <T>(
    isKind: (value: unknown) => value is T,
    keyword: (expected: unknown, value: T, schema: Record<string, unknown>) => Verdict,
  ): Keyword =>
  (expected, value, schema) =>
    isKind(value) ? keyword(expected, value, schema) : true;

const isNumber = (value: unknown): value is number => typeof value === "number";
const isText = (value: unknown): value is string => typeof value === "string";
const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** A keyword that compares a value, or its length, with a bound. */
const bound = <T>(
  isKind: (value: unknown) => value is T,
  numberOf: (value: T) => number,
  holds: (own: number, bound: number) => boolean,
): Keyword =>
  forKind(isKind, (expected, value) => (isNumber(expected) ? holds(numberOf(value), expected) : undefined));

const atLeast = (own: number, limit: number): boolean => own >= limit;
const atMost = (own: number, limit: number): boolean => own <= limit;
const itself = (value: number): number => value;
const lengthOf = (value: { length: number }): number => value.length;
const codePoints = (text: string): number => Array.from(text).length;
const fieldCount = (value: object): number => Object.keys(value).length;

/** For a keyword that another keyword reads. */
const readElsewhere: Keyword = () => true;

const KEYWORDS: Record<string, Keyword> = {
  type: (type, value) => isOfType(type, typeOf(value)),
  const: (expected, value) => orderedText(expected) === orderedText(value),
  enum: (values, value) =>
    isList(values) ? values.some((one) => orderedText(one) === orderedText(value)) : undefined,

  allOf: (schemas, value) => (isList(schemas) ? all(schemas.map((one) => accepts(one, value))) : undefined),
  anyOf: (schemas, value) => (isList(schemas) ? any(schemas.map((one) => accepts(one, value))) : undefined),
  oneOf: (schemas, value) =>
    isList(schemas)
      ? isCount(
          schemas.map((one) => accepts(one, value)),
          1,
          1,
        )
      : undefined,
  not: (schema, value) => opposite(accepts(schema, value)),
  if: (condition, value, schema) => {
    const isMet = accepts(condition, value);
    const branches = [schema["then"] ?? true, schema["else"] ?? true].map((one) => accepts(one, value));
    return isMet === undefined
      ? branches[0] === branches[1]
        ? branches[0]
        : undefined
      : branches[isMet ? 0 : 1];
  },
  then: readElsewhere,
  else: readElsewhere,

  minimum: bound(isNumber, itself, atLeast),
  maximum: bound(isNumber, itself, atMost),
  exclusiveMinimum: bound(isNumber, itself, (own, limit) => own > limit),
  exclusiveMaximum: bound(isNumber, itself, (own, limit) => own < limit),
  // Validators disagree about fractions that a double cannot represent.
  multipleOf: forKind(isNumber, (unit, value) => {
    if (!isNumber(unit) || unit <= 0) return undefined;
    const isWhole = value % unit === 0;
    return isWhole === Number.isInteger(value / unit) ? isWhole : undefined;
  }),

  minLength: bound(isText, codePoints, atLeast),
  maxLength: bound(isText, codePoints, atMost),
  pattern: forKind(isText, (pattern, value) => matches(pattern, value)),
  format: (_, value) => (isText(value) || isNumber(value) ? undefined : true),

  minItems: bound(isList, lengthOf, atLeast),
  maxItems: bound(isList, lengthOf, atMost),
  uniqueItems: forKind(isList, (isUnique, value) =>
    isUnique === true ? new Set(value.map(orderedText)).size === value.length : true,
  ),
  prefixItems: forKind(isList, (schemas, value) =>
    isList(schemas) ? all(schemas.slice(0, value.length).map((one, i) => accepts(one, value[i]))) : undefined,
  ),
  items: forKind(isList, (schema, value, { prefixItems }) =>
    all(value.slice(isList(prefixItems) ? prefixItems.length : 0).map((one) => accepts(schema, one))),
  ),
  contains: forKind(isList, (schema, value, { minContains = 1, maxContains = Infinity }) =>
    isNumber(minContains) && isNumber(maxContains)
      ? isCount(
          value.map((one) => accepts(schema, one)),
          minContains,
          maxContains,
        )
      : undefined,
  ),
  minContains: readElsewhere,
  maxContains: readElsewhere,

  required: forKind(isObject, (names, value) =>
    isList(names) ? names.every((name) => Object.hasOwn(value, name as string)) : undefined,
  ),
  minProperties: bound(isObject, fieldCount, atLeast),
  maxProperties: bound(isObject, fieldCount, atMost),
  properties: forKind(isObject, (schemas, value) =>
    isObject(schemas)
      ? all(
          Object.keys(schemas).map(
            (name) => !Object.hasOwn(value, name) || accepts(schemas[name], value[name]),
          ),
        )
      : undefined,
  ),
  patternProperties: forKind(isObject, (schemas, value) =>
    isObject(schemas)
      ? all(
          Object.keys(value).flatMap((name) =>
            Object.keys(schemas).map((pattern) =>
              any([opposite(matches(pattern, name)), accepts(schemas[pattern], value[name])]),
            ),
          ),
        )
      : undefined,
  ),
  additionalProperties: forKind(isObject, (schema, value, { properties, patternProperties }) =>
    all(
      Object.keys(value).map((name) => {
        const isNamed = isObject(properties) && Object.hasOwn(properties, name);
        const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : [];
        return any([
          isNamed,
          ...patterns.map((pattern) => matches(pattern, name)),
          accepts(schema, value[name]),
        ]);
      }),
    ),
  ),
  propertyNames: forKind(isObject, (schema, value) =>
    all(Object.keys(value).map((name) => accepts(schema, name))),
  ),
};

function matches(pattern: unknown, text: string): Verdict {
  if (!isText(pattern)) return undefined;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return undefined;
  }
}
