import { hintOf, messageOf, severityOf } from "../../findings/finding.ts";
import { printableJson } from "../../findings/printable.ts";
import type { Comparison } from "../comparison.ts";

/** For programs: everything, values whole. */
export function json({ base, findings, ...rest }: Comparison): string {
  const diagnostics = findings.map((f) => {
    const { file, line, column } = f.place;
    return {
      file,
      line,
      column,
      code: f.code,
      severity: severityOf(f),
      message: messageOf(f),
      hint: hintOf(f),
    };
  });
  return `${printableJson({ base, ...rest, diagnostics })}\n`;
}
