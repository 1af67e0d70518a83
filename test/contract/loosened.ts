import * as fc from "fast-check";
import type { Schema } from "../../build/contract/canonical.ts";
import { anySchema, FORMATS, numberKeywords, textKeywords } from "./random-schemas.ts";

/* Pairs of schemas that differ in one keyword. The second schema accepts every value that the first one accepts. */

type Keywords = Record<string, unknown>;
type Pairs = fc.Arbitrary<readonly [tight: Schema, loose: Schema]>;

/**
 * Random other keywords, and two values of one keyword, the second of which is looser; undefined leaves out the
 * keyword.
 */
const pairs = (
  key: string,
  others: fc.Arbitrary<Keywords>,
  values: fc.Arbitrary<readonly [tight: unknown, loose: unknown]>,
): Pairs =>
  fc.tuple(others, values).map(([rest, [tight, loose]]) => {
    const having = (value: unknown): Keywords =>
      Object.fromEntries(Object.entries({ ...rest, [key]: value }).filter(([, one]) => one !== undefined));
    return [having(tight), having(loose)] as const;
  });

/** Two numbers in order. The second may be left out. */
const inOrder = (numbers: fc.Arbitrary<number>, sign: 1 | -1) =>
  fc.tuple(numbers, numbers, fc.nat({ max: 3 })).map(([a, b, kind]) => {
    const [less = 0, more = 0] = [a, b].sort((one, other) => sign * (one - other));
    return [less, kind === 0 ? undefined : more] as const;
  });

const numbers = fc.constantFrom(-1, 0, 0.5, 1, 2, 2.5, 3, 4);
const lengths = fc.nat({ max: 4 });
const text = (maxLength: number): Schema => ({ type: "string", maxLength });
const members = fc.array(anySchema, { minLength: 1, maxLength: 3 });

export const LOOSENED: Record<string, Pairs> = {
  maxLength: pairs("maxLength", textKeywords, inOrder(lengths, 1)),
  minLength: pairs("minLength", textKeywords, inOrder(lengths, -1)),
  pattern: pairs("pattern", textKeywords, fc.constant(["^a", undefined])),
  format: pairs(
    "format",
    textKeywords,
    fc.constantFrom(...Object.keys(FORMATS)).map((name) => [name, undefined]),
  ),
  maximum: pairs("maximum", numberKeywords, inOrder(numbers, 1)),
  exclusiveMaximum: pairs("exclusiveMaximum", numberKeywords, inOrder(numbers, 1)),
  minimum: pairs("minimum", numberKeywords, inOrder(numbers, -1)),
  exclusiveMinimum: pairs("exclusiveMinimum", numberKeywords, inOrder(numbers, -1)),
  multipleOf: pairs(
    "multipleOf",
    numberKeywords,
    fc.constantFrom<[number, number | undefined]>(
      [4, 2],
      [2, 1],
      [6, 3],
      [1, 0.5],
      [2, 0.5],
      [2, undefined],
      [0.5, undefined],
    ),
  ),
  enum: fc
    .uniqueArray(fc.constantFrom<unknown>(null, true, 0, 1, 2.5, "", "a", "ab"), { minLength: 2 })
    .map((values) => [{ enum: values.slice(1) }, { enum: values }]),
  // The tight list has one member less, or a tighter member.
  anyOf: fc.oneof(
    fc.tuple(members, anySchema).map(([some, one]) => [{ anyOf: some }, { anyOf: [...some, one] }] as const),
    fc.tuple(members, fc.tuple(lengths, lengths)).map(([some, [a, b]]) => {
      return [
        { anyOf: [text(Math.min(a, b)), ...some] },
        { anyOf: [text(Math.max(a, b)), ...some] },
      ] as const;
    }),
  ),
  maxItems: pairs("maxItems", fc.constant({ type: "array" }), inOrder(lengths, 1)),
  minItems: pairs("minItems", fc.constant({ type: "array" }), inOrder(lengths, -1)),
  uniqueItems: pairs("uniqueItems", fc.constant({ type: "array" }), fc.constant([true, undefined])),
  required: pairs(
    "required",
    fc.constant({ type: "object" }),
    fc.constantFrom([["a", "b"], ["a"]], [["a"], undefined]),
  ),
};

/** Positions of a schema: the whole schema, or inside another one, with the value around a value for this position. */
export const PLACES: { schema: (inside: Schema) => Schema; value: (inside: unknown) => unknown }[] = [
  { schema: (inside) => inside, value: (inside) => inside },
  { schema: (inside) => ({ anyOf: [inside, { type: "null" }] }), value: (inside) => inside },
  {
    schema: (inside) => ({ type: "object", properties: { x: inside }, additionalProperties: false }),
    value: (inside) => ({ x: inside }),
  },
  { schema: (inside) => ({ type: "array", items: inside }), value: (inside) => [inside] },
];
