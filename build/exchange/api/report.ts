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

const CORRECT = "correct it in Wagtail, or save its response, correct that, and import from the folder";
const OTHER_SLUG = "give it another slug in Wagtail, and import again";

/** What to do about a page whose subpages are not written either. */
const REMEDIES: Partial<Record<ReasonCode, string>> = {
  unavailable: "run the import again",
  damaged: CORRECT,
  type: "import with --types, which declares the types of all pages",
  slug: OTHER_SLUG,
  "slug-taken": OTHER_SLUG,
  "acno-taken": "correct the accession number of one of them, and import again",
  "second-home": "import it as a site of its own",
  content: CORRECT,
  differs:
    "convert it into an ordinary page in Wagtail if it is an alias, or correct the field, and import again",
};

/** A reference to a page that is not written. */
interface LostReference {
  id: number;
  address: string;
  to: number;
  /** Whether it is still in the source, because the field needs a page: an error. */
  isKept: boolean;
}

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
  /** References that are left out, because the site could not be built with them. */
  readonly references: LostReference[] = [];
  /** By endpoint of Wagtail's API: an address of a response that this API does not have, and the pages with such addresses. */
  readonly details = new Map<string, { address: string; pages: number }>();
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

  /** Adds to the reasons how many pages below a page are not written only because of it. */
  addBelow(counts: ReadonlyMap<number, number>): void {
    for (const page of this.left) {
      const count = page.id === null || page.code === "id-taken" ? undefined : counts.get(page.id);
      if (count === undefined) continue;
      const remedy = REMEDIES[page.code] ?? "publish or move its parent page, and import again";
      page.reason += `. Because of it, ${plural(count, "page")} below it ${count === 1 ? "is" : "are"} not written either: ${remedy}`;
    }
  }

  /** Counts the addresses of responses that are not those of pages. */
  countDetails(response: string): void {
    const found = new Map(
      Array.from(response.matchAll(DETAIL_URL), ([, address = "", endpoint = ""]) => [endpoint, address]),
    );
    for (const [endpoint, address] of found)
      this.details.set(endpoint, { address, pages: (this.details.get(endpoint)?.pages ?? 0) + 1 });
  }

  count(to: Map<string, number>, names: Iterable<string>): void {
    for (const name of names) to.set(name, (to.get(name) ?? 0) + 1);
  }
}

const DETAIL_URL = /"detail_url":\s*"([^"\s]*\/api\/v2\/(?!pages\/)([\w-]+)\/[^"\s/]+\/)"/g;

const inOrder = (names: Map<string, number>): [name: string, pages: number][] =>
  [...names].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));

export const reportData = ({ written, left, fields, guesses, references }: ImportReport): object => ({
  written,
  left: left.map(({ id, address, reason }) => ({ id, address, reason })),
  fields: inOrder(fields).map(([name, pages]) => ({ name, pages })),
  guesses,
  ...(references.length > 0 && {
    references: references.map(({ id, address, to }) => ({ id, address, to })),
  }),
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

function referenceNotes({ references }: ImportReport): string[] {
  const [kept, removed] = [true, false].map((isKept) => references.filter((one) => one.isKept === isKept));
  return [
    ...referenceNote("are left out, so that the site can be built (the words of links stay)", removed),
    ...referenceNote("stay, because their fields need a page, and are errors", kept),
  ];
}

function referenceNote(what: string, references: readonly LostReference[] = []): string[] {
  const { length } = references;
  if (length === 0) return [];
  const shownOnes = references
    .slice(0, MAX_NAMES)
    .map(({ id, address, to }) => `to ${to} on page ${id}, ${shown(address, 200)}`);
  if (length > MAX_NAMES) shownOnes.push(`and ${length - MAX_NAMES} more: --report FILE lists all of them`);
  return [`${plural(length, "reference")} to pages that are not written ${what}: ${shownOnes.join("; ")}.`];
}

function detailNotes({ details }: ImportReport): string[] {
  if (details.size === 0) return [];
  const found = [...details].map(
    ([name, { address, pages }]) =>
      `${shown(name)} (${plural(pages, "page")}, such as ${shown(address, 200)})`,
  );
  return [
    `meta.detail_url leads to responses that this API does not have: ${found.join(", ")}. After the switch these addresses respond with 404: clients have to use meta.download_url, or your proxy has to keep the old API at them.`,
  ];
}

function notesOf(report: ImportReport): string[] {
  const { fields, added, reordered, respelt, notes } = report;
  const differences: [number, string][] = [
    [fields.size, `fields that this API does not have are left out: ${named(fields)}.`],
    [added.size, `fields that the responses lack, and that the build adds: ${named(added)}.`],
    [reordered, `the same values, but in the API's order of fields: ${plural(reordered, "page")}.`],
    [
      respelt,
      `the same values in the same order, but not the same bytes (spaces, or the spelling of numbers and texts): ${plural(respelt, "page")}.`,
    ],
  ];
  return [
    ...differences.flatMap(([count, note]) => (count > 0 ? [note] : [])),
    ...referenceNotes(report),
    ...detailNotes(report),
    ...notes,
  ];
}
