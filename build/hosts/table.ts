import { checkNames, checks, type CheckName, type Report } from "../verify/verify.ts";
import type { Kind } from "./kinds.ts";

export interface Column {
  kind: Pick<Kind, "name" | "limits">;
  report: Report;
}

const START = "<!-- hosts:start -->";
const END = "<!-- hosts:end -->";

/** The checks by host, with the reason of each limit below. */
export function table(columns: readonly Column[]): string {
  const notes = reasons(columns);
  const cell = ({ kind, report }: Column, name: CheckName): string => {
    const check = report.checks.find((one) => one.name === name);
    if (check === undefined || check.status === "not-applicable") return "–";
    if (check.status !== "accepted") return check.status === "failed" ? "FAILED" : "✓";
    return `no ${mark(notes.indexOf(kind.limits[name] ?? ""))}`;
  };
  return [
    row(["check", "expected", ...columns.map(({ kind }) => kind.name)]),
    row(["---", "---", ...columns.map(() => ":-:")]),
    ...checkNames.map((name) =>
      row([
        `\`${name}\``,
        `${checks[name].asks}: ${checks[name].expected}`.replaceAll("|", "\\|"),
        ...columns.map((column) => cell(column, name)),
      ]),
    ),
    "",
    ...notes.map((note, i) => `${mark(i)} ${note}${i + 1 < notes.length ? "  " : ""}`),
    ...(notes.length > 0 ? [""] : []),
    "✓ as expected, – nothing to judge there",
  ].join("\n");
}

/** Why hosts fail checks, each reason once, in the order of the table. */
const reasons = (columns: readonly Column[]): string[] => [
  ...new Set(
    checkNames.flatMap((name) =>
      columns.flatMap(({ kind, report }) => {
        const reason = kind.limits[name];
        const fails = report.checks.some((check) => check.name === name && check.status === "accepted");
        return fails && reason !== undefined ? [reason] : [];
      }),
    ),
  ),
];

const row = (cells: string[]): string => `| ${cells.join(" | ")} |`;

const mark = (index: number): string => `<sup>${index + 1}</sup>`;

/** The document with another text between its two marks; undefined where it does not have them, in this order. */
export function between(document: string, text: string): string | undefined {
  const start = document.indexOf(START);
  const end = document.indexOf(END, start);
  if (start < 0 || end < 0) return undefined;
  return `${document.slice(0, start + START.length)}\n\n${text}\n\n${document.slice(end)}`;
}

export const MARKS = `${START} and ${END}`;
