import { hintOf, messageOf, severityOf, type Finding, type Place } from "../finding.ts";
import { printable } from "../printable.ts";
import { plural, thousands } from "../../base/numbers.ts";
import { capped, summary, type FindingsReport, type Reporter } from "./report.ts";

/** Maximum number of findings shown. People fix the first ones before they read more. */
const MAX_SHOWN = 100;
/** Maximum length of an excerpt of a source line, in UTF-16 units. */
const MAX_EXCERPT_LENGTH = 100;

/** For a person at a terminal: each finding with its source line and the location marked. */
export const human: Reporter = (report) => {
  const { shown, rest } = capped(report.findings, MAX_SHOWN);
  const blocks = shown.map((f) => block(f, report.textOf));
  if (rest.size > 0) {
    const counts = [...rest].sort(([, a], [, b]) => b - a).map(([code, n]) => `  ${thousands(n)} × ${code}`);
    const total = [...rest.values()].reduce((a, b) => a + b, 0);
    blocks.push(`… and ${plural(total, "more finding")}, not shown:\n${counts.join("\n")}\n`);
  }
  if (report.findings.length > 0) blocks.push(summary(report));
  const stdout = report.result ?? (report.findings.length === 0 ? summary(report) : "");
  return { stdout: stdout === "" ? "" : `${stdout}\n`, stderr: blocks.map((b) => `${b}\n`).join("") };
};

function block(f: Finding, textOf: FindingsReport["textOf"]): string {
  const { file, line, column } = f.place;
  const lines = [`${severityOf(f)} ${f.code}  ${printable(file)}:${line}:${column}`];
  if (!isOfFile(f.place)) lines.push(...excerpt(textOf(file) ?? "", f.place));
  lines.push(`  ${printable(messageOf(f))}`, `  ${printable(hintOf(f))}`);
  if (f.other) lines.push(`  See also ${printable(f.other.file)}:${f.other.line}:${f.other.column}`);
  return `${lines.join("\n")}\n`;
}

/** Whether a finding is about the file's name or folder, and not about its text. */
const isOfFile = ({ line, column, endLine }: Place): boolean =>
  line === 1 && column === 1 && endLine === undefined;

/** The source line, cut around the location, which is marked below. */
function excerpt(text: string, { line, column, endLine, endColumn }: Place): string[] {
  const source = (nthLine(text, line) ?? "").replace(/\r$/, "");
  if (source.trim() === "") return [];
  const length =
    endLine === line && endColumn !== undefined
      ? Math.max(1, endColumn - column)
      : endLine === undefined
        ? 1
        : source.length - column + 1;
  const from = column - 1 > MAX_EXCERPT_LENGTH - 20 ? column - 21 : 0;
  const shown = source.slice(from, from + MAX_EXCERPT_LENGTH);
  const cut = (from > 0 ? "…" : "") + shown + (from + MAX_EXCERPT_LENGTH < source.length ? "…" : "");
  const before = shownLine(cut.slice(0, column - 1 - from + (from > 0 ? 1 : 0)));
  const marked = shown.slice(column - 1 - from, column - 1 - from + length);
  const gutter = String(line);
  return [
    `  ${gutter} | ${shownLine(cut)}`,
    `  ${" ".repeat(gutter.length)} | ${blank(before)}${"^".repeat(Math.max(1, columns(shownLine(marked))))}`,
  ];
}

function nthLine(text: string, line: number): string | undefined {
  let at = 0;
  for (let n = 1; n < line; n++) {
    at = text.indexOf("\n", at) + 1;
    if (at === 0) return undefined;
  }
  const end = text.indexOf("\n", at);
  return text.slice(at, end === -1 ? text.length : end);
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** In terminal cells: wide characters take two, combining marks none. */
function columns(text: string): number {
  let n = 0;
  for (const c of text) n += /\p{Mark}|\p{Format}/u.test(c) ? 0 : WIDE.test(c) ? 2 : 1;
  return n;
}

const blank = (text: string): string =>
  Array.from(text, (c) => (c === "\t" ? "\t" : " ".repeat(columns(c)))).join("");

/** A source line with its tabs, which have the same width in the line with the marks. */
const shownLine = (line: string): string => line.split("\t").map(printable).join("\t");
