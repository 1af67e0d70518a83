import { plural } from "../../base/numbers.ts";
import { printableLines } from "../../findings/printable.ts";
import { tally } from "../report.ts";
import type { Guess } from "./declare.ts";
import { cut, shown } from "./values.ts";

/** Reasons for not writing a page, in the order of the printed counts. */
export const REASONS = {
  unavailable: "the host did not return it",
  missing: "the host has no such page",
  damaged: "the response is not a page in JSON",
  "no-id": "no id from 1 to 2^53-1",
  "id-taken": "an id that another response has",
  type: "a page type that this API does not have",
  slug: "a slug that cannot be the name of a file",
  "slug-taken": "an address that another page has (upper and lower case count as the same)",
  "acno-taken": "an accession number that another page has",
  "second-home": "a second home page",
  orphan: "no parent page",
  unpublished: "its parent page is not published",
  loop: "it is below itself",
  content: "content that the build refuses",
  differs: "a derived field that differs from what the build derives",
  "parent-left": "its parent page is not written",
} as const;

export type ReasonCode = keyof typeof REASONS;

export interface Left {
  id: number | null;
  /** Its address on the website, or the name of its response. */
  address: string | null;
  code: ReasonCode;
  reason: string;
}

/** Maximum length of an address or a reason, in characters: the host chooses how long its addresses are. */
const MAX_TEXT_LENGTH = 2000;

/** The result of an import: every page is counted in `written` or listed in `left`. */
export class ImportReport {
  written = 0;
  readonly left: Left[] = [];
  /** Fields that the API does not have, and the number of pages with each. */
  readonly fields = new Map<string, number>();
  /** Fields of the API that responses lack and the build adds, and the number of pages without each. */
  readonly added = new Map<string, number>();
  /** Pages whose new response has the same values, but its fields in another order. */
  reordered = 0;
  /** Pages whose new response has the same values in the same order, but spelled differently. */
  respelt = 0;
  readonly notes: string[] = [];
  /** Declarations in an inferred `_types.json` that people should look at. */
  readonly guesses: Guess[] = [];

  leave(code: ReasonCode, id: number | null, address: string | null, reason: string): void {
    this.left.push({
      code,
      id,
      address: address?.slice(0, MAX_TEXT_LENGTH) ?? null,
      reason: reason.slice(0, MAX_TEXT_LENGTH),
    });
  }

  count(to: Map<string, number>, names: Iterable<string>): void {
    for (const name of names) to.set(name, (to.get(name) ?? 0) + 1);
  }
}

const inOrder = (names: Map<string, number>): [name: string, pages: number][] =>
  [...names].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));

export const reportData = ({ written, left, fields, guesses }: ImportReport): object => ({
  written,
  left: left.map(({ id, address, reason }) => ({ id, address, reason })),
  fields: inOrder(fields).map(([name, pages]) => ({ name, pages })),
  guesses,
});

/** Maximum number of unwritten pages to print; `--report` lists all. */
const MAX_LEFT = 200;

/** The report for people: each page that is not written, then the counts. */
export function summary(report: ImportReport): string {
  const { written, left } = report;
  const pages = left.slice(0, MAX_LEFT).map(({ id, address, reason }) => {
    const named = [id === null ? [] : `page ${id}`, address === null ? [] : shown(address, 200)];
    return `not written: ${named.flat().join(", ")}\n  ${cut(printableLines(reason).replace(/[\n\t]/g, " "), 400)}\n`;
  });
  const rest = left.length - MAX_LEFT;
  if (rest > 0) pages.push(`and ${plural(rest, "page")} more: --report FILE lists all of them\n`);
  const codes = Object.keys(REASONS) as ReasonCode[];
  const counts = codes
    .map((code) => ({
      count: left.filter((page) => page.code === code).length,
      words: `not written: ${REASONS[code]}`,
    }))
    .filter(({ count }) => count > 0);
  const total = { count: written + left.length, words: "responses" };
  const gap = pages.length > 0 ? "\n" : "";
  const all = [{ count: written, words: "written" }, ...counts];
  return pages.join("") + gap + tally(all, total, notesOf(report)) + guessesOf(report);
}

/** Maximum number of field names to print; `--report` lists all. */
const MAX_NAMES = 20;

function guessesOf({ guesses }: ImportReport): string {
  if (guesses.length === 0) return "";
  const rows = guesses
    .slice(0, MAX_NAMES)
    .map(({ field, reason }) => `  ${shown(field, 120)}: ${shown(reason, 200)}\n`);
  const rest = guesses.length - MAX_NAMES;
  if (rest > 0) rows.push(`  and ${rest} more: --report FILE lists all of them\n`);
  return `\nGuesses in _types.json, to look at:\n${rows.join("")}`;
}

const named = (names: Map<string, number>): string =>
  inOrder(names)
    .slice(0, MAX_NAMES)
    .map(([name, pages]) => `${shown(name)} (${plural(pages, "page")})`)
    .join(", ") + (names.size > MAX_NAMES ? `, and ${names.size - MAX_NAMES} more` : "");

function notesOf({ fields, added, reordered, respelt, notes }: ImportReport): string[] {
  const differences: [number, string][] = [
    [fields.size, `fields that this API does not have are left out: ${named(fields)}.`],
    [added.size, `fields that the responses lack, and that the build adds: ${named(added)}.`],
    [reordered, `the same values, but in the API's order of fields: ${plural(reordered, "page")}.`],
    [
      respelt,
      `the same values in the same order, but not the same bytes (spaces, or the spelling of numbers and texts): ${plural(respelt, "page")}.`,
    ],
  ];
  return [...differences.flatMap(([count, note]) => (count > 0 ? [note] : [])), ...notes];
}
