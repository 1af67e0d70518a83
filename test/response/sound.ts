import * as fc from "fast-check";
import type * as z from "zod";
import {
  definitionOf,
  derivedFields,
  formatOf,
  htmlFields,
  ids,
  occurring,
  unspecified,
  within,
} from "../../build/page/field.ts";
import type { WrittenFormat } from "../../build/page/formats.ts";
import { rulesFor } from "../../build/page/rules.ts";
import { AT } from "../../scripts/fuzz/validate.ts";
import { site } from "./place.ts";

/*
 * Valid sources, generated from the schemas only. For a new format, the compiler requires
 * values here; a new field appears by itself.
 */

type Fields = Record<string, unknown>;

/** Strings of each format, the simplest first. */
export const FORMED: Record<WrittenFormat, [string, ...string[]]> = {
  "absolute-url": ["https://www.example.org/a/", "http://b.example"],
  "site-relative": ["/a/", "/b?c#d"],
  "site-relative-query": ["/a/?b", "/?c=d"],
  address: ["/a/", "https://www.example.org/a/"],
  "media-url": ["/a.jpg", "https://media.example.org/b.jpg"],
  date: ["2001-02-03", "1999-12-31", "2024-02-29"],
  "local-date-time": ["2001-02-03T04:05:06", "1999-12-31T23:59:59"],
  "date-time": ["2001-02-03T04:05:06Z", "1999-12-31T23:59:59.5+01:00", "2002-02-03T04:05:06-02:30"],
  "end-date-time": ["2001-02-03T04:05:06Z", "9999-12-31T23:59:59+01:00"],
  timestamp: ["2001-02-03 04:05:06.0", "1999-12-31 23:59:59.123"],
  acno: ["N00001", "D99999"],
  "id-list": ["1", "1 22 333"],
  code: ["A", "B_2"],
  range: ["0-599", "600-600"],
};

const TEXTS = ["A marsh", "", "MARSH.", "é, 😀", "0", "a  b", `A ${"long ".repeat(60)}text`];
const HTML = ["<p>A <em>marsh</em>.</p>", "", "a & b", '<a href="/a/">A</a>'];
const IDS = [1, 7, Number.MAX_SAFE_INTEGER];
const INTEGERS = [1840, 0, -1, 1841, 2026];

/** Valid values of a field without fields of its own, the simplest first. */
function soundValues(schema: z.ZodType): unknown[] {
  const at = within(schema);
  const definition = definitionOf(at);
  if (unspecified.has(at)) return [schema.parse(undefined)];
  const usual = occurring.get(at)?.values;
  if (usual !== undefined) return [...usual];
  if (definition.type === "literal") return definition.values;
  if (definition.type === "boolean") return [true, false];
  if (definition.type === "number")
    return ids.has(at) ? IDS : "format" in at.def ? INTEGERS : [0.75, ...INTEGERS];
  const form = formatOf.get(at)?.format;
  const texts =
    form === undefined ? (htmlFields.has(at) ? HTML : TEXTS) : ["", ...FORMED[form as WrittenFormat]];
  const sound = texts.filter((text) => at.safeParse(text).success);
  // The simplest value is not empty.
  const values = [...sound.filter((text) => text !== ""), ...sound.filter((text) => text === "")];
  return schema.safeParse(null).success ? [...values, null] : values;
}

/** The fields of an object that a source may contain. */
const writtenFields = (shape: Record<string, z.ZodType>): [string, z.ZodType][] =>
  Object.entries(shape).filter(([, field]) => !derivedFields.has(field));

export const isRequired = (field: z.ZodType): boolean => !field.safeParse(undefined).success;

/** A value with every field that a source may contain, and with one element in each list. */
export function fullValue(schema: z.ZodType): unknown {
  const at = within(schema);
  const definition = definitionOf(at);
  if (unspecified.has(at)) return soundValues(schema)[0];
  switch (definition.type) {
    case "object":
      return inAgreement(
        definition.shape,
        Object.fromEntries(writtenFields(definition.shape).map(([name, field]) => [name, fullValue(field)])),
      );
    case "array":
      return [fullValue(definition.element)];
    case "tuple":
      return definition.items.map(fullValue);
    default:
      return soundValues(schema)[0];
  }
}

/**
 * Valid values in every combination: optional fields are present or missing, and every pair of fields occurs with every
 * pair of values.
 */
export function anyValue(schema: z.ZodType): fc.Arbitrary<unknown> {
  const at = within(schema);
  const definition = definitionOf(at);
  if (!unspecified.has(at)) {
    if (definition.type === "object") {
      const fields = writtenFields(definition.shape);
      const requiredKeys = fields.filter(([, field]) => isRequired(field)).map(([name]) => name);
      const members = Object.fromEntries(fields.map(([name, field]) => [name, anyValue(field)]));
      return fc.record(members, { requiredKeys }).map((given) => inAgreement(definition.shape, given));
    }
    if (definition.type === "array") return fc.array(anyValue(definition.element), { maxLength: 3 });
    if (definition.type === "tuple") return fc.tuple(...definition.items.map((item) => anyValue(item)));
  }
  return fc.constantFrom(...soundValues(schema));
}

type Shape = Record<string, z.ZodType>;

/** Changes values that break a rule between fields, the later fields first, so that most pages are valid as a whole. */
function inAgreement(shape: Shape, fields: Fields): Fields {
  for (const { fields: names, isValid } of rulesFor(new Map(Object.entries(shape)))) {
    const choices = names.map((name) => {
      const field = shape[name] as z.ZodType;
      const given = Object.hasOwn(fields, name) ? fields[name] : field.safeParse(undefined).data;
      return [given, fullValue(field), ...soundValues(field)];
    });
    for (const values of combinations(choices)) {
      if (!isValid(values, site, AT)) continue;
      for (const [k, name] of names.entries()) if (values[k] !== choices[k]?.[0]) fields[name] = values[k];
      break;
    }
  }
  return fields;
}

/** Every choice of one value from each list; the last list changes first. */
function* combinations([first, ...rest]: unknown[][]): Generator<unknown[]> {
  if (first === undefined) yield [];
  else for (const value of first) for (const others of combinations(rest)) yield [value, ...others];
}
