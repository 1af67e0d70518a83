import { plural, thousands } from "../base/numbers.ts";
import type { Args } from "./catalogue/index.ts";
import type { Severity } from "./entry.ts";
import { type Finding, hintOf, isError, messageOf, type Place, severityOf } from "./finding.ts";
import { printable, printableJson } from "./printable.ts";

interface FindingsReport {
  pages: number;
  /** Sorted; `place.file` is relative to the current folder. */
  findings: Finding[];
  /** Undefined if the text cannot be shown. Called only for findings that are shown. */
  textOf: (file: string) => string | undefined;
  /** The result in one sentence, if the command has one. */
  result?: string;
  more?: Record<string, unknown>;
}

interface CommandOutput {
  stdout: string;
  stderr: string;
  /** Lines of stderr that begin with `::` are commands to the CI runner. */
  commands?: true;
}

export type Reporter = (report: FindingsReport) => CommandOutput;

/** `12 pages: 2 errors, 1 warning` */
export function summary({ pages, findings }: FindingsReport): string {
  const listed = findings.filter((f) => f.code !== "more-findings");
  const errors = listed.filter(isError).length;
  const warnings = listed.length - errors;
  const found =
    findings.length === 0
      ? "no problems"
      : `${plural(errors, "error")}, ${plural(warnings, "warning")}${unlisted(findings)}`;
  return `${plural(pages, "page")}: ${found}`;
}

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

/** Maximum number of findings shown; the rest are counted by code. People fix the first ones before they read more. */
const MAX_SHOWN = 100;
/** Maximum length of an excerpt of a source line, in UTF-16 units. */
const MAX_EXCERPT_LENGTH = 100;

/** For a person at a terminal: each finding with its source line and the location marked. */
export const human: Reporter = (report) => {
  const { shown, rest } = capped(report.findings, MAX_SHOWN);
  const blocks = shown.map((f) => block(f, report.textOf));
  if (rest.size > 0) {
    const counts = [...rest].sort(([, a], [, b]) => b - a).map(([name, n]) => `  ${thousands(n)} × ${name}`);
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
  const source = (text.split("\n")[line - 1] ?? "").replace(/\r$/, "");
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

/** A finding for programs (“Findings” in docs/reference.md). */
export function diagnosticOf(f: Finding) {
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
}

/** For programs: one JSON object on stdout. */
export const json: Reporter = ({ pages, findings, more }) => ({
  stdout: `${printableJson({ ...more, pages, diagnostics: findings.map(diagnosticOf) })}\n`,
  stderr: "",
});

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

export const reporters = { human, github, json, markdown } satisfies Record<string, Reporter>;
