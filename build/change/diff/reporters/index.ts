import { isObject, type JsonObject } from "../../../source/json/object.ts";
import type { Comparison } from "../comparison.ts";
import { printableJson } from "../../../findings/printable.ts";
import { diagnosticOf } from "../../../findings/reporters.ts";
import { human } from "./human.ts";
import { markdown, type ReportOptions } from "./markdown.ts";

/** The report for programs: everything, with complete values. In parts, because it may be as long as the site. */
function* json(comparison: Comparison): Generator<string> {
  const { base, models: _, findings, ...rest } = comparison;
  let sign = "{";
  for (const [name, value] of Object.entries({ base, ...rest, diagnostics: findings.map(diagnosticOf) })) {
    yield `${sign}${JSON.stringify(name)}:`;
    if (Array.isArray(value)) yield* printedList(value);
    else yield printableJson(value);
    sign = ",";
  }
  yield "}\n";
}

/** Number of elements that are printed at once: few, because most of such texts are ASCII. */
const PART = 10;

function* printedList(elements: readonly unknown[]): Generator<string> {
  yield "[";
  for (let from = 0; from < elements.length; from += PART)
    yield (from === 0 ? "" : ",") + printableJson(elements.slice(from, from + PART)).slice(1, -1);
  yield "]";
}

/** Prints a comparison in parts. */
export const reporters: Record<string, (comparison: Comparison, options: ReportOptions) => Iterable<string>> =
  {
    human: (comparison) => [human(comparison)],
    json,
    markdown: (comparison, options) => [markdown(comparison, options)],
  };

/** Members that contain no names of files, but values of the sources. */
const VALUES: ReadonlySet<string> = new Set(["fields", "args", "site", "types", "models"]);

/** A comparison with other names for its files, for example relative to the current folder. */
export function withPaths(comparison: Comparison, path: (file: string) => string): Comparison {
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed);
    if (!isObject(value)) return value;
    const copy: JsonObject = {};
    for (const [name, member] of Object.entries(value))
      if (typeof member === "string" && (name === "file" || name === "draft")) copy[name] = path(member);
      else copy[name] = VALUES.has(name) ? member : renamed(member);
    return copy;
  };
  return renamed(comparison) as Comparison;
}
