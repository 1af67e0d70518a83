import type { JsonObject } from "../../json/object.ts";
import { fieldsOf, type FieldPath } from "./fields.ts";
import { isPageType } from "../../page/types.ts";
import { isEqual, pathText, valueAt, withValue } from "./values.ts";
import { unknownFields } from "./model.ts";

/** A field that differs between the form and the file, which has changed since the form was opened. */
export interface FieldDifference {
  path: FieldPath;
  label: string;
  /** The value in the form; undefined if the form has none. */
  mine: unknown;
  /** The value in the file now; undefined if the file has none. */
  theirs: unknown;
  /** The side that changed the field since the form was opened. */
  by: "me" | "them" | "both";
}

/** The fields that differ between the form and the changed file, in the order of the API contract. */
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

/** The changed file's page with the form's changes; undefined if the file's other changes leave a choice. */
export function rebased(before: JsonObject, mine: JsonObject, theirs: JsonObject): JsonObject | undefined {
  const found = differences(before, mine, theirs);
  return found.every(({ by }) => by === "me") ? merged(theirs, found) : undefined;
}

/** The page of the changed file, with the chosen values of the form. */
export const merged = (theirs: JsonObject, chosen: readonly FieldDifference[]): JsonObject =>
  chosen.reduce<unknown>((page, { path, mine }) => withValue(page, path, mine), theirs) as JsonObject;
