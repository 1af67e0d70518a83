import { hash } from "node:crypto";
import { Failure } from "../../base/failure.ts";
import { memoized } from "../../base/memoized.ts";
import type { Finding } from "../../findings/finding.ts";
import { plural, thousands } from "../../base/numbers.ts";
import { memberNames, type ObjectValue } from "../../model/model.ts";
import type { PageModel } from "../../model/page.ts";
import { describeValue, isObject, type JsonObject } from "../../source/json/object.ts";

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
  /** Fields that belong to editors again, because the module does not return them any more. */
  released: string[];
  /** Pages that were saved while the records were read. The next run writes them. */
  lost: SyncedPage[];
  images: number;
}

/** Begins the path of a field in `meta`. */
const META = "meta.";
/** The members of `SyncPage` that are not written. */
const PLACE: ReadonlySet<string> = new Set(["parent", "folder", "slug", "draft"]);

/** The reason why no record can be trusted, if there is one. @param first a record without a key */
export function trust(
  { records, element }: { records: number; element: string | undefined },
  withoutKey: number,
  first: unknown,
  keys: number,
): string | undefined {
  if (records === 0)
    return `the export has no records${element === undefined ? "" : ` in “${element}”, which the module names as “element”`}. Was it cut, or filtered?`;
  if (keys === 0)
    return `key() gives nothing for each of ${plural(records, "record")}. ${
      isObject(first)
        ? `Was the column renamed? The first record has: ${Object.keys(first).slice(0, 20).join(", ")}.`
        : `The first record is ${describeValue(first)}: name the member of a JSON object that has the records in the module, such as element: "works".`
    }`;
  if (withoutKey > 0)
    return `key() gives nothing for ${thousands(withoutKey)} of ${plural(records, "record")}. Give each record a key, or leave it out of the export.`;
  return undefined;
}

/** A key without the differences in which another export may write it: case, punctuation, leading zeros. */
export const plainKey = (key: string): string =>
  key.toLowerCase().replaceAll(/[^\p{L}\p{N}]|(?<!\d)0+(?=\d)/gu, "");

/** The paths of the members of `meta`: a new text for each access would make it slow. */
const metaPath = memoized((member: string) => META + member);

/** JSON has null, or no value, for such a number. */
const isNoNumber = (value: unknown): boolean =>
  typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value));

/** Whether a value is as JSON has it: nearly all are, and need no copy. */
function isOfJson(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return !isNoNumber(value);
  if (value instanceof Date) return false;
  if (Array.isArray(value)) return value.every(isOfJson);
  for (const name in value) if (!isOfJson((value as JsonObject)[name])) return false;
  return true;
}

/** A value as JSON has it, with texts for numbers that JSON does not have: their fields refuse them. */
const asJson = (value: unknown): unknown =>
  isOfJson(value)
    ? value
    : JSON.parse(
        JSON.stringify(value, (_, member: unknown) => (isNoNumber(member) ? String(member) : member)),
      );

/** By the path of the field: members of `meta` are fields of their own. */
export function ownedValues(page: SyncPage): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(page))
    if (name === "meta")
      for (const member of Object.keys(page.meta)) values[metaPath(member)] = asJson(page.meta[member]);
    else if (!PLACE.has(name)) values[name] = asJson(page[name]);
  return values;
}

const areRecords = (records: unknown): boolean =>
  typeof records === "function" ||
  (typeof records === "object" && records !== null && Symbol.asyncIterator in records) ||
  [records].flat().every((one) => typeof one === "string");

export const MAX_NAME_LENGTH = 40;
const NAME = /^[a-z][a-z\d-]*$/;

export function assertModule({
  name,
  records,
  key,
  page,
}: Record<"name" | "records" | "key" | "page", unknown>): void {
  const problem =
    typeof name !== "string" || !NAME.test(name) || name.length > MAX_NAME_LENGTH
      ? `needs a “name” of at most ${MAX_NAME_LENGTH} lowercase letters, digits and “-”, such as "works"`
      : typeof key !== "function" || typeof page !== "function"
        ? "needs the functions “key” and “page”"
        : !areRecords(records)
          ? "needs “records”: the name of a file, a pattern, a list of these, or a function that gives an async iterable"
          : undefined;
  if (problem !== undefined) throw new Failure(`The module ${problem}.`);
}

/** @throws Failure if a value is not the page of a record. @param at the place of the record */
export function assertPage(page: unknown, name: string, at: string): void {
  const { parent, slug, meta } = isObject(page) ? page : {};
  const type = isObject(meta) ? meta["type"] : undefined;
  const texts = { parent, slug, "meta.type": type };
  const lacking = Object.entries(texts).find(([, value]) => typeof value !== "string");
  if (lacking !== undefined)
    throw new Failure(
      `${name}: page() returns ${isObject(page) ? `no text as “${lacking[0]}”` : describeValue(page)} for the record at ${at}. It returns an object with “parent”, “slug” and “meta” with “type”.`,
    );
}

/** A value that a source leaves out. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** A value as JSON, the same for each empty one. */
const textOf = (value: unknown): string | undefined => (isEmpty(value) ? undefined : JSON.stringify(value));

export const isSame = (a: unknown, b: unknown): boolean => a === b || textOf(a) === textOf(b);

/** Differs if the values do, so that a page that has not changed need not be read again: one of 2^72 changes would be missed. */
export const fingerprint = (values: readonly unknown[]): string =>
  hash("sha256", JSON.stringify(values.map((value) => (isEmpty(value) ? null : value))), "base64").slice(
    0,
    12,
  );

/** Signs between texts, above all characters. */
const [END, NUMBER] = [0x10000, 0x10001];

/** From 0 to 1, the same for a record in each run: a branch that each night begins again has the same pages. */
export function drawnFor(name: string, key: string, attempt: number): number {
  const signs = [name, END, key, END, NUMBER, `${attempt}`, END].flatMap((part) =>
    typeof part === "number" ? [part] : part.split("").map((character) => character.charCodeAt(0)),
  );
  return (signs.reduce((bits, sign) => Math.imul(bits ^ sign, 0x9e3779b1), 1) >>> 0) / 2 ** 32;
}

/** The model of a type's sources; of any page's, if the site does not have the type. */
export const sourceModel = (model: PageModel, type: string): ObjectValue =>
  model.sourceOf(model.has(type) ? type : undefined);

/** Paths of fields in the order of the contract; those without a place in it are last. */
export function inOrder(model: PageModel, type: string, paths: Iterable<string>): string[] {
  const names = memberNames(sourceModel(model, type));
  const inMeta = names(["meta"]).map((name) => META + name);
  const places = new Map(
    names([])
      .flatMap((name) => (name === "meta" ? inMeta : [name]))
      .map((path, k) => [path, k] as const),
  );
  const placeOf = (path: string): number => places.get(path) ?? places.size + (path.startsWith(META) ? 0 : 1);
  return [...paths].sort((a, b) => placeOf(a) - placeOf(b));
}

/** The source of a new page, without empty fields. @param paths of its fields, in their order. */
export function sourceOf(
  schema: string,
  paths: readonly string[],
  values: Record<string, unknown>,
): JsonObject {
  const meta: JsonObject = {};
  const source: JsonObject = { $schema: schema };
  for (const path of paths) {
    const value = values[path];
    if (isEmpty(value)) continue;
    if (!path.startsWith(META)) source[path] = value;
    else {
      meta[path.slice(META.length)] = value;
      source["meta"] = meta;
    }
  }
  return source;
}
