declare const instant: unique symbol;

/**
 * An instant, exact to the last digit that was written: a text that is ordered like time. Its digits count the seconds
 * since a time before any that a source can contain, so none is negative.
 */
export type Instant = string & { readonly [instant]: true };

/** An instant before any that a source can contain. */
export const EARLIEST = "" as Instant;
/** An instant after any that a source can contain. */
export const LATEST = "~" as Instant;

/** The seconds of the year 1970. */
const SECONDS_UNTIL_1970 = 62_200_000_000;
const DIGITS = 12;

const atSecond = (second: number, fraction: string): Instant => {
  const digits = String(second + SECONDS_UNTIL_1970).padStart(DIGITS, "0");
  const exact = fraction === "" ? "" : fraction.replace(/0+$/, "");
  return (exact === "" ? digits : `${digits}.${exact}`) as Instant;
};

export function instantOf(text: string): Instant {
  if (!text.includes(".")) return atSecond(Date.parse(text) / 1000, "");
  const [whole, fraction = "", offset = ""] = text.split(/\.(\d+)/);
  return atSecond(Date.parse(`${whole}${offset}`) / 1000, fraction);
}

/** From whole milliseconds since 1970, like those of `Date`. */
export function instantAt(milliseconds: number): Instant {
  const second = Math.floor(milliseconds / 1000);
  const rest = milliseconds - 1000 * second;
  return atSecond(second, rest === 0 ? "" : String(rest).padStart(3, "0"));
}

export const currentInstant = (): Instant => instantAt(Date.now());

/** The second of an instant, in milliseconds since 1970, and the fraction of the second that follows, such as `.5`. */
export const partsOf = (at: Instant): { second: number; fraction: string } => ({
  second: 1000 * (Number(at.slice(0, DIGITS)) - SECONDS_UNTIL_1970),
  fraction: at.slice(DIGITS),
});

/** The first whole millisecond since 1970 at which an instant has passed. */
export function millisecondsOf(at: Instant): number {
  const { second, fraction } = partsOf(at);
  return second + Math.ceil(Number(`0${fraction}`) * 1000);
}

/** The largest offset that a date and time can have. */
const MAX_OFFSET_MS = (23 * 60 + 59) * 60_000;

/** The instant in UTC with Z, without a zero fraction; with the largest offset if its year has four digits only so. */
export function printInstant(at: Instant): string {
  const { second, fraction } = partsOf(at);
  const print = (shift: number, offset: string): string =>
    new Date(second + shift)
      .toISOString()
      .replace(/\.000Z$/, (fraction && fraction.padEnd(".000".length, "0")) + offset);
  const inUtc = print(0, "Z");
  if (inUtc.startsWith("+")) return print(-MAX_OFFSET_MS, "-23:59");
  return inUtc.startsWith("-") ? print(MAX_OFFSET_MS, "+23:59") : inUtc;
}

/** A period: `from` is included, `until` is not. */
export interface Period {
  from: Instant;
  until: Instant;
}

export const ALWAYS: Period = { from: EARLIEST, until: LATEST };

export const includes = ({ from, until }: Period, at: Instant): boolean => from <= at && at < until;

export const later = (one: Instant, other: Instant): Instant => (one < other ? other : one);
export const earlier = (one: Instant, other: Instant): Instant => (one < other ? one : other);

export const overlap = (one: Period, other: Period): Period => ({
  from: later(one.from, other.from),
  until: earlier(one.until, other.until),
});

/** Whether an instant is between two others, or is the later one: whether time has passed it. */
export const isBetween = (at: Instant, one: Instant, other: Instant): boolean =>
  at > earlier(one, other) && at <= later(one, other);

export interface Times {
  at: Instant;
  /** Later instants at which time changes a page or a finding are collected; instants up to this one are not. */
  knownSince: Instant;
}

/** The times of a build for which no date is in the future. */
export const NO_FUTURE: Times = { at: LATEST, knownSince: LATEST };
