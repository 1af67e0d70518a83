import { printableJson } from "../../findings/printable.ts";
import { diagnosticOf } from "../../findings/reporters/json.ts";
import type { Comparison } from "../comparison.ts";
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
