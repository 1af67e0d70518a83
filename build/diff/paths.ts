import { isObject } from "../json/object.ts";
import type { Comparison } from "./comparison.ts";

/** Members that contain no names of files, but values of the sources. */
const VALUES: ReadonlySet<string> = new Set(["fields", "args", "site", "types", "models"]);

/** A comparison with other names for its files, for example relative to the current folder. */
export function withPaths(comparison: Comparison, path: (file: string) => string): Comparison {
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        if (typeof member === "string" && (name === "file" || name === "draft")) return [name, path(member)];
        return [name, VALUES.has(name) ? member : renamed(member)];
      }),
    );
  };
  return renamed(comparison) as Comparison;
}
