import type * as z from "zod";
import { isObject } from "../json/object.ts";
import { isTooDeep } from "../json/depth.ts";
import { MAX_DEPTH } from "../json/parse.ts";
import { definitionOf } from "../page/field.ts";
import { responseSchemaOf, type PageResponse } from "../page/page.ts";
import { isPageType } from "../page/types.ts";
import { beginning } from "../http/reply.ts";
import { shown } from "../http/reply.ts";

/** Checks a page's body against the response schema, and against the API's rules between fields. */

type Json = Record<string, unknown>;

/** The JSON object in a body, or a description of another body. */
export function parseBody(body: Buffer): Json | string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return "the body is not UTF-8";
  }
  if (text.startsWith("\ufeff")) return "the body begins with a byte order mark";
  try {
    const value: unknown = JSON.parse(text);
    if (isTooDeep(value)) return `lists and objects nested more than ${MAX_DEPTH} levels deep`;
    return isObject(value) ? value : `not an object: ${beginning(text)}`;
  } catch {
    return `not JSON: ${beginning(text)}`;
  }
}

/** The first mismatch with the schema of the page's type; undefined if there is none. */
export function schemaFault(page: Json): string | undefined {
  const type = isObject(page["meta"]) ? page["meta"]["type"] : undefined;
  if (!isPageType(type))
    return `meta.type: expected a page type, found ${shown(JSON.stringify(type) ?? "nothing")}`;
  const result = responseSchemaOf(type).safeParse(page);
  if (result.success) return undefined;
  const [issue, ...more] = result.error.issues;
  if (issue === undefined) return "it does not match the schema";
  return `${issueWords(page, issue)}${more.length > 0 ? ` (and ${more.length} more)` : ""}`;
}

function issueWords(page: Json, issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys")
    return `${path === "" ? "" : `${path}: `}unknown field ${shown(issue.keys.join(", "))}`;
  let value: unknown = page;
  for (const key of issue.path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
  if (value === undefined) return `${path} is missing`;
  const found = shown(JSON.stringify(value)).slice(0, 80);
  return issue.code === "invalid_type"
    ? `${path}: expected ${issue.expected}, found ${found}`
    : `${path}: ${found} is not allowed`;
}

/** The first object whose keys are not in the API's order. Only for a page that matches its schema. */
export function orderFault(page: PageResponse): string | undefined {
  return disorder(responseSchemaOf(page.meta.type), page, "");
}

function disorder(schema: z.ZodType, value: unknown, path: string): string | undefined {
  const definition = definitionOf(schema);
  if (definition.type === "nullable")
    return value === null ? undefined : disorder(definition.innerType, value, path);
  if (definition.type === "array")
    return first(
      (value as unknown[]).map((item, i) => () => disorder(definition.element, item, `${path}[${i}]`)),
    );
  if (definition.type !== "object") return undefined;
  const fields = Object.entries(definition.shape);
  const found = Object.keys(value as Json);
  const at = fields.findIndex(([key], i) => key !== found[i]);
  if (at >= 0) {
    const where = path === "" ? "the page" : path;
    return `in ${where}: expected ${fields[at]?.[0]}, found ${shown(found[at] ?? "nothing")}`;
  }
  return first(
    fields.map(
      ([key, field]) =>
        () =>
          disorder(field, (value as Json)[key], path === "" ? key : `${path}.${key}`),
    ),
  );
}

function first(faults: (() => string | undefined)[]): string | undefined {
  for (const fault of faults) {
    const words = fault();
    if (words !== undefined) return words;
  }
  return undefined;
}

/** The fields that repeat another field, or a value of a list. */
interface EqualFields {
  meta: { html_url: string };
  url?: string;
  classificationId?: number;
  classification?: { id: number };
  subject_tags?: string[];
  subjects?: { name: string }[];
  resources?: { type: string; slug_name?: string }[];
  master_images?: { sizes: [number, string, string][]; default_url: string; current_size: string }[];
}

const EQUAL_FIELDS: readonly (keyof EqualFields)[] = [
  "url",
  "classificationId",
  "subject_tags",
  "resources",
  "master_images",
];

export const hasEqualFields = (page: PageResponse): boolean => EQUAL_FIELDS.some((field) => field in page);

/** The first of these fields without the value that it repeats. Only for a page that matches its schema. */
export function equalsFault(page: EqualFields): string | undefined {
  const { url, classificationId, classification, subject_tags: tags, subjects = [] } = page;
  if (url !== undefined && url !== page.meta.html_url)
    return `url: expected ${shown(page.meta.html_url)}, as html_url, found ${shown(url)}`;
  if (classificationId !== classification?.id)
    return `classificationId: expected ${classification?.id}, as classification.id, found ${classificationId}`;
  if (tags !== undefined && JSON.stringify(tags) !== JSON.stringify(subjects.map(({ name }) => name)))
    return "subject_tags are not the names in subjects";
  for (const { type, slug_name } of page.resources ?? [])
    if (slug_name !== undefined && slug_name !== type.toLowerCase().replaceAll("_", "-"))
      return `slug_name: ${shown(slug_name)} does not match the type ${shown(type)}`;
  for (const { sizes, default_url, current_size } of page.master_images ?? []) {
    if (sizes.every(([, , address]) => address !== default_url))
      return `default_url: ${shown(default_url)} is not the URL of any size`;
    if (sizes.every(([, range]) => range !== current_size))
      return `current_size: ${shown(current_size)} is not the label of any size`;
  }
  return undefined;
}

/** The first difference between two bodies. */
export function bytesFault(served: Buffer, built: Buffer): string | undefined {
  if (served.equals(built)) return undefined;
  const shorter = Math.min(served.length, built.length);
  let at = 0;
  while (at < shorter && served[at] === built[at]) at++;
  const around = (body: Buffer): string =>
    shown(body.subarray(Math.max(0, at - 15), at + 25).toString("utf8"));
  return `differs from byte ${at + 1} on: expected …${around(built)}…, found …${around(served)}…`;
}
