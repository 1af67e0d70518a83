/**
 * Reasons why a work has no page. A work can have several, and all are listed. The final counts use only its first in
 * this order, so that they add up.
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

export const reasonCodes = Object.keys(REASONS) as WorkReasonCode[];

export const inOrder = (reasons: Reason[]): Reason[] =>
  reasons.sort((a, b) => reasonCodes.indexOf(a.code) - reasonCodes.indexOf(b.code));
