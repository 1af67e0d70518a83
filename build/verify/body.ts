import { finding, isError, messageOf, startOf } from "../findings/finding.ts";
import { isUtf8 } from "node:buffer";
import { beginning, excerpt } from "../hosting/http/reply.ts";
import { fieldName, type Path, isObject, jsonIn, type JsonObject } from "../source/json/object.ts";
import { isTooDeep, MAX_DEPTH } from "../source/json/parse.ts";
import { derive, type Placement } from "../model/derive.ts";
import { formats } from "../model/formats.ts";
import { NO_MEDIA } from "../model/media.ts";
import type { PageModel, PageResponse } from "../model/page.ts";
import {
  formatOf,
  variantOf,
  type Limits,
  type NumberValue,
  type ObjectValue,
  type TextValue,
  type ValueModel,
} from "../model/model.ts";

/*
 * Checks the bodies of responses against the model. It is independent of the engine, which checks sources: a
 * fault of the engine must not hide itself.
 */

/** A field or an element of a value, with its model. */
type ValuePart = [step: string | number, model: ValueModel, value: unknown];

const publishedFields = ({ fields }: ObjectValue): [name: string, field: ValueModel][] =>
  [...fields].filter(([, { isSourceOnly }]) => !isSourceOnly);

/** What a value must be: for a derived field, and for a block of its type. */
function formOf(model: ValueModel, value: unknown): ValueModel {
  if (model.kind === "derived") return model.response;
  return model.kind === "block" ? (variantOf(model, value) ?? model) : model;
}

function partsOf(form: ValueModel, value: unknown): ValuePart[] {
  if (form.kind === "object" && isObject(value))
    return publishedFields(form).map(([name, field]) => [name, field, value[name]]);
  if (!Array.isArray(value)) return [];
  if (form.kind === "tuple") return form.items.map((item, i) => [i, item, value[i]]);
  if (form.kind === "list") return value.map((item, i) => [i, form.element, item]);
  if (form.kind !== "open" || form.of !== "objects") return [];
  return value.map((item, i) => [i, { ...form, of: "object", isNullable: false }, item]);
}

function* mismatches(model: ValueModel, value: unknown, path: Path = []): Generator<string> {
  if (value === null && model.isNullable) return;
  const form = formOf(model, value);
  const fault = faultOf(form, value);
  if (fault !== undefined) {
    yield `${path.join(".")}${fault}`;
    return;
  }
  const parts = partsOf(form, value);
  for (const [step, part, inner] of parts) yield* mismatches(part, inner, [...path, step]);
  if (form.kind !== "object" || !isObject(value)) return;
  const names = new Set(parts.map(([name]) => name));
  const unknown = Object.keys(value).filter((name) => !names.has(name));
  if (unknown.length > 0)
    yield `${path.length === 0 ? "" : `${path.join(".")}: `}unknown field ${excerpt(unknown.join(", "))}`;
}

/** What is wrong with a value, apart from its parts. */
function faultOf(form: ValueModel, value: unknown): string | undefined {
  if (value === undefined) return " is missing";
  if (value === null && form.isNullable) return undefined;
  const expected = (type: string): string => `: expected ${type}, found ${printed(value)}`;
  const unless = (isAllowed: boolean): string | undefined =>
    isAllowed ? undefined : `: ${printed(value)} is not allowed`;
  switch (form.kind) {
    case "object":
      return isObject(value) ? undefined : expected("object");
    case "list":
      if (!Array.isArray(value)) return expected("array");
      return unless(!(form.isNeverEmpty && value.length === 0) && isWithin(form, value.length));
    case "tuple":
      return Array.isArray(value) ? unless(value.length === form.items.length) : expected("tuple");
    case "text":
      return typeof value === "string" ? unless(isText(form, value)) : expected("string");
    case "number":
      if (form.reference?.shows !== undefined) return isObject(value) ? undefined : expected("object");
      if (typeof value !== "number") return expected("number");
      if (form.isInteger && !Number.isInteger(value)) return expected("int");
      if (form.isInteger && (!Number.isSafeInteger(value) || (form.isId && value < 1))) return unless(false);
      return unless(isWithin(form, value) && isChoice(form, value));
    case "boolean":
      return typeof value === "boolean" ? undefined : expected("boolean");
    case "literal":
      return unless(form.values.includes(value as string));
    case "open":
      if (form.of === "object") return unless(isObject(value));
      return form.of === "any" || Array.isArray(value) ? undefined : expected("array");
    default:
      // A block of an unknown type.
      return unless(false);
  }
}

/** In a response, a media address is always complete. */
function isText(model: TextValue, text: string): boolean {
  if (text === "") return model.mayBeEmpty;
  const format = model.format === "media-url" ? formats["absolute-url"] : formatOf(model);
  return format?.matches(text) !== false && isWithin(model, text.length) && isChoice(model, text);
}

const isWithin = ({ min = -Infinity, max = Infinity }: Limits, value: number): boolean =>
  value >= min && value <= max;

const isChoice = ({ choices }: TextValue | NumberValue, value: string | number): boolean =>
  choices === undefined || choices.isOpen || choices.values.includes(value);

const printed = (value: unknown): string => excerpt(JSON.stringify(value)).slice(0, 80);

/** The objects whose keys are not in the order of the model. Only for a value that matches it. */
function* disorders(model: ValueModel, value: unknown, path: Path = []): Generator<string> {
  const parts = partsOf(formOf(model, value), value);
  const found = isObject(value) ? Object.keys(value) : [];
  const at = parts.findIndex(([name], i) => typeof name === "string" && name !== found[i]);
  if (at >= 0)
    yield `in ${fieldName(path) || "the page"}: expected ${parts[at]?.[0]}, found ${excerpt(found[at] ?? "nothing")}`;
  for (const [step, part, inner] of parts) yield* disorders(part, inner, [...path, step]);
}

/** The fields that are not as the fields from which they are derived, or break a rule. Only for a value that matches. */
function* contradictions(
  model: ValueModel,
  value: unknown,
  placement: Placement,
  path: Path = [],
): Generator<string> {
  if (model.kind === "derived" || value === null) return;
  const form = formOf(model, value);
  const object = value as JsonObject;
  for (const [step, part, inner] of partsOf(form, value)) {
    const expected = part.kind === "derived" ? derive(part.row, object, placement) : inner;
    if (part.kind === "derived" && JSON.stringify(inner) !== JSON.stringify(expected))
      yield `${fieldName([...path, step])}: expected ${printed(expected)}, as ${part.row.from}, found ${printed(inner)}`;
    yield* contradictions(part, inner, placement, [...path, step]);
  }
  for (const { fields, fault, code } of form.kind === "object" ? form.rules : []) {
    const values = fields.map((name) => object[name]);
    const args = fault(values, (name) => fieldName([...path, name]), NO_MEDIA);
    if (args === undefined) continue;
    const broken = finding(code, args as never, startOf(""));
    if (isError(broken)) yield excerpt(messageOf(broken));
  }
}

/** The JSON object in a body, or a description of another body. */
export function parseBody(body: Buffer): JsonObject | string {
  if (!isUtf8(body)) return "the body is not UTF-8";
  const text = body.toString("utf8");
  if (text.startsWith("\ufeff")) return "the body begins with a byte order mark";
  const value = jsonIn(text);
  if (value === undefined) return `not JSON: ${beginning(text)}`;
  if (isTooDeep(value)) return `lists and objects nested more than ${MAX_DEPTH} levels deep`;
  return isObject(value) ? value : `not an object: ${beginning(text)}`;
}

/** The first mismatch with the schema of the page's type; undefined if there is none. */
export function schemaFault(page: JsonObject, model: PageModel): string | undefined {
  const type = isObject(page["meta"]) ? page["meta"]["type"] : undefined;
  if (!model.has(type))
    return `meta.type: expected a page type, found ${excerpt(JSON.stringify(type) ?? "nothing")}`;
  const [fault, ...more] = mismatches(model.sourceOf(type), page);
  return fault && `${fault}${more.length > 0 ? ` (and ${more.length} more)` : ""}`;
}

/** The first object whose keys are not in the API's order. Only for a page that matches its schema. */
export function orderFault(page: PageResponse, model: PageModel): string | undefined {
  const [fault] = disorders(model.sourceOf(page.meta.type), page);
  return fault;
}

/** The first field without the value that follows from others. Only for a page that matches its schema. */
export function equalsFault(page: PageResponse, model: PageModel): string | undefined {
  const { detail_url: response, html_url: address, slug, parent, locale, translations } = page.meta;
  const placement = { response, address, slug, parent, locale, translations };
  const [fault] = contradictions(model.sourceOf(page.meta.type), page, placement);
  return fault;
}

export function bytesFault(served: Buffer, built: Buffer): string | undefined {
  if (served.equals(built)) return undefined;
  const shorter = Math.min(served.length, built.length);
  let at = 0;
  while (at < shorter && served[at] === built[at]) at++;
  const around = (body: Buffer): string =>
    excerpt(body.subarray(Math.max(0, at - 15), at + 25).toString("utf8"));
  return `differs from byte ${at + 1} on: expected …${around(built)}…, found …${around(served)}…`;
}
