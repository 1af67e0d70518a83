import type { JsonObject } from "../../json/object.ts";
import { fieldsOf, type FieldPath } from "./fields.ts";
import { isPageType } from "../../page/types.ts";
import { isEqual, pathText, valueAt, withValue } from "./values.ts";
import { unknownFields } from "./model.ts";

/** A field whose values differ between the form and the file that has changed meanwhile. */
export interface FieldDifference {
  path: FieldPath;
  label: string;
  /** The value in the form; undefined if the form has none. */
  mine: unknown;
  /** The value that is in the file now. */
  theirs: unknown;
  /** Who changed the field since the form was opened. */
  by: "me" | "them" | "both";
}

/** The fields in which the form and the changed file differ, in the order of the API contract. */
export function differences(before: JsonObject, mine: JsonObject, theirs: JsonObject): FieldDifference[] {
  const type = valueAt(mine, ["meta", "type"]);
  const fields = isPageType(type) ? fieldsOf(type) : [];
  const labels = new Map(fields.map(({ path, field }) => [pathText(path), field.label]));
  const paths = new Map<string, FieldPath>();
  for (const { path } of fields) paths.set(pathText(path), path);
  for (const page of [mine, theirs, before])
    for (const path of unknownFields(page, fields)) paths.set(pathText(path), path);
  return [...paths].flatMap(([name, path]): FieldDifference[] => {
    const [old, own, other] = [before, mine, theirs].map((page) => valueAt(page, path));
    if (isEqual(own, other)) return [];
    const by = isEqual(old, own) ? "them" : isEqual(old, other) ? "me" : "both";
    return [{ path, label: labels.get(name) ?? name, mine: own, theirs: other, by }];
  });
}

/** The changed file's page with the values of the form that the editor chose. */
export const merged = (theirs: JsonObject, chosen: readonly FieldDifference[]): JsonObject =>
  chosen.reduce<unknown>((page, { path, mine }) => withValue(page, path, mine), theirs) as JsonObject;
