import { byPlace, finding, isError, type Finding } from "./finding.ts";

/** Maximum number of findings per file or folder. Editors correct some of these before they read more. */
export const MAX_FINDINGS = 100;

/**
 * If there are too many findings: the first ones, errors before warnings, and the number of the others.
 * @param unlisted the number of errors that did not become findings.
 * @param isCut whether not all of these were counted.
 */
export function capFindings(findings: Finding[], unlisted = 0, isCut = false): Finding[] {
  if (findings.length + unlisted <= MAX_FINDINGS) return findings;
  const errors = findings.filter(isError).sort(byPlace);
  const warnings = findings.filter((f) => !isError(f)).sort(byPlace);
  const sorted = [...errors, ...warnings];
  const kept = sorted.slice(0, MAX_FINDINGS);
  const rest = sorted.slice(MAX_FINDINGS);
  const at = rest[0] ?? kept.at(-1);
  if (at === undefined) return findings;
  const args = { count: rest.length + unlisted, limit: MAX_FINDINGS, ...(isCut ? { atLeast: true } : {}) };
  const more = finding("more-findings", args, at.place);
  const isWarning = unlisted === 0 && errors.length <= MAX_FINDINGS;
  return [...kept, isWarning ? { ...more, severity: "warning" } : more];
}
