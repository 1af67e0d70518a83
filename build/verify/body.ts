import { LATEST } from "../base/instant.ts";
import { finding, isError, messageOf, startOf } from "../findings/finding.ts";
import { isUtf8 } from "node:buffer";
import { beginning, excerpt } from "../http/reply.ts";
import { fieldName } from "../json/node.ts";
import { isObject, jsonIn, type JsonObject } from "../json/object.ts";
import { isTooDeep, MAX_DEPTH } from "../json/parse.ts";
import { derive, type Placement } from "../page/derive.ts";
import { formats } from "../page/formats.ts";
import { NO_MEDIA } from "../page/media.ts";
import type { PageModel, PageResponse } from "../page/page.ts";
import {
  formatOf,
  variantOf,
  type Limits,
  type NumberValue,
  type ObjectValue,
  type OpenValue,
  type TextValue,
  type ValueModel,
} from "../page/model.ts";

/*
 * Checks the bodies of responses against the model. It is independent of the engine, which checks sources: a
 * fault of the engine must not hide itself.
 */

function* mismatches(model: ValueModel, value: unknown, path = ""): Generator<string> {
  if (value === null && model.isNullable) return;
  switch (model.kind) {
    case "derived":
      yield* mismatches(model.response, value, path);
      return;
    case "object":
      yield* isObject(value) ? inObject(model, value, path) : mismatch("object", value, path);
      return;
    case "list":
      if (!Array.isArray(value)) yield* mismatch("array", value, path);
      else if ((model.isNeverEmpty && value.length === 0) || !isWithin(model, value.length))
        yield* refusal(value, path);
      else for (const [i, item] of value.entries()) yield* mismatches(model.element, item, below(path, i));
      return;
    case "tuple":
      if (!Array.isArray(value)) yield* mismatch("tuple", value, path);
      else if (value.length !== model.items.length) yield* refusal(value, path);
      else for (const [i, item] of model.items.entries()) yield* mismatches(item, value[i], below(path, i));
      return;
    case "text":
      if (typeof value !== "string") yield* mismatch("string", value, path);
      else if (!isText(model, value)) yield* refusal(value, path);
      return;
    case "number":
      if (model.reference?.shows !== undefined) {
        if (!isObject(value)) yield* mismatch("object", value, path);
      } else if (typeof value !== "number") yield* mismatch("number", value, path);
      else if (model.isInteger && !Number.isInteger(value)) yield* mismatch("int", value, path);
      else if (model.isInteger && (!Number.isSafeInteger(value) || (model.isId && value < 1)))
        yield* refusal(value, path);
      else if (!isWithin(model, value) || !isChoice(model, value)) yield* refusal(value, path);
      return;
    case "boolean":
      if (typeof value !== "boolean") yield* mismatch("boolean", value, path);
      return;
    case "block": {
      const variant = variantOf(model, value);
      yield* variant === undefined ? refusal(value, path) : mismatches(variant, value, path);
      return;
    }
    case "literal":
      if (!model.values.includes(value as string)) yield* refusal(value, path);
      return;
    default:
      yield* inOpen(model, value, path);
  }
}

const publishedFields = ({ fields }: ObjectValue): [name: string, field: ValueModel][] =>
  [...fields].filter(([, { isSourceOnly }]) => !isSourceOnly);

function* inObject(model: ObjectValue, object: Record<string, unknown>, path: string): Generator<string> {
  const known = publishedFields(model);
  for (const [name, field] of known)
    if (object[name] === undefined) yield `${below(path, name)} is missing`;
    else yield* mismatches(field, object[name], below(path, name));
  const names = new Set(known.map(([name]) => name));
  const unknown = Object.keys(object).filter((name) => !names.has(name));
  if (unknown.length > 0)
    yield `${path === "" ? "" : `${path}: `}unknown field ${excerpt(unknown.join(", "))}`;
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

function* inOpen({ of }: OpenValue, value: unknown, path: string): Generator<string> {
  if (of === "object" && !isObject(value)) yield* refusal(value, path);
  else if (of !== "any" && of !== "object" && !Array.isArray(value)) yield* mismatch("array", value, path);
  else if (of === "objects")
    for (const [i, item] of (value as unknown[]).entries())
      if (!isObject(item)) yield* refusal(item, below(path, i));
}

const below = (path: string, step: string | number): string =>
  path === "" ? String(step) : `${path}.${step}`;

const printed = (value: unknown): string => excerpt(JSON.stringify(value)).slice(0, 80);

const mismatch = (expected: string, value: unknown, path: string): string[] => [
  `${path}: expected ${expected}, found ${printed(value)}`,
];
const refusal = (value: unknown, path: string): string[] => [`${path}: ${printed(value)} is not allowed`];

/** The objects whose keys are not in the order of the model. Only for a value that matches it. */
function* disorders(model: ValueModel, value: unknown, path = ""): Generator<string> {
  if (model.kind === "derived") yield* disorders(model.response, value, path);
  if (model.kind === "block") {
    const variant = variantOf(model, value);
    if (variant !== undefined) yield* disorders(variant, value, path);
  }
  if (model.kind === "list" && Array.isArray(value))
    for (const [i, item] of value.entries()) yield* disorders(model.element, item, `${path}[${i}]`);
  if (model.kind !== "object" || value === null) return;
  const object = value as Record<string, unknown>;
  const fields = publishedFields(model);
  const found = Object.keys(object);
  const at = fields.findIndex(([name], i) => name !== found[i]);
  if (at >= 0)
    yield `in ${path === "" ? "the page" : path}: expected ${fields[at]?.[0]}, found ${excerpt(found[at] ?? "nothing")}`;
  for (const [name, field] of fields) yield* disorders(field, object[name], below(path, name));
}

/** The fields that are not as the fields from which they are derived, or break a rule. Only for a value that matches. */
function* contradictions(
  model: ValueModel,
  value: unknown,
  placement: Placement,
  path: readonly (string | number)[] = [],
): Generator<string> {
  if (model.kind === "list" && Array.isArray(value))
    for (const [i, item] of value.entries())
      yield* contradictions(model.element, item, placement, [...path, i]);
  if (model.kind === "block") {
    const variant = variantOf(model, value);
    if (variant !== undefined) yield* contradictions(variant, value, placement, path);
  }
  if (model.kind !== "object" || value === null) return;
  const object = value as JsonObject;
  for (const [name, field] of publishedFields(model)) {
    const expected = field.kind === "derived" ? derive(field.row, object, placement) : object[name];
    if (field.kind === "derived" && JSON.stringify(object[name]) !== JSON.stringify(expected))
      yield `${fieldName([...path, name])}: expected ${printed(expected)}, as ${field.row.from}, found ${printed(object[name])}`;
    yield* contradictions(field, object[name], placement, [...path, name]);
  }
  for (const { fields, isValid, code, args } of model.rules) {
    const values = fields.map((name) => object[name]);
    if (isValid(values, NO_MEDIA, LATEST)) continue;
    const full = (name: string): string => fieldName([...path, name]);
    const broken = finding(code, args(values, full, NO_MEDIA) as never, startOf(""));
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
  const { detail_url: response, html_url: address, slug, parent } = page.meta;
  const [fault] = contradictions(model.sourceOf(page.meta.type), page, { response, address, slug, parent });
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
