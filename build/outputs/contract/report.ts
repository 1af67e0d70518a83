import { printable, printableJson } from "../../findings/printable.ts";
import { code } from "../../findings/reporters.ts";
import { plural } from "../../base/numbers.ts";
import type { PageTypes } from "../../model/page-types.ts";
import type { ContractChange } from "./compare.ts";
import type { CrossCheck, Mismatch } from "./cross-check.ts";

export interface ContractReport {
  /** How the revision was found, and its commit. */
  base: { from: string; commit: string };
  /** Whether that revision has no contract, so that there is nothing to compare. */
  isNew: boolean;
  /** The versions of the package, unless they are equal: the changes do not include its own. */
  program?: { before?: string; now: string } | undefined;
  changes: ContractChange[];
  /** The result for the pages, or the reason why they were not checked. */
  crossCheck: CrossCheck | string;
}

/** A change of the contract's meaning needs another major version (CHANGELOG.md). */
const isOtherMajor = ({ program }: ContractReport): boolean =>
  program?.before !== undefined && Number.parseInt(program.before) !== Number.parseInt(program.now);

/** Whether a client may fail now. */
export const isBreaking = (report: ContractReport): boolean => {
  const { changes, crossCheck } = report;
  return (
    changes.some(({ breaking }) => breaking) ||
    (typeof crossCheck !== "string" && crossCheck.failed > 0) ||
    isOtherMajor(report)
  );
};

const whereOf = ({ of }: ContractChange, { names }: PageTypes): string =>
  names.every((type) => of.includes(type)) ? "every page" : of.join(", ");

function summary(report: ContractReport): string {
  const { program } = report;
  if (program === undefined) return summaryOfChanges(report);
  if (program.before === undefined)
    return `${summaryOfChanges(report)}
The program has version ${printable(program.now)} now; its former version is not known, because this command reads only npm's lock files. If it was another one, read its CHANGELOG.md.`;
  const effect = isOtherMajor(report) ? "may break clients" : "should not break clients";
  return `${summaryOfChanges(report)}
The program changed from version ${printable(program.before)} to ${program.now}, which ${effect}. Its own changes are not in this list: read its CHANGELOG.md.`;
}

function summaryOfChanges({ isNew, changes, program }: ContractReport): string {
  if (isNew) return "There was no contract before, so there is nothing to compare with.";
  if (changes.length === 0)
    return program === undefined ? "The contract has not changed." : "The site's own part has not changed.";
  const breaking = changes.filter((change) => change.breaking).length;
  const additions = plural(changes.length - breaking, "addition");
  return `${plural(breaking, "change")} that may break clients, ${additions} that clients can ignore.`;
}

/** @param shown makes a reason safe to print */
function crossCheckSummary({ crossCheck }: ContractReport, shown: (reason: string) => string): string {
  if (typeof crossCheck === "string") return `Not checked against your pages: ${shown(crossCheck)}`;
  const { pages, failed } = crossCheck;
  return failed === 0
    ? `Checked against your pages: all ${pages} still match`
    : `Checked against your pages: ${failed} of ${pages} no longer match the former contract:`;
}

const mismatchWords = ({ at, message }: Mismatch): string => (at === "" ? message : `${at} ${message}`);
const mismatchCount = ({ pages, id }: Mismatch): string => `${plural(pages, "page")}, such as ${id}`;
const mismatchesOf = ({ crossCheck }: ContractReport): Mismatch[] =>
  typeof crossCheck === "string" ? [] : crossCheck.mismatches;

function human(report: ContractReport, types: PageTypes): string {
  const { base, changes } = report;
  const lines = changes.map((change) => {
    const verdict = change.breaking ? "may break" : "addition ";
    return `${verdict} ${printable(`${change.what} ${change.message} (${whereOf(change, types)})`)}\n`;
  });
  return [
    `The contract with clients, compared with ${printable(base.from)} (${base.commit.slice(0, 10)})\n`,
    ...(lines.length === 0 ? [] : ["\n", ...lines]),
    `\n${summary(report)}\n${crossCheckSummary(report, printable)}\n`,
    ...mismatchesOf(report).map(
      (one) => `  ${printable(`${one.type}: ${mismatchWords(one)} (${mismatchCount(one)})`)}\n`,
    ),
  ].join("");
}

/** Maximum number of rows: the comment of a pull request also contains what the sources publish. */
const MAX_ROWS = 20;
/** Maximum number of characters of a row's text. */
const MAX_ROW_LENGTH = 160;

function markdown(report: ContractReport, types: PageTypes): string {
  const { changes } = report;
  const rows = changes
    .slice(0, MAX_ROWS)
    .map(
      (change) =>
        `| ${change.breaking ? "**may break**" : "addition"} | ${cell(`${change.what} ${change.message}`)} | ${cell(whereOf(change, types))} |\n`,
    );
  const mismatches = mismatchesOf(report)
    .slice(0, MAX_ROWS)
    .map((one) => `- ${code(shortened(`${one.type}: ${mismatchWords(one)}`))}: ${mismatchCount(one)}\n`);
  return [
    `### The contract with clients\n\n${summary(report)}\n`,
    ...(rows.length === 0 ? [] : ["\n| for clients | change | location |\n| --- | --- | --- |\n", ...rows]),
    ...(changes.length > MAX_ROWS ? [`\n${changes.length - MAX_ROWS} more are not shown.\n`] : []),
    `\n${crossCheckSummary(report, code)}\n`,
    ...(mismatches.length === 0 ? [] : ["\n", ...mismatches]),
  ].join("");
}

/** A bar would end the cell, even in a code span. */
const cell = (text: string): string => code(shortened(text)).replaceAll("|", String.raw`\|`);

const shortened = (text: string): string =>
  text.length <= MAX_ROW_LENGTH ? text : `${text.slice(0, MAX_ROW_LENGTH)}…`;

const json = (report: ContractReport): string =>
  `${printableJson({ ...report, breaking: isBreaking(report) }, 2)}\n`;

export const reporters = { human, markdown, json } satisfies Record<
  string,
  (report: ContractReport, types: PageTypes) => string
>;
