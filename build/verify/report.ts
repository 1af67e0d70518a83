import { checkNames } from "./checks.ts";
import type { CheckResult, Status } from "./probe.ts";
import type { HostReport } from "./verify.ts";

/** A report as text, for a terminal or a pull request. */

const WORDS: Record<Status, string> = {
  passed: "ok",
  failed: "FAILED",
  accepted: "accepted",
  "unexpectedly-passed": "passed, though accepted",
  "not-applicable": "-",
};

export function summary({ host, checks, pages, requests }: HostReport): string {
  const count = (...statuses: Status[]): number =>
    checks.filter(({ status }) => statuses.includes(status)).length;
  const [accepted, notApplicable] = [count("accepted"), count("not-applicable")];
  const counts = [
    `${count("passed", "unexpectedly-passed")} checks passed`,
    `${count("failed")} failed`,
    ...(accepted > 0 ? [`${accepted} failed as accepted`] : []),
    ...(notApplicable > 0 ? [`${notApplicable} not applicable`] : []),
  ];
  return `${host}: ${counts.join(", ")} (${pages} pages, ${requests} requests).`;
}

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

const cell = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\|`*_]/g, String.raw`\$&`)
    .replaceAll("\n", "<br>");

export function markdown(report: HostReport): string {
  const rows = report.checks.map((check) => [
    `\`${check.name}\``,
    cell(`${check.asks}: ${check.expected}`),
    cell(gotOf(check)),
  ]);
  const table = [["check", "expected", "got"], ["---", "---", "---"], ...rows];
  return `${table.map((row) => `| ${row.join(" | ")} |`).join("\n")}\n\n${cell(summary(report))}`;
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
