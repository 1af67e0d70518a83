import { grouped } from "../base/grouped.ts";
import { plural, thousands } from "../base/numbers.ts";
import { isObject, valueAt, type JsonObject } from "../source/json/object.ts";

/* The fields that belong to a collection system, as `_sync.json` lists them. Runs in the browser and in Node. */

/** The collection system that a page follows. */
export interface Owner {
  name: string;
  /** As editors read it. */
  label: string;
  /** The paths of its fields; those of `meta` begin with `meta.`. */
  fields: ReadonlySet<string>;
}

/** @param sync the value of `_sync.json`, which may have mistakes */
export function ownerOf(page: JsonObject, sync: JsonObject | undefined): Owner | undefined {
  const record = valueAt(page, ["meta", "external_id"]);
  if (typeof record !== "string" || sync === undefined) return undefined;
  const name = record.slice(0, record.indexOf(":"));
  const own = valueAt(sync, [name]);
  if (!isObject(own) || !Array.isArray(own["fields"])) return undefined;
  const { label = name, fields } = own;
  return { name, label: String(label), fields: new Set([...fields.map(String), "meta.external_id"]) };
}

/** Changed fields of a page, such as `subjects[3].name`. */
type Fields = readonly { field: string }[];

/** The field of a page that a path leads into. */
const fieldOf = (path: string): string => /^(?:meta\.)?[^.[]+/.exec(path)?.[0] ?? path;

/** The collection system whose fields are all that changed in a page. */
export function changedBy(
  page: JsonObject,
  sync: JsonObject | undefined,
  changes: Fields,
): Owner | undefined {
  const owner = changes.length === 0 ? undefined : ownerOf(page, sync);
  return owner !== undefined && changes.every(({ field }) => owner.fields.has(fieldOf(field)))
    ? owner
    : undefined;
}

/** The numbers of pages by changed field: `medium 1,100, dateText 104`. */
export function countedFields(pages: readonly { fields: Fields }[]): string {
  const counts = new Map<string, number>();
  for (const { fields } of pages)
    for (const field of new Set(fields.map((one) => fieldOf(one.field))))
      counts.set(field, (counts.get(field) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([field, count]) => `${field} ${thousands(count)}`)
    .join(", ");
}

/** A line for each collection system: `1,204 works changed by the collection system: medium 1,100, dateText 104`. */
export function changesByOwner(
  pages: readonly { owner?: Omit<Owner, "fields"> | undefined; fields: Fields }[],
): string[] {
  const owned = pages.filter(({ owner }) => owner !== undefined);
  return Array.from(
    grouped(owned, ({ owner }) => owner?.name ?? ""),
    ([name, all]) => {
      // A name such as “works” says what the pages are.
      const noun = /^[a-z]{3,}s$/.test(name) ? name.slice(0, -1) : "page";
      return `${plural(all.length, noun)} changed by ${all[0]?.owner?.label ?? name}: ${countedFields(all)}`;
    },
  );
}
