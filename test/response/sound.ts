import * as fc from "fast-check";
import type * as z from "zod";
import {
  definitionOf,
  derivedFields,
  formOf,
  htmlFields,
  ids,
  occurring,
  unspecified,
  within,
} from "../../build/page/field.ts";
import type { WrittenForm } from "../../build/page/forms.ts";
import { RULES } from "../../build/page/rules.ts";

/*
 * Valid sources that the fast path takes, generated from the schemas only. For a new format, the compiler requires
 * values here; a new field appears by itself.
 */

type Fields = Record<string, unknown>;

/** Strings of each format, the simplest first. */
const FORMED: Record<WrittenForm, [string, ...string[]]> = {
  "absolute-url": ["https://www.example.org/a/", "http://b.example"],
  "site-relative": ["/a/", "/b?c#d"],
  "site-relative-query": ["/a/?b", "/?c=d"],
  address: ["/a/", "https://www.example.org/a/"],
  "media-url": ["/a.jpg", "https://media.example.org/b.jpg"],
  date: ["2001-02-03", "1999-12-31", "2024-02-29"],
  "local-date-time": ["2001-02-03T04:05:06", "1999-12-31T23:59:59"],
  "date-time": ["2001-02-03T04:05:06Z", "1999-12-31T23:59:59.5+01:00", "2002-02-03T04:05:06-02:30"],
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
  const form = formOf.get(at)?.form;
  const texts =
    form === undefined ? (htmlFields.has(at) ? HTML : TEXTS) : ["", ...FORMED[form as WrittenForm]];
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
      return inOrder(
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
      return fc.record(members, { requiredKeys }).map(inAgreement);
    }
    if (definition.type === "array") return fc.array(anyValue(definition.element), { maxLength: 3 });
    if (definition.type === "tuple") return fc.tuple(...definition.items.map((item) => anyValue(item)));
  }
  return fc.constantFrom(...soundValues(schema));
}

/** Puts the later of two dates second. */
function inOrder(fields: Fields): Fields {
  for (const {
    code,
    fields: [start = "", end = ""],
  } of RULES) {
    const [from, to] = [fields[start], fields[end]];
    if (code !== "expires-too-early" || typeof from !== "string" || typeof to !== "string") continue;
    const [first, , last = to] = FORMED["date-time"];
    if (Date.parse(from) >= Date.parse(to)) [fields[start], fields[end]] = [first, last];
  }
  return fields;
}

/** Makes fields follow the rules between them, so that most pages are valid as a whole. */
function inAgreement(fields: Fields): Fields {
  inOrder(fields);
  for (const {
    code,
    fields: [start = "", end = ""],
  } of RULES)
    if (code === "dates-reversed" && (fields[start] as number) > (fields[end] as number))
      [fields[start], fields[end]] = [fields[end], fields[start]];
  const { sizes } = fields as { sizes?: unknown[][] };
  const one = sizes?.[0] ?? [1, "0-599", "/a.jpg"];
  const { alt_text: alt = "", height_ratio: ratio } = fields;
  const image = {
    alt_text: alt || "A marsh",
    height_ratio: Number(ratio) > 0 && Number(ratio) < 20 ? ratio : 0.75,
  };
  return sizes === undefined
    ? fields
    : {
        ...fields,
        ...image,
        sizes: sizes.length > 0 ? sizes : [one],
        current_size: one[1],
        default_url: one[2],
      };
}
