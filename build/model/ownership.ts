import { isObject, valueAt, type JsonObject } from "../source/json/object.ts";

/* The fields that belong to a collection system, as `_sync.json` lists them. Runs in the browser and in Node. */

/** The collection system that a page follows. */
export interface Owner {
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
  return { label: String(label), fields: new Set([...fields.map(String), "meta.external_id"]) };
}
