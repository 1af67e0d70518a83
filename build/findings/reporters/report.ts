import { plural, thousands } from "../../base/numbers.ts";
import type { Args } from "../catalogue/index.ts";
import { isError, severityOf, type Finding } from "../finding.ts";
import type { Severity } from "../entry.ts";

export interface FindingsReport {
  pages: number;
  /** Sorted; `place.file` is relative to the current folder. */
  findings: Finding[];
  /** Undefined if the text cannot be shown. Called only for findings that are shown. */
  textOf: (file: string) => string | undefined;
  /** The result in one sentence, if the command has one. */
  result?: string;
  more?: Record<string, unknown>;
}

export interface CommandOutput {
  stdout: string;
  stderr: string;
  /** Lines of stderr that begin with `::` are commands to the CI runner. */
  commands?: true;
}

export type Reporter = (report: FindingsReport) => CommandOutput;

const countOf = (findings: Finding[], severity: Severity): number =>
  findings.filter((f) => severityOf(f) === severity).length;

/** `12 pages: 2 errors, 1 warning` */
export function summary({ pages, findings }: FindingsReport): string {
  const listed = findings.filter((f) => f.code !== "more-findings");
  const errors = countOf(listed, "error");
  const warnings = listed.length - errors;
  const found =
    findings.length === 0
      ? "no problems"
      : `${plural(errors, "error")}, ${plural(warnings, "warning")}${unlisted(findings)}`;
  return `${plural(pages, "page")}: ${found}`;
}

/** The number of unlisted findings, from the findings that count them. */
function unlisted(findings: Finding[]): string {
  const more = findings.filter((f) => f.code === "more-findings").map((f) => f.args as Args<"more-findings">);
  if (more.length === 0) return "";
  const count = more.reduce((sum, args) => sum + args.count, 0);
  return `, and ${more.some(({ atLeast }) => atLeast) ? "at least " : ""}${thousands(count)} more that are not listed`;
}

/** The findings to show in their original order, errors preferred; and the numbers of the others, by code. */
export function capped(findings: Finding[], limit: number): { shown: Finding[]; rest: Map<string, number> } {
  const rest = new Map<string, number>();
  if (findings.length <= limit) return { shown: findings, rest };
  const chosen = new Set(
    [...findings.filter(isError), ...findings.filter((f) => !isError(f))].slice(0, limit),
  );
  // The summary already contains the counts of `more-findings`.
  for (const f of findings)
    if (!chosen.has(f) && f.code !== "more-findings") rest.set(f.code, (rest.get(f.code) ?? 0) + 1);
  return { shown: findings.filter((f) => chosen.has(f)), rest };
}
