import { isUtf8 } from "node:buffer";
import { isObject, jsonIn, type JsonObject } from "../json/object.ts";
import { isTooDeep, MAX_DEPTH } from "../json/parse.ts";
import type { PageModel, PageResponse } from "../page/page.ts";
import { beginning, excerpt } from "../http/reply.ts";
import { contradictions, disorders, mismatches } from "./fields.ts";

/** Checks a page's body against the response schema, and against the API's rules between fields. */

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
