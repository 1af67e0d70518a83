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
  folder?: string;
  slug: string;
  /** Whether a new page begins as a draft. */
  draft?: boolean;
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

export const isSame = (a: unknown, b: unknown): boolean => {
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  return JSON.stringify(a) === JSON.stringify(b);
};

/** The source of a new page, with its fields in the order of the contract and without empty ones. */
export function ordered(model: PageModel, values: Record<string, unknown>, type: string): JsonObject {
  const source: JsonObject = {};
  const meta: JsonObject = {};
  for (const [path, value] of Object.entries(values))
    if (isEmpty(value)) continue;
    else if (path.startsWith("meta.")) meta[path.slice("meta.".length)] = value;
    else source[path] = value;
  const names = memberNames(model.sourceOf(model.has(type) ? type : undefined));
  return inOrder({ ...source, meta: inOrder(meta, names(["meta"])) }, names([]));
}

const inOrder = (object: JsonObject, names: readonly string[]): JsonObject => {
  const rank = ([name]: [string, unknown]): number =>
    names.includes(name) ? names.indexOf(name) : names.length;
  return Object.fromEntries(Object.entries(object).sort((a, b) => rank(a) - rank(b)));
};
