import { printable, printableJson } from "../findings/printable.ts";
import { code } from "../findings/reporters/markdown.ts";
import { plural } from "../base/numbers.ts";
import { PAGE_TYPES } from "../page/types.ts";
import type { Change } from "./compare.ts";
import type { Refusal, Witness } from "./witness.ts";

/** What became of the contract since a revision. */
export interface ContractReport {
  /** How the revision was found, and its commit. */
  base: { from: string; commit: string };
  changes: Change[];
  /** A text says why there is none. */
  witness: Witness | string;
}

/** Whether a client may fail now. */
export const breaksClients = ({ changes, witness }: ContractReport): boolean =>
  changes.some(({ breaks }) => breaks) || (typeof witness !== "string" && witness.refused.length > 0);

const whereOf = ({ of }: Change): string =>
  PAGE_TYPES.every((type) => of.includes(type)) ? "every page" : of.join(", ");

function summary({ changes }: ContractReport): string {
  if (changes.length === 0) return "Nothing in it has changed.";
  const breaking = changes.filter(({ breaks }) => breaks).length;
  return `${plural(changes.length, "change")}: ${breaking} of them may break a client.`;
}

function testimony({ witness }: ContractReport): string {
  if (typeof witness === "string") return `No witness: ${witness}`;
  const { pages, refused } = witness;
  return refused.length === 0
    ? `Witness: the former schema accepts all ${plural(pages, "page")} of the build.`
    : `Witness: the former schema refuses pages of the build (${plural(pages, "page")}):`;
}

const refusalWords = ({ at, says }: Refusal): string => (at === "" ? says : `${at} ${says}`);
const refusalCount = ({ pages, id }: Refusal): string => `${plural(pages, "page")}, such as ${id}`;

function human(report: ContractReport): string {
  const { base, changes, witness } = report;
  const lines = changes.map((change) => {
    const verdict = change.breaks ? "breaks   " : "harmless ";
    return `${verdict} ${printable(`${change.what} ${change.says} (${whereOf(change)})`)}\n`;
  });
  const refused = typeof witness === "string" ? [] : witness.refused;
  return [
    `The contract with clients, compared with ${printable(base.from)} (${base.commit.slice(0, 10)})\n`,
    ...(lines.length === 0 ? [] : ["\n", ...lines]),
    `\n${summary(report)}\n${printable(testimony(report))}\n`,
    ...refused.map((one) => `  ${printable(`${one.type}: ${refusalWords(one)} (${refusalCount(one)})`)}\n`),
  ].join("");
}

/** For the comment of a pull request, in which it shares the room with what the sources publish. */
const LIMIT = 20;
const LONGEST = 160;

function markdown(report: ContractReport): string {
  const { changes, witness } = report;
  const rows = changes
    .slice(0, LIMIT)
    .map(
      (change) =>
        `| ${change.breaks ? "**breaks**" : "harmless"} | ${cell(`${change.what} ${change.says}`)} | ${cell(whereOf(change))} |\n`,
    );
  const refused = (typeof witness === "string" ? [] : witness.refused)
    .slice(0, LIMIT)
    .map((one) => `- ${code(shortened(`${one.type}: ${refusalWords(one)}`))}: ${refusalCount(one)}\n`);
  return [
    `### The contract with clients\n\n${summary(report)}\n`,
    ...(rows.length === 0 ? [] : ["\n| for clients | what | where |\n| --- | --- | --- |\n", ...rows]),
    ...(changes.length > LIMIT ? [`\n${changes.length - LIMIT} more are not shown.\n`] : []),
    `\n${testimony(report).replace(/^No witness: (.*)$/s, (_, why: string) => `No witness: ${code(why)}`)}\n`,
    ...(refused.length === 0 ? [] : ["\n", ...refused]),
  ].join("");
}

/** A bar would end the cell, in a span of code too. */
const cell = (text: string): string => code(shortened(text)).replaceAll("|", String.raw`\|`);

const shortened = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`);

const json = (report: ContractReport): string =>
  `${printableJson({ ...report, breaks: breaksClients(report) }, 2)}\n`;

export const reporters: Record<string, (report: ContractReport) => string> = { human, markdown, json };
