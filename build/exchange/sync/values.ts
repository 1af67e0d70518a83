import { Failure } from "../../base/failure.ts";
import type { Finding } from "../../findings/finding.ts";
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

export interface SyncedPage {
  key: string;
  file: string;
}

export interface SyncResult {
  records: number;
  withoutPage: number;
  created: SyncedPage[];
  changed: (SyncedPage & { fields: string[] })[];
  unchanged: number;
  /** Pages whose records are gone. */
  gone: SyncedPage[];
  /** Existing pages that the module places elsewhere now. */
  misplaced: (SyncedPage & { to: string })[];
  /** Records of retired pages. */
  returned: { key: string; file: string; line: number }[];
  /** Pages that were not written, with the errors at their records. */
  refused: { key: string; findings: Finding[] }[];
  /** Pages that were saved while the records were read. The next run writes them. */
  lost: SyncedPage[];
  images: number;
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

const NAME = /^[a-z][a-z\d-]{0,39}$/;

export function assertModule({
  name,
  records,
  key,
  page,
}: Record<"name" | "records" | "key" | "page", unknown>): void {
  const problem =
    typeof name !== "string" || !NAME.test(name)
      ? 'needs a “name” of lowercase letters, digits and “-”, such as "works"'
      : typeof key !== "function" || typeof page !== "function"
        ? "needs the functions “key” and “page”"
        : records === undefined
          ? "needs “records”: the name of a file, a pattern, or an async iterable"
          : undefined;
  if (problem !== undefined) throw new Failure(`The module ${problem}.`);
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
export function ordered(
  model: PageModel,
  values: Record<string, unknown>,
  type: string,
  schema: string,
): JsonObject {
  const [top = [], inMeta = []] = namesOf(model, model.has(type) ? type : undefined);
  const meta = picked(values, "meta.", inMeta);
  return { $schema: schema, ...picked({ ...values, meta }, "", top) };
}

/** The members that have a value: those with these names first. */
function picked(values: Record<string, unknown>, prefix: string, names: readonly string[]): JsonObject {
  const object: JsonObject = {};
  for (const name of names) {
    const value = values[prefix + name];
    if (!isEmpty(value)) object[name] = value;
  }
  for (const path of Object.keys(values)) {
    if (!path.startsWith(prefix) || (prefix === "" && path.startsWith("meta."))) continue;
    const name = path.slice(prefix.length);
    if (!(name in object) && !isEmpty(values[path])) object[name] = values[path];
  }
  return object;
}

const known = new WeakMap<PageModel, Map<string | undefined, string[][]>>();

/** The names of the members of a page, and of its `meta`. */
function namesOf(model: PageModel, type: string | undefined): string[][] {
  let types = known.get(model);
  if (types === undefined) known.set(model, (types = new Map<string | undefined, string[][]>()));
  let names = types.get(type);
  if (names === undefined) {
    const all = memberNames(model.sourceOf(type));
    types.set(type, (names = [[...all([])], [...all(["meta"])]]));
  }
  return names;
}

/** The number of keys in a value; NaN if JSON has no such value. */
export function keysIn(value: unknown): number {
  if (typeof value === "number") return Number.isFinite(value) ? 0 : NaN;
  if (typeof value !== "object") return typeof value === "string" || typeof value === "boolean" ? 0 : NaN;
  if (value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) for (const one of value) keys += keysIn(one);
  else if (Object.getPrototypeOf(value) !== Object.prototype) return NaN;
  else
    for (const name of Object.keys(value)) {
      const one = (value as JsonObject)[name];
      if (one !== undefined) keys += 1 + keysIn(one);
    }
  return keys;
}
