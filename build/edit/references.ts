import { isObject, objectIn, type JsonObject } from "../json/object.ts";
import { Failure } from "../base/failure.ts";
import { compare, nearest } from "../findings/finding.ts";
import { printable, printableJson } from "../findings/printable.ts";
import { findSources } from "../sources/find.ts";
import { SourceReader } from "../sources/read.ts";

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

/** For each kind: its objects in a work, the field that identifies one, and the fields that are the same on every page. */
const KINDS: Record<string, { of: (work: JsonObject) => unknown[]; key: string; fields: string[] }> = {
  classifications: { of: ({ classification }) => [classification], key: "id", fields: ["id", "meta"] },
  subjects: { of: inList("subjects"), key: "id", fields: ["id", "name", "level", "parent_id"] },
  groups: { of: inList("groups"), key: "id", fields: ["id", "shortTitle"] },
  "gift-groups": { of: inList("giftGroups"), key: "id", fields: ["id", "shortTitle"] },
  contributors: { of: inList("contributors"), key: "fc", fields: ["fc", "date", "url"] },
  venues: {
    of: (work) =>
      inList("exhibitions")(work).flatMap((one) => (isObject(one) ? inList("exhibitionLegs")(one) : [])),
    key: "venueName",
    fields: ["venueName", "venueWebsiteUrl"],
  },
};

export const REFERENCE_KINDS: readonly string[] = Object.keys(KINDS);

const ALIASES: Record<string, string> = { artists: "contributors" };

function inList(field: string): (work: JsonObject) => unknown[] {
  return ({ [field]: list }) => (Array.isArray(list) ? list : []);
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
  const found = new Map<
    unknown,
    { pages: Set<string>; written: string[]; formats: string[]; media: string[] }
  >();
  for (const [file, work] of works(content))
    for (const one of known.of(work)) {
      const key = isObject(one) ? one[known.key] : undefined;
      if (!isObject(one) || (typeof key !== "number" && (typeof key !== "string" || key === ""))) continue;
      let entry = found.get(key);
      if (entry === undefined)
        found.set(key, (entry = { pages: new Set(), written: [], formats: [], media: [] }));
      const fields = known.fields
        .filter((field) => one[field] !== undefined)
        .map((field) => [field, one[field]]);
      entry.pages.add(file);
      entry.written.push(JSON.stringify(Object.fromEntries(fields)));
      if (kind !== "classifications") continue;
      if (typeof work["format"] === "string") entry.formats.push(work["format"]);
      if (typeof work["medium"] === "string") entry.media.push(work["medium"]);
    }
  return [...found.values()]
    .map(({ pages, written, formats, media }) => ({
      written: JSON.parse(byCount(written)[0] ?? "{}") as JsonObject,
      pages: pages.size,
      formats: byCount(formats),
      media: byCount(media),
    }))
    .sort((a, b) => compare(nameOf(a), nameOf(b)));
}

/** Files that are not JSON are skipped. Other errors do not matter here. */
function* works(content: string): Generator<[file: string, work: JsonObject]> {
  const { listing } = findSources(content);
  const reader = new SourceReader();
  for (let i = 0; i < listing.count; i++) {
    const file = listing.path(i);
    const { bytes } = reader.readBytes(`${content}/${file}`, file);
    const work = objectIn(bytes?.toString("utf8") ?? "");
    if (work !== undefined) yield [file, work];
  }
}

function nameOf({ written }: Reference): string | number {
  const { name, shortTitle, fc, venueName, id } = written;
  const named = [name, shortTitle, fc, venueName].find((one) => typeof one === "string");
  return typeof named === "string" ? named.toLowerCase() : Number(id);
}

/** The distinct texts, most frequent first. */
function byCount(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== "") counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || compare(a, b)).map(([text]) => text);
}

/**
 * The id of the classification that an editor named, by its id or by a format or medium of its works.
 *
 * @throws Failure, with a list of classifications, if the word matches none or several.
 */
export function classificationNamed(content: string, named: string): number {
  if (/^\d+$/.test(named)) return Number(named);
  const all = referencesOf(content, "classifications");
  const word = named.toLowerCase();
  const fits = [
    ({ formats }: Reference) => formats.some((format) => format.toLowerCase() === word),
    ({ formats }: Reference) => formats.some((format) => format.toLowerCase().includes(word)),
    ({ media }: Reference) => media.some((medium) => medium.toLowerCase().includes(word)),
  ];
  const found = fits.map((holds) => all.filter(holds)).find((some) => some.length > 0) ?? [];
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
