import { isObject } from "../../../source/json/object.ts";
import type { Comparison } from "../comparison.ts";
import { printableJson } from "../../../findings/printable.ts";
import { diagnosticOf } from "../../../findings/reporters/json.ts";
import { human } from "./human.ts";
import { markdown, type ReportOptions } from "./markdown.ts";

/** The report for programs: everything, with complete values. */
function json(comparison: Comparison): string {
  const { base, models: _, findings, ...rest } = comparison;
  return `${printableJson({ base, ...rest, diagnostics: findings.map(diagnosticOf) })}\n`;
}

export const reporters: Record<string, (comparison: Comparison, options: ReportOptions) => string> = {
  human,
  json,
  markdown,
};

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
