import * as fc from "fast-check";
import type { WrittenFormat } from "../../build/model/formats.ts";
import type { ObjectValue, TextValue, ValueModel } from "../../build/model/model.ts";
import { AT } from "../fuzz/validate.ts";
import { site } from "./place.ts";

/* Generated from the model only. A new format needs values here (the compiler says so), a new field none. */

type Fields = Record<string, unknown>;

/** Strings of each format, the simplest first. */
export const FORMED: Record<WrittenFormat, [string, ...string[]]> = {
  "absolute-url": ["https://www.example.org/a/", "http://b.example"],
  "site-relative": ["/a/", "/b?c#d"],
  "site-relative-query": ["/a/?b", "/?c=d"],
  address: ["/a/", "https://www.example.org/a/"],
  "media-url": ["/a.jpg", "https://media.example.org/b.jpg"],
  time: ["09:30:00", "23:59:59"],
  date: ["2001-02-03", "1999-12-31", "2024-02-29"],
  "local-date-time": ["2001-02-03T04:05:06", "1999-12-31T23:59:59"],
  "date-time": ["2001-02-03T04:05:06Z", "1999-12-31T23:59:59.5+01:00", "2002-02-03T04:05:06-02:30"],
  "end-date-time": ["2001-02-03T04:05:06Z", "9999-12-31T23:59:59+01:00"],
  timestamp: ["2001-02-03 04:05:06.0", "1999-12-31 23:59:59.123"],
  acno: ["N00001", "D99999"],
  "external-id": ["works:N00530", "a-1:é (2)"],
  "id-list": ["1", "1 22 333"],
  code: ["A", "B_2"],
  slug: ["museum", "0-A_b"],
  range: ["0-599", "600-600"],
};

const TEXTS = ["A marsh", "", "MARSH.", "é, 😀", "0", "a  b", `A ${"long ".repeat(60)}text`];
const HTML = ["<p>A <em>marsh</em>.</p>", "", "a & b", '<a href="/a/">A</a>'];
const IDS = [1, 7, Number.MAX_SAFE_INTEGER];
const INTEGERS = [1840, 0, -1, 1841, 2026];

/** Valid values of a field without fields of its own, the simplest first. */
function soundValues(model: ValueModel): unknown[] {
  switch (model.kind) {
    case "open":
      return [model.empty];
    case "literal":
      return [...model.values];
    case "boolean":
      return [true, false];
    case "number":
      return [
        ...(model.choices?.values ?? (model.isId ? IDS : model.isInteger ? INTEGERS : [0.75, ...INTEGERS])),
      ];
    case "text":
      return textsFor(model);
    default:
      throw new Error(`${model.kind} has values of its own`);
  }
}

function textsFor({ choices, format, isHtml, mayBeEmpty, isNullable }: TextValue): unknown[] {
  if (choices !== undefined) return [...choices.values];
  const texts = format === undefined ? (isHtml ? HTML : TEXTS) : FORMED[format as WrittenFormat];
  // The simplest value is not empty.
  return [...texts.filter((text) => text !== ""), ...(mayBeEmpty ? [""] : []), ...(isNullable ? [null] : [])];
}

/** The fields of an object that a source may contain. */
const writtenFields = ({ fields }: ObjectValue) => [...fields].filter(([, { kind }]) => kind !== "derived");

/** A value with every field that a source may contain, and with one element in each list. */
export function fullValue(model: ValueModel): unknown {
  switch (model.kind) {
    case "object":
      return inAgreement(
        model,
        Object.fromEntries(writtenFields(model).map(([name, field]) => [name, fullValue(field)])),
      );
    case "list":
      return [fullValue(model.element)];
    case "tuple":
      return model.items.map(fullValue);
    default:
      return soundValues(model)[0];
  }
}

/**
 * Valid values in every combination: optional fields are present or missing, and every pair of fields occurs with every
 * pair of values.
 *
 * @param other gives values to draw instead of these.
 */
export function anyValue(
  model: ValueModel,
  other: (model: ValueModel) => fc.Arbitrary<unknown> | undefined = () => undefined,
): fc.Arbitrary<unknown> {
  const values = other(model);
  if (values !== undefined) return values;
  switch (model.kind) {
    case "object": {
      const fields = writtenFields(model);
      const requiredKeys = fields.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
      const members = Object.fromEntries(fields.map(([name, field]) => [name, anyValue(field, other)]));
      return fc.record(members, { requiredKeys }).map((given) => inAgreement(model, given));
    }
    case "list":
      return fc.array(anyValue(model.element, other), { maxLength: 3 });
    case "tuple":
      return fc.tuple(...model.items.map((item) => anyValue(item, other)));
    default:
      return fc.constantFrom(...soundValues(model));
  }
}

/** Changes values that break a rule between fields, the later fields first, so that most pages are valid as a whole. */
function inAgreement({ fields: models, rules }: ObjectValue, fields: Fields): Fields {
  for (const { fields: names, validFrom, fault } of rules) {
    const choices = names.map((name) => {
      const model = models.get(name) as ValueModel;
      const given = Object.hasOwn(fields, name) ? fields[name] : model.empty;
      return [
        given,
        fullValue(model),
        ...(["list", "tuple", "object"].includes(model.kind) ? [] : soundValues(model)),
      ];
    });
    for (const values of combinations(choices)) {
      const isSettled = validFrom !== undefined && validFrom(values) <= AT;
      if (!isSettled && fault(values, String, site) !== undefined) continue;
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
