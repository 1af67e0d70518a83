import { hintOf, messageOf, severityOf, type Finding } from "../finding.ts";
import { printableJson } from "../printable.ts";
import type { Reporter } from "./report.ts";

/** A finding for programs (“Findings” in docs/reference.md). */
export function diagnosticOf(f: Finding) {
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
}

/** For programs: one JSON object on stdout. */
export const json: Reporter = ({ pages, findings, more }) => ({
  stdout: `${printableJson({ ...more, pages, diagnostics: findings.map(diagnosticOf) })}\n`,
  stderr: "",
});
