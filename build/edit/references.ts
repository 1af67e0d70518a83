import { isObject, objectIn, type JsonObject } from "../json/object.ts";
import { Failure } from "../base/failure.ts";
import { compare, nearest } from "../findings/finding.ts";
import { printable, printableJson } from "../findings/printable.ts";
import { findSources } from "../sources/find.ts";
import { readSources } from "../sources/read.ts";

/** An object that pages refer to, such as a subject, as most of them write it. */
export interface Reference {
  /** The object's fields in a source. */
  written: Record<string, unknown>;
  /** The number of pages that refer to it, including drafts. */
  pages: number;
  /** The formats and media of those pages, most frequent first; only for classifications, which have no name. */
  formats: string[];
  media: string[];
}

/**
 * For each kind: the fields that lead to its objects in a work, and the fields that are the same on every page. The first
 * of these identifies an object.
 */
const KINDS: Record<string, { path: string[]; fields: string[] }> = {
  classifications: { path: ["classification"], fields: ["id", "meta"] },
  subjects: { path: ["subjects"], fields: ["id", "name", "level", "parent_id"] },
  groups: { path: ["groups"], fields: ["id", "shortTitle"] },
  "gift-groups": { path: ["giftGroups"], fields: ["id", "shortTitle"] },
  contributors: { path: ["contributors"], fields: ["fc", "date", "url"] },
  venues: { path: ["exhibitions", "exhibitionLegs"], fields: ["venueName", "venueWebsiteUrl"] },
};

export const REFERENCE_KINDS: readonly string[] = Object.keys(KINDS);

const ALIASES: Record<string, string> = { artists: "contributors" };

/** The objects at a path, in all elements of the lists on it. */
function objectsAt(value: unknown, path: readonly string[]): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap((one) => objectsAt(one, path));
  if (!isObject(value)) return [];
  const [step, ...rest] = path;
  return step === undefined ? [value] : objectsAt(value[step], rest);
}

/** The objects of a kind that the pages of a site refer to, sorted by name. @throws Failure if there is no such kind. */
export function referencesOf(content: string, named: string): Reference[] {
  const kind = Object.hasOwn(ALIASES, named) ? (ALIASES[named] ?? named) : named;
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (known === undefined) {
    const meant = nearest(kind, [...REFERENCE_KINDS, ...Object.keys(ALIASES)]);
    throw new Failure(
      `--list: expected ${REFERENCE_KINDS.join(", ")}, found “${kind}”.${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
    );
  }
  const isNameless = kind === "classifications";
  const uses = new Map<unknown, { file: string; written: string; format: unknown; medium: unknown }[]>();
  for (const { file, bytes } of readSources(content, findSources(content).listing)) {
    // Files that are not JSON are skipped. Other errors do not matter here.
    const work = objectIn(bytes?.toString("utf8") ?? "") ?? {};
    for (const one of objectsAt(work, known.path)) {
      const key = one[known.fields[0] ?? ""];
      if (typeof key !== "number" && (typeof key !== "string" || key === "")) continue;
      const fields = known.fields.filter((field) => one[field] !== undefined);
      const written = JSON.stringify(Object.fromEntries(fields.map((field) => [field, one[field]])));
      const { format, medium } = isNameless ? work : {};
      const use = { file, written, format, medium };
      const others = uses.get(key);
      if (others === undefined) uses.set(key, [use]);
      else others.push(use);
    }
  }
  return Array.from(uses.values(), (all) => ({
    written: JSON.parse(byCount(all.map(({ written }) => written))[0] ?? "{}") as JsonObject,
    pages: new Set(all.map(({ file }) => file)).size,
    formats: byCount(all.map(({ format }) => format)),
    media: byCount(all.map(({ medium }) => medium)),
  })).sort((a, b) => compare(nameOf(a), nameOf(b)));
}

function nameOf({ written }: Reference): string | number {
  const { name, shortTitle, fc, venueName, id } = written;
  const named = [name, shortTitle, fc, venueName].find((one) => typeof one === "string");
  return typeof named === "string" ? named.toLowerCase() : Number(id);
}

/** The distinct texts, most frequent first. */
function byCount(values: readonly unknown[]): string[] {
  const counts = new Map<string, number>();
  for (const text of values)
    if (typeof text === "string" && text !== "") counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || compare(a, b)).map(([text]) => text);
}

/** @param named its id, or a format or medium. @throws Failure, with a list, if none or several match. */
export function classificationNamed(content: string, named: string): number {
  if (/^\d+$/.test(named)) return Number(named);
  const all = referencesOf(content, "classifications");
  const word = named.toLowerCase();
  const fits = [
    ({ formats }: Reference) => formats.some((format) => format.toLowerCase() === word),
    ({ formats }: Reference) => formats.some((format) => format.toLowerCase().includes(word)),
    ({ media }: Reference) => media.some((medium) => medium.toLowerCase().includes(word)),
  ];
  const found = fits.map((matches) => all.filter(matches)).find((some) => some.length > 0) ?? [];
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return Number(only.written["id"]);
  const which = found.length === 0 ? "No work here is" : "Works of several classifications are";
  const ids = (found.length === 0 ? all : found).map((one) => `  ${referenceLine(one)}`);
  throw new Failure(
    `--classification: ${which} “${named}”. Write the id of one of these${ids.length === 0 ? "; there are none yet." : `:\n${ids.join("\n")}`}`,
  );
}

/** A line, safe to print, whose fields can be copied into a source, with the formats and media of a classification. */
export function referenceLine({ written, pages, formats, media }: Reference): string {
  const like = [...formats.slice(0, 2), ...media.slice(0, 2)].join("; ");
  const fields = Object.entries(written).map(([field, value]) => `${printableJson(field)}: ${spaced(value)}`);
  return `${fields.join(", ")}  (${pages === 1 ? "1 page" : `${pages} pages`}${like === "" ? "" : `: ${printable(like)}`})`;
}

const spaced = (value: unknown): string =>
  isObject(value)
    ? `{ ${Object.entries(value)
        .map(([field, one]) => `${printableJson(field)}: ${spaced(one)}`)
        .join(", ")} }`
    : printableJson(value);
