import { printableJson } from "../../findings/printable.ts";
import { diagnosticOf } from "../../findings/reporters/json.ts";
import type { Comparison } from "../comparison.ts";

/** The report for programs: everything, with complete values. */
export const json = ({ base, findings, ...rest }: Comparison): string =>
  `${printableJson({ base, ...rest, diagnostics: findings.map(diagnosticOf) })}\n`;
