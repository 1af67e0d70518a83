import { plural, thousands } from "../../base/numbers.ts";
import { memberNames } from "../../model/model.ts";
import type { PageModel } from "../../model/page.ts";
import { isObject, type JsonObject } from "../../source/json/object.ts";

/* The values of a record's page, and those of its source. */

/** The page of a record: its place, which only a new page gets, and the fields that belong to the collection system. */
export interface SyncPage extends JsonObject {
  /** The address of the parent page, such as `/art/artworks/`. */
  parent: string;
  /** A grouping folder, such as `_n01`. */
  folder?: string | undefined;
  slug: string;
  /** Whether a new page begins as a draft. */
  draft?: boolean | undefined;
  meta: JsonObject & { type: string };
}

/** The members of `SyncPage` that are not written. */
const PLACE: ReadonlySet<string> = new Set(["parent", "folder", "slug", "draft"]);

export function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The reason why no record can be trusted, if there is one. */
export function trust(
  records: number,
  withoutKey: number,
  columns: string,
  seen: ReadonlyMap<string, string>,
): string | undefined {
  if (records === 0) return "the export has no records. Nothing was written.";
  if (seen.size === 0)
    return `key() gives nothing for each of ${plural(records, "record")}. Was the column renamed? The first record has: ${columns}.`;
  if (withoutKey > 0)
    return `key() gives nothing for ${thousands(withoutKey)} of ${plural(records, "record")}. Give each record a key, or leave it out of the export.`;
  return undefined;
}

/** A key without the differences in which another export may write it: case, punctuation, leading zeros. */
export const plainKey = (key: string): string =>
  key.toLowerCase().replaceAll(/[^\p{L}\p{N}]|(?<!\d)0+(?=\d)/gu, "");

/** The folder of the parent page of a file: grouping folders are skipped. */
export const ownerAbove = (path: string): string => {
  const parts = path.split("/").slice(0, -1);
  return parts.slice(0, parts.findLastIndex((part) => !part.startsWith("_")) + 1).join("/");
};

/** By the path of the field: members of `meta` are fields of their own. */
export function ownedValues(page: SyncPage): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(page))
    if (name === "meta")
      for (const [member, one] of Object.entries(page.meta)) values[`meta.${member}`] = one;
    else if (!PLACE.has(name)) values[name] = value;
  return values;
}

/** A value that a source leaves out. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

export const isSame = (a: unknown, b: unknown): boolean =>
  isEmpty(a) || isEmpty(b) ? isEmpty(a) && isEmpty(b) : isAlike(a, b);

/** Whether two values of JSON have the same text, without making the texts. */
function isAlike(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return (
      Array.isArray(b) && a.length === b.length && a.every((one, k) => isAlike(one ?? null, b[k] ?? null))
    );
  if (!isObject(a) || !isObject(b)) return false;
  const [names, others] = [namesIn(a), namesIn(b)];
  return (
    names.length === others.length &&
    names.every((name, k) => name === others[k] && isAlike(a[name], b[name]))
  );
}

/** Without members that JSON leaves out. */
const namesIn = (object: JsonObject): string[] =>
  Object.keys(object).filter((name) => object[name] !== undefined);

/** The source of a new page, with its fields in the order of the contract and without empty ones. */
export function ordered(model: PageModel, values: Record<string, unknown>, type: string): JsonObject {
  const source: JsonObject = {};
  const meta: JsonObject = {};
  for (const [path, value] of Object.entries(values))
    if (isEmpty(value)) continue;
    else if (path.startsWith("meta.")) meta[path.slice("meta.".length)] = value;
    else source[path] = value;
  const [top, inMeta] = placesOf(model, model.has(type) ? type : undefined);
  return inOrder({ ...source, meta: inOrder(meta, inMeta) }, top);
}

type Places = ReadonlyMap<string, number>;

const known = new WeakMap<PageModel, Map<string | undefined, Places[]>>();

/** The places of the members of a page, and of its `meta`. */
function placesOf(model: PageModel, type: string | undefined): Places[] {
  let types = known.get(model);
  if (types === undefined) known.set(model, (types = new Map<string | undefined, Places[]>()));
  let places = types.get(type);
  if (places === undefined) {
    const names = memberNames(model.sourceOf(type));
    places = [names([]), names(["meta"])].map((all) => new Map(all.map((name, k) => [name, k])));
    types.set(type, places);
  }
  return places;
}

const inOrder = (object: JsonObject, places: Places = new Map()): JsonObject => {
  const rank = ([name]: [string, unknown]): number => places.get(name) ?? places.size;
  return Object.fromEntries(Object.entries(object).sort((a, b) => rank(a) - rank(b)));
};
