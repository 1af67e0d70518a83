import { isObject, type JsonObject } from "../json/object.ts";
import { Failure } from "../base/failure.ts";
import { nearest } from "../findings/finding.ts";
import { findSources } from "../sources/find.ts";
import { SourceReader } from "../sources/read.ts";

/** Something that pages speak of, as most of them do. */
export interface Reference {
  /** What is written in a source. */
  written: Record<string, unknown>;
  /** How many pages speak of it, drafts too. */
  pages: number;
  /** What those pages are, as far as it has no name of its own: their formats and media, the most frequent first. */
  formats: string[];
  media: string[];
}

/** Where the objects of a kind stand in a work, what tells them apart, and which of their fields are the same on every page. */
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

/** Other words for a kind. */
const ALIASES: Record<string, string> = { artists: "contributors" };

function inList(field: string): (work: JsonObject) => unknown[] {
  return ({ [field]: list }) => (Array.isArray(list) ? list : []);
}

/** What the pages of a site speak of, in the order of their names. @throws Failure where there is no such kind. */
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

/** Whatever is wrong elsewhere in a file is no matter here. */
function* works(content: string): Generator<[file: string, work: JsonObject]> {
  const { listing } = findSources(content);
  const reader = new SourceReader();
  for (let i = 0; i < listing.count; i++) {
    const file = listing.path(i);
    const { bytes } = reader.readBytes(`${content}/${file}`, file);
    let value: unknown;
    try {
      value = JSON.parse(bytes?.toString("utf8") ?? "");
    } catch {
      continue;
    }
    if (isObject(value)) yield [file, value];
  }
}

/** By code units, the same on every machine; numbers by their value. */
const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

function nameOf({ written }: Reference): string | number {
  const { name, shortTitle, fc, venueName, id } = written;
  const named = [name, shortTitle, fc, venueName].find((one) => typeof one === "string");
  return typeof named === "string" ? named.toLowerCase() : Number(id);
}

/** Each once, the most frequent first. */
function byCount(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== "") counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || compare(a, b)).map(([text]) => text);
}

/**
 * The id of the classification that an editor named: by its id, or by what works of it are, where that can be one alone.
 *
 * @throws Failure where it can be none or several, with those that there are.
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

/** As a line that can be copied into a source; of what has no name, what its pages are. */
export function referenceLine({ written, pages, formats, media }: Reference): string {
  const like = [...formats.slice(0, 2), ...media.slice(0, 2)].join("; ");
  const fields = Object.entries(written).map(
    ([field, value]) => `${JSON.stringify(field)}: ${spaced(value)}`,
  );
  return `${fields.join(", ")}  (${pages === 1 ? "1 page" : `${pages} pages`}${like === "" ? "" : `: ${like}`})`;
}

const spaced = (value: unknown): string =>
  isObject(value)
    ? `{ ${Object.entries(value)
        .map(([field, one]) => `${JSON.stringify(field)}: ${spaced(one)}`)
        .join(", ")} }`
    : JSON.stringify(value);
