import * as fc from "fast-check";

/*
 * Random declarations of `_types.json`, each with random values for sources and what a response has instead. This is an
 * independent judge of the program: it shares no code with it.
 */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A value as a source has it, undefined if the source leaves it out, and as the response has it. */
interface Value {
  written: Json | undefined;
  response: Json;
}

/** A declared field, valid values, and values that a build must refuse. */
export interface RandomField {
  declared: Json;
  values: fc.Arbitrary<Value>;
  wrong: readonly Json[];
  /** Whether no source may have it. */
  isConstant?: boolean;
}

const MEDIA = "https://media.example.org";
/** The ids of pages that references can name. */
export const PAGES: readonly number[] = [1, 2];

const same = (written: Json): Value => ({ written, response: written });
const WORDS = ["a", "Marsh", "Tea & cake", "“Herons”", "1850", "é"];
const HTML = ["<p>A <em>marsh</em>.</p>", '<p><a href="https://www.example.org/">A</a></p>'];
const RAW = ['<h1>A</h1><p><a linktype="page" id="1">b</a></p>', '<embed embedtype="image" id="5" alt="A"/>'];

interface Kind {
  declared: { kind: string; [name: string]: Json };
  valid: readonly Json[];
  wrong: readonly Json[];
  /** Absent if the field may not be omitted. */
  empty?: Json;
  response?: (written: Json) => Json;
}

const KINDS: readonly Kind[] = [
  { declared: { kind: "text" }, valid: WORDS, wrong: [1, true, [], {}], empty: "" },
  { declared: { kind: "text", max: 5 }, valid: ["a", "Marsh"], wrong: ["Marshes", 5], empty: "" },
  { declared: { kind: "text", choices: ["S", "M"] }, valid: ["S", "M"], wrong: ["L", "", 1] },
  { declared: { kind: "text", choices: { S: "Small" }, open: true }, valid: ["S", "other"], wrong: [1] },
  {
    declared: { kind: "text", pattern: "[A-Z]{2} [0-9]+", example: "KM 12" },
    valid: ["KM 12", "AB 1"],
    wrong: ["KM12", "km 1", " KM 1"],
    empty: "",
  },
  { declared: { kind: "html" }, valid: HTML, wrong: ["<p>a", "<h1>a</h1>", 1], empty: "" },
  {
    declared: { kind: "html", raw: true },
    valid: [...HTML, ...RAW],
    wrong: ["<script></script>", "<p>"],
    empty: "",
  },
  {
    declared: { kind: "raw-html" },
    valid: [...HTML, ...RAW, "<script>1 < 2</script>", "<p>**a**&nbsp; "],
    wrong: [1, ["<p>a</p>"]],
    empty: "",
  },
  {
    declared: { kind: "url" },
    valid: ["/visit/", "https://a.org"],
    wrong: ["visit", "//a", 1],
    empty: "",
  },
  {
    declared: { kind: "file" },
    valid: ["/a.jpg", `${MEDIA}/b.jpg`],
    wrong: ["a.jpg", 1],
    empty: "",
    response: (written) =>
      typeof written === "string" && written.startsWith("/") ? `${MEDIA}${written}` : written,
  },
  { declared: { kind: "date" }, valid: ["2026-12-31", "1600-02-29"], wrong: ["2026-02-30", "31.12.26", ""] },
  { declared: { kind: "time" }, valid: ["09:30:00", "23:59:59"], wrong: ["9:30", "24:00:00"] },
  {
    declared: { kind: "date-time" },
    valid: ["2026-12-31T09:30:00Z", "2026-12-31T09:30:00+01:00"],
    wrong: ["2026-12-31T09:30:00", "2026-12-31"],
  },
  { declared: { kind: "integer" }, valid: [0, -1, 2 ** 53 - 1], wrong: [1.5, "1", true] },
  { declared: { kind: "integer", min: 1, max: 9 }, valid: [1, 9], wrong: [0, 10, 1.5] },
  { declared: { kind: "integer", choices: [1, 2] }, valid: [1, 2], wrong: [3, "1"] },
  { declared: { kind: "number", min: 0 }, valid: [0, 7.5, 1e21], wrong: [-0.5, "7.5"] },
  { declared: { kind: "boolean" }, valid: [true, false], wrong: ["true", 1], empty: false },
  { declared: { kind: "page" }, valid: PAGES, wrong: [0, 999, "1"] },
  { declared: { kind: "page", types: ["home.HomePage"] }, valid: [1], wrong: [2, 999] },
  { declared: { kind: "json" }, valid: [1, "a", [{ b: null }], { b: 1, a: [true] }], wrong: [], empty: null },
];

function fieldOf({
  declared,
  valid,
  wrong,
  empty,
  response = (written) => written,
}: Kind): fc.Arbitrary<RandomField> {
  const values = fc
    .constantFrom(...valid)
    .map((written): Value => ({ written, response: response(written) }));
  const omitted = (value: Json): fc.Arbitrary<Value> => fc.constant({ written: undefined, response: value });
  const isChoice = "choices" in declared;
  const plain: RandomField = {
    declared: declared,
    values:
      empty === undefined
        ? values
        : fc.oneof(values, omitted(empty), fc.constant({ written: empty, response: empty })),
    wrong: [...wrong, ...(declared.kind === "json" ? [] : [null])],
  };
  const nullable: RandomField = {
    declared: { ...declared, null: true },
    values: fc.oneof(values, omitted(null), fc.constant(same(null))),
    wrong: wrong.filter((value) => value !== ""),
  };
  const required: RandomField = {
    declared: { ...declared, kind: `${declared.kind}!` },
    values,
    wrong: [...wrong, ...(empty === "" ? [""] : [])],
  };
  const hasDefault = ["text", "integer", "number", "boolean"].includes(declared.kind);
  const withDefault: RandomField = {
    declared: { ...declared, default: valid[0] as Json },
    values: fc.oneof(values, omitted(valid[0] as Json)),
    wrong: wrong.filter((value) => value !== "" || isChoice),
  };
  return fc.constantFrom(plain, nullable, required, ...(hasDefault ? [withDefault] : []));
}

const leaf = fc.constantFrom(...KINDS).chain(fieldOf);
const constant = fc.constantFrom<Json>("events.Venue", 7, true, null).map((value): RandomField => ({
  declared: { const: value },
  values: fc.constant({ written: undefined, response: value }),
  wrong: ["x"],
  isConstant: true,
}));

const NAMES = ["alpha", "beta", "gamma_2", "deltaDelta"];

type Members = [name: string, field: RandomField][];

/** The fields of an object, with a value of each. */
function membersOf(members: Members): fc.Arbitrary<Value & { written: { [name: string]: Json } }> {
  return fc.tuple(...members.map(([, { values }]) => values)).map((all) => {
    const written: { [name: string]: Json } = {};
    const response: { [name: string]: Json } = {};
    for (const [k, [name]] of members.entries()) {
      const value = all[k] as Value;
      if (value.written !== undefined) written[name] = value.written;
      response[name] = value.response;
    }
    return { written, response };
  });
}

const declaredOf = (members: Members): Json =>
  Object.fromEntries(members.map(([name, { declared }]) => [name, declared]));

const members = (
  field: fc.Arbitrary<RandomField>,
  { minLength = 0, maxLength = 3 }: { minLength?: number; maxLength?: number } = {},
): fc.Arbitrary<Members> =>
  fc
    .tuple(
      fc.uniqueArray(fc.constantFrom(...NAMES), { minLength, maxLength }),
      fc.array(field, { minLength: NAMES.length, maxLength: NAMES.length }),
    )
    .map(([names, fields]) => names.map((name, k) => [name, fields[k] as RandomField]));

const objectOf = (field: fc.Arbitrary<RandomField>): fc.Arbitrary<RandomField> =>
  members(fc.oneof(field, constant)).map((all) => ({
    declared: { fields: declaredOf(all) },
    values: membersOf(all),
    wrong: [null, [], "x", { unknown: 1 }],
  }));

const listOf = (field: fc.Arbitrary<RandomField>): fc.Arbitrary<RandomField> =>
  field.map(({ declared, values, wrong }) => ({
    declared: [declared],
    values: fc.oneof(
      fc.constant<Value>({ written: undefined, response: [] }),
      fc
        .array(
          values.filter(({ written }) => written !== undefined),
          { maxLength: 3 },
        )
        .map((all) => ({
          written: all.map(({ written }) => written as Json),
          response: all.map(({ response }) => response),
        })),
    ),
    wrong: [null, {}, "x", ...wrong.map((one) => [one])],
  }));

const BLOCKS = ["heading", "Absatz eins", "übrig"];

const blocksOf = (field: fc.Arbitrary<RandomField>): fc.Arbitrary<RandomField> =>
  fc.array(field, { minLength: 1, maxLength: BLOCKS.length }).map((fields) => {
    const block = (k: number): fc.Arbitrary<Value> =>
      fc
        .tuple(
          (fields[k] as RandomField).values,
          fc.constantFrom<Json | undefined>("0f6c4d9e", null, undefined),
        )
        .map(([value, id]) => ({
          written: {
            type: BLOCKS[k] as string,
            ...(value.written === undefined ? {} : { value: value.written }),
            ...(id === undefined ? {} : { id }),
          },
          response: { type: BLOCKS[k] as string, value: value.response, id: id ?? null },
        }));
    return {
      declared: {
        blocks: Object.fromEntries(fields.map(({ declared }, k) => [BLOCKS[k] as string, declared])),
      },
      values: fc.array(fc.oneof(...fields.map((_, k) => block(k))), { maxLength: 4 }).map((all) => ({
        written: all.map(({ written }) => written as Json),
        response: all.map(({ response }) => response),
      })),
      wrong: [null, "x", [{ value: 1 }], [{ type: "other", value: 1 }], ["x"]],
    };
  });

/** The same field, or one that may also be null. */
const orNull = (field: fc.Arbitrary<RandomField>): fc.Arbitrary<RandomField> =>
  fc.tuple(field, fc.boolean()).map(([plain, isNullable]) => {
    if (!isNullable) return plain;
    const { declared, values, wrong } = plain;
    const form = Array.isArray(declared) ? { list: declared[0] as Json } : (declared as object);
    return {
      declared: { ...form, null: true },
      values: fc.oneof(
        values.filter(({ written }) => written !== undefined),
        fc.constantFrom<Value>({ written: null, response: null }, { written: undefined, response: null }),
      ),
      wrong: wrong.filter((value) => value !== null),
    };
  });

const nested = (depth: number): fc.Arbitrary<RandomField> =>
  depth === 0
    ? leaf
    : fc.oneof(
        { arbitrary: leaf, weight: 4 },
        { arbitrary: orNull(objectOf(nested(depth - 1))), weight: 1 },
        { arbitrary: orNull(listOf(nested(depth - 1))), weight: 1 },
        { arbitrary: orNull(blocksOf(nested(depth - 1))), weight: 1 },
      );

/** A site with one declared type, and pages of it. */
export interface RandomSite {
  types: Json;
  fields: Members;
  pages: { id: number; source: { [name: string]: Json }; response: { [name: string]: Json } }[];
}

export const TYPE = "tides.TidePage";
/** The number of fields that every page has. */
export const COMMON = ["id", "meta", "title"];

export const randomSite: fc.Arbitrary<RandomSite> = members(fc.oneof(nested(2), constant), {
  minLength: 1,
  maxLength: NAMES.length,
}).chain((fields) =>
  fc.array(membersOf(fields), { minLength: 1, maxLength: 4 }).map((all) => ({
    types: { types: { [TYPE]: { label: "Tide", parents: ["home.HomePage"], fields: declaredOf(fields) } } },
    fields,
    pages: all.map(({ written, response }, k) => ({
      id: 10 + k,
      source: {
        id: 10 + k,
        meta: { type: TYPE },
        title: `Event ${k}`,
        ...(written as { [name: string]: Json }),
      },
      response: response as { [name: string]: Json },
    })),
  })),
);
