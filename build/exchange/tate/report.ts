import { tally } from "../report.ts";

/**
 * Reasons why a work has no page. A work can have several, and all are listed. The final counts use only its
 * first in this order, so that they add up.
 */
export const REASONS = {
  "damaged-file": "the file is not a JSON object in UTF-8",
  "no-date-range": "no date range",
  "half-a-date": "a date range without two years",
  "accession-number": "an accession number other than one letter and five digits",
  unclassified: "no classification",
  "unknown-classification": "a classification without an id in this project's table",
  "no-acquisition-year": "no acquisition year",
  "no-id": "no id from 1 to 2^53-1",
  "id-taken": "an id that another page has",
  "no-title": "no title",
  "no-address": "no address of the form /art/artworks/<slug>",
  "slug-taken": "an address that another work has (upper and lower case count as the same)",
} as const;

export type WorkReasonCode = keyof typeof REASONS;

export interface Reason {
  code: WorkReasonCode;
  /** The value in the data, instead of the required value. */
  found?: unknown;
}

/** A value of the data for a field of the API, in a format that the field does not allow. */
export interface LeftOut {
  field: string;
  found: unknown;
}

const reasonCodes = Object.keys(REASONS) as WorkReasonCode[];

export const inOrder = (reasons: Reason[]): Reason[] =>
  reasons.sort((a, b) => reasonCodes.indexOf(a.code) - reasonCodes.indexOf(b.code));

export interface DamagedFile {
  file: string;
  damage: string;
}

export interface NotWritten {
  file: string;
  id: number | null;
  acno: string | null;
  reasons: Reason[];
}

/** The result of an import: every work of the data is counted in `written` or listed in `notWritten`. */
export interface TateReport {
  works: number;
  written: number;
  notWritten: NotWritten[];
  /** Values of written works for fields of the API, in formats that the fields do not allow. */
  leftOut: ({ file: string } & LeftOut)[];
  contributorsWithoutAddress: number;
  damagedArtists: DamagedFile[];
}

function countReasons(notWritten: NotWritten[]) {
  const counts = reasonCodes.map((code) => ({
    code,
    works: notWritten.filter(({ reasons }) => reasons.some((r) => r.code === code)).length,
    /** Works whose first reason, in the order of the table, is this one: these add up. */
    counted: notWritten.filter(({ reasons }) => reasons[0]?.code === code).length,
  }));
  return counts.filter(({ works }) => works > 0);
}

export function reportData(report: TateReport): object {
  const { works, written, notWritten, ...rest } = report;
  const reasons = countReasons(notWritten).map(({ code, ...counts }) => [
    code,
    { ...counts, meaning: REASONS[code] },
  ]);
  return {
    works,
    written,
    notWritten: notWritten.length,
    reasons: Object.fromEntries(reasons) as object,
    ...rest,
    worksNotWritten: notWritten,
  };
}

/** The counts, for people: they add up to the number of works. */
export function summary(report: TateReport): string {
  const { works, written, notWritten, leftOut, contributorsWithoutAddress, damagedArtists } = report;
  const counts = countReasons(notWritten);
  const reasonCounts = counts.map(({ code, works: all, counted }) => {
    const also = all > counted ? ` (${all} works in all, ${all - counted} of them counted above)` : "";
    return { count: counted, words: `not written: ${REASONS[code]}${also}` };
  });
  const notes: [number, string][] = [
    [leftOut.length, "values left out because the API contract does not allow their format"],
    [contributorsWithoutAddress, "contributors without an address"],
    [damagedArtists.length, "files of artists that could not be used"],
  ];
  return tally(
    [{ count: written, words: "written" }, ...reasonCounts],
    { count: works, words: "works" },
    notes.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}.`),
  );
}
