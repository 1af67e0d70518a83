import { hintOf, messageOf, severityOf } from "../finding.ts";
import { printableJson } from "../printable.ts";
import type { Reporter } from "./report.ts";

/** For programs: one JSON object on stdout (DESIGN, section 4). */
export const json: Reporter = ({ pages, findings, more }) => {
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
  return { stdout: `${printableJson({ ...more, pages, diagnostics })}\n`, stderr: "" };
};
