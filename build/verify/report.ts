import type { CheckResult, Status } from "./results.ts";
import { checkNames } from "./checks.ts";
import type { HostReport } from "./verify.ts";

/** A report as text, for a terminal or a pull request. */

const WORDS: Record<Status, string> = {
  passed: "ok",
  failed: "FAILED",
  accepted: "accepted",
  "unexpectedly-passed": "passed, though accepted",
  "not-applicable": "-",
};

const count = (report: HostReport, status: Status): number =>
  report.checks.filter((c) => c.status === status).length;

export function summary(report: HostReport): string {
  const counts = [
    `${count(report, "passed") + count(report, "unexpectedly-passed")} checks passed`,
    `${count(report, "failed")} failed`,
    ...(count(report, "accepted") > 0 ? [`${count(report, "accepted")} failed as accepted`] : []),
    ...(count(report, "not-applicable") > 0 ? [`${count(report, "not-applicable")} not applicable`] : []),
  ];
  return `${report.host}: ${counts.join(", ")} (${report.pages} pages, ${report.requests} requests).`;
}

/** Advice for the user, in addition to the table. */
export function advice(report: HostReport): string[] {
  const surprising = report.checks.filter((check) => check.status === "unexpectedly-passed");
  return [
    ...report.hints,
    ...surprising.map(({ name }) => `${name} passes: --accept ${name} is no longer needed.`),
  ];
}

const gotOf = ({ status, got, judged }: CheckResult): string => {
  if (status === "passed") return `as expected (${judged})`;
  return status === "not-applicable" ? `not applicable: ${got}` : `${WORDS[status]}: ${got}`;
};

/** A table of three columns, wrapped to the width of a terminal. */
export function human(report: HostReport, width = 160): string {
  const nameWidth = Math.max(...checkNames.map((name) => name.length));
  const expectedWidth = Math.max(20, Math.floor((width - nameWidth - 4) * 0.42));
  const gotWidth = Math.max(20, width - nameWidth - expectedWidth - 4);
  const row = (name: string, expected: string, got: string): string => {
    const [left, right] = [wrapped(expected, expectedWidth), wrapped(got, gotWidth)];
    const lines = Array.from({ length: Math.max(left.length, right.length) }, (_, i) =>
      [(i === 0 ? name : "").padEnd(nameWidth), (left[i] ?? "").padEnd(expectedWidth), right[i] ?? ""]
        .join("  ")
        .trimEnd(),
    );
    return lines.join("\n");
  };
  const rows = report.checks.map((check) =>
    row(check.name, `${check.asks}: ${check.expected}`, gotOf(check)),
  );
  return [
    row("check", "expected", "got"),
    row("-----", "--------", "---"),
    ...rows,
    "",
    summary(report),
  ].join("\n");
}

/** Breaks a text at spaces; a word longer than a line is cut. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of paragraph.split(" ")) {
      if (line !== "" && line.length + 1 + word.length > width) {
        lines.push(line);
        line = "";
      }
      line = line === "" ? word : `${line} ${word}`;
      for (; line.length > width; line = line.slice(width)) lines.push(line.slice(0, width));
    }
    lines.push(line);
  }
  return lines;
}

const cell = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll("\\", "\\\\")
    .replaceAll("|", "\\|")
    .replaceAll("`", "\\`")
    .replaceAll("*", "\\*")
    .replaceAll("_", "\\_")
    .replaceAll("\n", "<br>");

const table = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `| ${row.join(" | ")} |`).join("\n");

export function markdown(report: HostReport): string {
  const rows = report.checks.map((check) => [
    `\`${check.name}\``,
    cell(`${check.asks}: ${check.expected}`),
    cell(gotOf(check)),
  ]);
  return `${table([["check", "expected", "got"], ["---", "---", "---"], ...rows])}\n\n${cell(summary(report))}`;
}
