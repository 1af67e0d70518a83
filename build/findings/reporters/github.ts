import type { Severity } from "../entry.ts";
import { hintOf, messageOf, severityOf, type Finding } from "../finding.ts";
import { printable } from "../printable.ts";
import { summary, type Reporter } from "./report.ts";

/** Maximum number of annotations per severity that GitHub shows for a step; it drops the rest. */
const MAX_ANNOTATIONS = 10;

/** For GitHub Actions: annotations on the lines of a pull request. */
export const github: Reporter = (report) => {
  const { findings } = report;
  const lines = (["error", "warning"] as Severity[]).flatMap((severity) => {
    const all = findings.filter((f) => severityOf(f) === severity);
    const annotations = all.slice(0, MAX_ANNOTATIONS).map(annotation);
    if (all.length > MAX_ANNOTATIONS)
      annotations.push(
        `${all.length - MAX_ANNOTATIONS} more of severity ${severity} are not shown as annotations.`,
      );
    return annotations;
  });
  if (findings.length > 0) lines.push(summary(report));
  return {
    stdout: `${report.result ?? (findings.length === 0 ? summary(report) : "")}\n`.replace(/^\n$/, ""),
    stderr: lines.map((line) => `${line}\n`).join(""),
    commands: true,
  };
};

function annotation(f: Finding): string {
  const { file, line, column, endLine, endColumn } = f.place;
  const properties = [`file=${property(file)}`, `line=${line}`];
  if (endLine !== undefined && endLine !== line) properties.push(`endLine=${endLine}`);
  // GitHub accepts columns only within one line.
  else properties.push(`col=${column}`, ...(endColumn === undefined ? [] : [`endColumn=${endColumn}`]));
  properties.push(`title=${property(f.code)}`);
  const other = f.other ? [`See also ${f.other.file}:${f.other.line}:${f.other.column}`] : [];
  const lines = [messageOf(f), hintOf(f), ...other].map(printable);
  return `::${severityOf(f)} ${properties.join(",")}::${data(lines.join("\n"))}`;
}

/** Escapes values like the runner's toolkit. */
const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\n", "%0A");
const property = (text: string): string =>
  data(printable(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
