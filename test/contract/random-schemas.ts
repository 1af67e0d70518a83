/* oxlint-disable oxc/no-map-spread -- values are copied, as they are used again */
import { format, Validator } from "@cfworker/json-schema";
import * as fc from "fast-check";
import type { Schema } from "../../build/contract/canonical.ts";

/*
 * Random schemas and values. Their vocabulary is small, so that they often match: numbers from -2 to 6, strings of “a”
 * and “b”, fields “a” to “d”.
 */

type Keywords = Record<string, unknown>;

const number = fc.constantFrom(-1, 0, 0.5, 1, 2, 2.5, 3, 4);
const length = fc.nat({ max: 3 });
const patterns = fc.constantFrom(
  "^a",
  "b$",
  "^a*$",
  "^$|^a+$",
  "^$|^(?!ab)a",
  "^(?!ab)a",
  "^(?=.b)a",
  "^(?=.b)(?!ab)a",
  "^a|b$",
  "^(?=.b)a|b$",
  "^[(?=]|^a",
);
const field = fc.constantFrom("a", "b", "c");

/** Formats: strings of at most two letters, and strings without “b”. */
export const FORMATS = { short: /^.{0,2}$/u, plain: /^[^b]*$/u };

const some = <T>(keywords: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(keywords, { requiredKeys: [] });

const typed = (type: unknown, keywords: fc.Arbitrary<Keywords>): fc.Arbitrary<Keywords> =>
  fc.tuple(fc.boolean(), keywords).map(([isTyped, rest]) => (isTyped ? { type, ...rest } : rest));

const anyText = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 4 });
const scalar = fc.oneof(
  fc.constantFrom(null, true, false),
  fc.integer({ min: -2, max: 6 }),
  fc.constantFrom(-0.5, 0.5, 1.5, 2.5, 2.25),
  anyText,
);

/** A value of at most two levels. */
export const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "d"), tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

const numbers = some({
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: fc.constantFrom(0.5, 1, 2, 3, 4, 6),
});
const texts = some({
  minLength: length,
  maxLength: length,
  pattern: patterns,
  format: fc.constantFrom(...Object.keys(FORMATS)),
});
export const numberKeywords = typed("number", numbers);
export const textKeywords = typed("string", texts);

/** All lists of at most `most` elements. */
const listsOf = <T>(elements: readonly T[], most: number): T[][] =>
  most === 0
    ? [[]]
    : [[], ...elements.flatMap((first) => listsOf(elements, most - 1).map((rest) => [first, ...rest]))];

const SCALARS = [null, true, false, -2, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.25, 2.5, 3, 4, 5, 6];

/** The values that a validator checks: every scalar and every short list of the vocabulary, and random values. */
export const VALUES: readonly unknown[] = [
  ...new Set(
    [
      ...SCALARS,
      ...listsOf(["a", "b"], 4).map((letters) => letters.join("")),
      ...listsOf<unknown>([null, 1, "a"], 3),
      ...listsOf<[string, unknown]>(
        ["a", "b", "c", "d"].map((name) => [name, name === "b" ? 1 : "a"]),
        2,
      ).map((fields) => Object.fromEntries(fields)),
      ...fc.sample(anyValue, { numRuns: 150, seed: 1 }),
    ].map((value) => JSON.stringify(value)),
  ),
].map((text) => JSON.parse(text) as unknown);

export const { schema: anySchema } = fc.letrec<{ schema: Schema }>((tie) => {
  const list = fc.array(tie("schema"), { minLength: 1, maxLength: 2 });
  const lists = some({
    items: tie("schema"),
    prefixItems: list,
    minItems: length,
    maxItems: length,
    uniqueItems: fc.boolean(),
    contains: tie("schema"),
    minContains: length,
  });
  const objects = some({
    properties: fc.dictionary(field, tie("schema"), { maxKeys: 2, noNullPrototype: true }),
    required: fc.uniqueArray(field, { maxLength: 2 }),
    additionalProperties: fc.oneof(fc.constant(false), fc.constant(false), tie("schema")),
    patternProperties: fc.dictionary(fc.constantFrom("^a", "d"), tie("schema"), {
      maxKeys: 1,
      noNullPrototype: true,
    }),
    propertyNames: fc.record({ pattern: patterns }),
    minProperties: length,
    maxProperties: length,
  });
  return {
    schema: fc.oneof(
      { maxDepth: 1, withCrossShrink: true, depthSize: "xsmall" },
      fc.oneof(
        { weight: 1, arbitrary: fc.boolean() },
        { weight: 4, arbitrary: numberKeywords },
        { weight: 3, arbitrary: typed("integer", numbers) },
        { weight: 6, arbitrary: textKeywords },
        { weight: 2, arbitrary: fc.constantFrom("null", "boolean").map((type) => ({ type })) },
        {
          weight: 2,
          arbitrary: fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }) }),
        },
        { weight: 1, arbitrary: fc.record({ const: anyValue }) },
        {
          weight: 2,
          arbitrary: fc
            .tuple(
              fc.uniqueArray(fc.constantFrom("null", "string", "integer"), { minLength: 1 }),
              numbers,
              texts,
            )
            .map(([type, ...rest]) => Object.assign({ type }, ...rest) as Keywords),
        },
      ),
      typed("object", objects),
      typed("array", lists),
      fc
        .tuple(
          some({
            anyOf: list,
            oneOf: list,
            allOf: list,
            not: tie("schema"),
            if: tie("schema"),
            then: tie("schema"),
            else: tie("schema"),
          }),
          fc.oneof(numbers, texts, objects),
        )
        .map(([combined, rest]) => ({ ...combined, ...rest })),
      fc.record({ anyOf: list }),
    ),
  };
});

const isObject = (value: unknown): value is Keywords =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The subschemas of a schema, each with a function that replaces it. */
function insides(schema: Keywords): [inside: Schema, replace: (by: Schema) => Keywords][] {
  return Object.entries(schema).flatMap(([key, value]): [Schema, (by: Schema) => Keywords][] => {
    if (["anyOf", "allOf", "oneOf", "prefixItems"].includes(key))
      return (value as Schema[]).map((one, i) => [
        one,
        (by) => ({ ...schema, [key]: (value as Schema[]).with(i, by) }),
      ]);
    if (key === "properties" || key === "patternProperties")
      return Object.entries(value as Record<string, Schema>).map(([name, one]) => [
        one,
        (by) => ({ ...schema, [key]: { ...(value as object), [name]: by } }),
      ]);
    return ["items", "not", "if", "then", "else", "contains", "additionalProperties"].includes(key)
      ? [[value as Schema, (by) => ({ ...schema, [key]: by })]]
      : [];
  });
}

/** Changes a schema at one position, which the numbers choose. `other` returns the new subschema. */
function changed(schema: Schema, other: Schema, [at = 0, ...rest]: number[]): Schema {
  if (!isObject(schema)) return other;
  const deeper = insides(schema);
  if (deeper.length > 0 && at % 3 !== 0) {
    const [inside, replace] = deeper[at % deeper.length] as (typeof deeper)[number];
    return replace(changed(inside, other, rest));
  }
  const keys = Object.keys(schema);
  const key = keys[(rest[0] ?? 0) % Math.max(1, keys.length)] ?? "";
  const { [key]: _, ...without } = schema;
  switch ((rest[1] ?? 0) % 6) {
    case 0:
      return without;
    case 1:
      return { anyOf: [schema, other] };
    case 2:
      return { allOf: [schema, other] };
    case 3:
      return isObject(other) ? { ...schema, ...other } : other;
    case 4:
      return isObject(other) && key in other
        ? { ...schema, [key]: other[key] }
        : { ...without, ...(isObject(other) ? other : {}) };
    default:
      return Array.isArray(schema[key]) ? { ...schema, [key]: (schema[key] as unknown[]).slice(1) } : without;
  }
}

/** Two schemas: the second is random, or the first one with a few changes. */
export const anyPair = fc
  .tuple(
    anySchema,
    fc.array(fc.tuple(anySchema, fc.array(fc.nat(), { minLength: 5, maxLength: 5 })), {
      minLength: 1,
      maxLength: 2,
    }),
    fc.nat({ max: 9 }),
  )
  .map(([before, changes, kind]): [before: Schema, after: Schema] => {
    const [[other] = [true]] = changes;
    if (kind === 0) return [before, other];
    const after = changes.reduce((schema, [next, places]) => changed(schema, next, places), before);
    return kind < 5 ? [before, after] : [after, before];
  })
  .map(([before, after]) => [usable(before), usable(after)] as const);

/** Rewritings of a schema that accept the same values. */
const REWORDINGS: ((schema: Keywords) => Schema)[] = [
  (schema) => Object.fromEntries(Object.entries(schema).toReversed()),
  (schema) => ({ allOf: [schema] }),
  (schema) => ({ anyOf: [schema] }),
  (schema) => ({ anyOf: [schema, schema] }),
  (schema) => ({ allOf: [schema, true], title: "The same" }),
  // Each of these keywords does not depend on others, so it may be in a subschema of its own.
  ({ minimum, maximum, minLength, maxLength, pattern, ...rest }) => ({
    ...rest,
    allOf: [
      ...((rest["allOf"] as Schema[] | undefined) ?? []),
      ...Object.entries({ minimum, maximum, minLength, maxLength, pattern })
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => ({ [key]: value })),
      true,
    ],
  }),
  ({ const: value, ...rest }) => (value === undefined ? rest : { ...rest, enum: [value] }),
  ({ type, ...rest }) =>
    Array.isArray(type)
      ? { anyOf: type.map((one: unknown) => ({ ...rest, type: one })) }
      : { ...rest, ...(type === undefined ? {} : { type: [type] }) },
  ({ enum: values, ...rest }) =>
    Array.isArray(values) ? { ...rest, anyOf: values.map((value: unknown) => ({ const: value })) } : rest,
  (schema) =>
    Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [
        key,
        ["anyOf", "allOf", "oneOf", "required", "enum"].includes(key) && Array.isArray(value)
          ? value.toReversed()
          : value,
      ]),
    ),
];

/** A schema and a rewriting of it that accepts the same values. */
export const reworded = fc
  .tuple(anySchema, fc.constantFrom(...REWORDINGS), fc.boolean())
  .map(([schema, reword, isLater]): [before: Schema, after: Schema] => {
    const before = usable(schema);
    const other = isObject(before) ? usable(reword(before)) : before;
    return isLater ? [before, other] : [other, before];
  });

/** Removes the empty lists that JSON Schema does not allow. */
const usable = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    ["anyOf", "allOf", "oneOf", "prefixItems", "enum", "type"].includes(key) &&
    Array.isArray(value) &&
    value.length === 0
      ? undefined
      : value,
  ) as Schema;

for (const [name, pattern] of Object.entries(FORMATS)) format[name] = (text) => pattern.test(text);

/** A validator that the program does not use. */
export function validatorOf(schema: Schema): (value: unknown) => boolean {
  const validator = new Validator(schema, "2020-12");
  return (value) => validator.validate(value).valid;
}

/**
 * The schema of a client that ignores unknown fields. Subschemas that negate or choose, such as `not` and `oneOf`, stay
 * as they are.
 */
export function tolerant(schema: Schema): Schema {
  if (!isObject(schema)) return schema;
  const open = { ...schema };
  if (open["additionalProperties"] === false) delete open["additionalProperties"];
  for (const key of ["anyOf", "allOf", "prefixItems"])
    if (Array.isArray(open[key])) open[key] = (open[key] as Schema[]).map(tolerant);
  for (const key of ["items", "additionalProperties"])
    if (isObject(open[key])) open[key] = tolerant(open[key]);
  if (isObject(open["properties"]))
    open["properties"] = Object.fromEntries(
      Object.entries(open["properties"] as Record<string, Schema>).map(([name, one]) => [
        name,
        tolerant(one),
      ]),
    );
  return open;
}
