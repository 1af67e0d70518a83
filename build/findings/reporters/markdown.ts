import { hintOf, messageOf, severityOf, type Finding } from "../finding.ts";
import { printable } from "../printable.ts";
import { capped, summary, type Reporter } from "./report.ts";

/** Maximum number of findings shown in the summary of a job; the rest are counted by code. */
const MAX_SHOWN = 100;

/** For the summary of a job: more findings than GitHub shows as annotations. */
export const markdown: Reporter = (report) => {
  const { shown, rest } = capped(report.findings, MAX_SHOWN);
  const counts = [...rest].sort(([, a], [, b]) => b - a);
  const more =
    counts.length === 0
      ? ""
      : `\nNot shown:\n\n| findings | code |\n| ---: | --- |\n${counts.map(([name, n]) => `| ${n} | ${code(name)} |\n`).join("")}`;
  const list = shown.length === 0 ? "" : `\n${shown.map(findingEntry).join("")}`;
  return { stdout: `### Findings\n\n${summary(report)}\n${list}${more}`, stderr: "" };
};

export const findingEntry = (f: Finding): string =>
  `- **${severityOf(f)}** ${code(`${f.place.file}:${f.place.line}:${f.place.column}`)} ${code(messageOf(f))}  \n  ${code(hintOf(f))}\n`;

/** A text as code, so that it is not read as Markdown, HTML or the mention of a user. */
export function code(text: string): string {
  const shown = printable(text);
  if (shown === "") return "(empty)";
  const longest = Math.max(0, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 || shown.startsWith(" ") || shown.endsWith(" ") ? " " : "";
  return `${fence}${space}${shown}${space}${fence}`;
}
