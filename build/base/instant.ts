/*
 * Instants in milliseconds since 1970, as `Date` counts them. A fraction of a millisecond is cut off.
 */

/** Before all instants that a source can name. */
// internal: the bound of Date
export const EARLIEST = -8.64e15;
/** After all instants that a source can name. */
// internal: the bound of Date
export const LATEST = 8.64e15;

/** The instant of a date and time with an offset or Z. */
export const instantOf = (text: string): number => Date.parse(text);

/** The instant in UTC with Z, without a fraction of zero. */
export const printInstant = (instant: number): string =>
  new Date(instant).toISOString().replace(".000Z", "Z");

/** A time: from its first instant until before its last. */
export interface Period {
  from: number;
  until: number;
}

export const ALWAYS: Period = { from: EARLIEST, until: LATEST };

export const includes = ({ from, until }: Period, instant: number): boolean =>
  from <= instant && instant < until;

/** The time that is in both. */
export const overlap = (one: Period, other: Period): Period => ({
  from: Math.max(one.from, other.from),
  until: Math.min(one.until, other.until),
});

/** Whether an instant lies between two others, or at the later one: whether time passed it. */
export const isBetween = (instant: number, one: number, other: number): boolean =>
  instant > Math.min(one, other) && instant <= Math.max(one, other);

/** The instants of a build. */
export interface Times {
  at: number;
  /** Up to it, the instants at which time changes a page or a finding are not collected. */
  floor: number;
}

/** No date is in the future. */
export const NO_FUTURE: Times = { at: LATEST, floor: LATEST };
