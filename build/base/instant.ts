/* Instants are in milliseconds since 1970, like those of `Date`. Fractions of a millisecond are cut off. */

/** An instant before any that a source can contain. */
export const EARLIEST = -8.64e15;
/** An instant after any that a source can contain. */
export const LATEST = 8.64e15;

/** The instant of a date and time with an offset or Z. */
export const instantOf = (text: string): number => Date.parse(text);

/** The instant in UTC with Z, without a zero fraction. */
export const printInstant = (instant: number): string =>
  new Date(instant).toISOString().replace(".000Z", "Z");

/** A period: `from` is included, `until` is not. */
export interface Period {
  from: number;
  until: number;
}

export const ALWAYS: Period = { from: EARLIEST, until: LATEST };

export const includes = ({ from, until }: Period, instant: number): boolean =>
  from <= instant && instant < until;

export const overlap = (one: Period, other: Period): Period => ({
  from: Math.max(one.from, other.from),
  until: Math.min(one.until, other.until),
});

/** Whether an instant is between two others, or is the later one: whether time has passed it. */
export const isBetween = (instant: number, one: number, other: number): boolean =>
  instant > Math.min(one, other) && instant <= Math.max(one, other);

export interface Times {
  at: number;
  /** Later instants at which time changes a page or a finding are collected; instants up to this one are not. */
  floor: number;
}

/** The times of a build for which no date is in the future. */
export const NO_FUTURE: Times = { at: LATEST, floor: LATEST };
