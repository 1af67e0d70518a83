import type { Host } from "../../../build/hosting/config/host.ts";
import { checkNames, checks, type CheckName, type HostReport } from "../../../build/verify/verify.ts";

export interface HostColumn {
  host: Pick<Host, "title" | "limits">;
  report: HostReport;
}

const START = "<!-- hosts:start -->";
const END = "<!-- hosts:end -->";

/** The checks that a host fails, with the reason for each limit below. The others are only named. */
export function table(columns: readonly HostColumn[]): string {
  const notes = reasons(columns);
  const cell = ({ host, report }: HostColumn, name: CheckName): string => {
    const check = report.checks.find((one) => one.name === name);
    if (check === undefined || check.status === "not-applicable") return "–";
    if (check.status !== "accepted") return check.status === "failed" ? "FAILED" : "✓";
    return `no ${mark(notes.indexOf(host.limits[name] ?? ""))}`;
  };
  const rows = checkNames.map((name) => ({ name, cells: columns.map((column) => cell(column, name)) }));
  return [
    row(["check", "expected", ...columns.map(({ host }) => host.title)]),
    row(["---", "---", ...columns.map(() => ":-:")]),
    ...rows
      .filter((one) => !isPassed(one))
      .map(({ name, cells }) =>
        row([`\`${name}\``, checks[name].slice(0, 2).join(": ").replaceAll("|", "\\|"), ...cells]),
      ),
    "",
    ...notes.map((note, i) => `${mark(i)} ${note}${i + 1 < notes.length ? "  " : ""}`),
    ...(notes.length > 0 ? [""] : []),
    "✓ as expected, – not applicable. No host fails these checks:",
    `${rows
      .filter(isPassed)
      .map(({ name }) => `\`${name}\``)
      .join(", ")}.`,
  ].join("\n");
}

/** The reasons why hosts fail checks, each once, in the order of the table. */
const reasons = (columns: readonly HostColumn[]): string[] => [
  ...new Set(
    checkNames.flatMap((name) =>
      columns.flatMap(({ host, report }) => {
        const reason = host.limits[name];
        const fails = report.checks.some((check) => check.name === name && check.status === "accepted");
        return fails && reason !== undefined ? [reason] : [];
      }),
    ),
  ),
];

const isPassed = ({ cells }: { cells: string[] }) => cells.every((text) => text === "✓" || text === "–");

const row = (cells: string[]): string => `| ${cells.join(" | ")} |`;

const mark = (index: number): string => `<sup>${index + 1}</sup>`;

/** The document with a new text between its two marks; undefined if they are missing or in the wrong order. */
export function between(document: string, text: string): string | undefined {
  const start = document.indexOf(START);
  const end = document.indexOf(END, start);
  if (start < 0 || end < 0) return undefined;
  return `${document.slice(0, start + START.length)}\n\n${text}\n\n${document.slice(end)}`;
}

export const MARKS = `${START} and ${END}`;
