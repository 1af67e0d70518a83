import { folded } from "../../check/claims.ts";
import { textNumber } from "../../check/site.ts";
import { finding, startOf, type Finding } from "../../findings/finding.ts";
import { languageAt } from "../../model/languages.ts";
import type { PageModel } from "../../model/page.ts";
import type { Site } from "../../model/site.ts";
import { valueAt, type JsonObject } from "../../source/json/object.ts";
import type { SourceIndex } from "../../source/source-index.ts";

/* The values that no two pages of a language may have: accession numbers, and those that the site declares. */

/** By type: the declared fields with such values, and the scope of each. */
export type UniqueFields = ReadonlyMap<string, readonly (readonly [name: string, scope: string])[]>;

const ACNO = ["acno", "acno"] as const;

/** The values of a page as numbers from `textNumber`, each with its field. */
export function uniqueValues(page: JsonObject, fields: UniqueFields): [number: number, field: string][] {
  const own = fields.get(String(valueAt(page, ["meta", "type"]))) ?? [];
  const found: [number, string][] = [];
  for (const [field, scope] of [ACNO, ...own]) {
    const value = page[field];
    if ((typeof value === "string" && value !== "") || typeof value === "number")
      found.push([textNumber(`${scope}\n${folded(String(value))}`), field]);
  }
  return found;
}

/** The files that have such values. */
export function openUniqueValues(model: PageModel, site: Site) {
  const fields: UniqueFields = new Map(model.names.map((type) => [type, model.of(type).unique ?? []]));
  const files = new Map<string, string>();
  const keyOf = (file: string, number: number): string => `${number} ${languageAt(file, site)?.code ?? ""}`;

  /** @param values pairs of the number of a file and that of its value. */
  function addAll(values: readonly number[], listing: SourceIndex): void {
    for (let k = 0; k < values.length; k += 2) {
      const file = listing.path(values[k] as number);
      files.set(keyOf(file, values[k + 1] as number), file);
    }
  }

  /** The values of a page that another page has. */
  function clashes(file: string, page: JsonObject): Finding[] {
    return uniqueValues(page, fields).flatMap(([number, field]) => {
      const other = files.get(keyOf(file, number));
      if (other === undefined || other === file) return [];
      const found = String(page[field]);
      return field === "acno"
        ? finding("acno-clash", { acno: found, other }, startOf(file))
        : finding("value-clash", { field, found, other }, startOf(file));
    });
  }

  /** Replaces the values of a page. */
  function replace(file: string, before: JsonObject, after: JsonObject): void {
    for (const [number] of uniqueValues(before, fields)) {
      const key = keyOf(file, number);
      if (files.get(key) === file) files.delete(key);
    }
    for (const [number] of uniqueValues(after, fields)) files.set(keyOf(file, number), file);
  }

  return { fields, addAll, clashes, replace };
}
