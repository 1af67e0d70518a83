import { ALWAYS, EARLIEST, instantOf, LATEST, overlap, type Period } from "../base/instant.ts";
import { MONTHS } from "./dates.ts";

/** The fields of `meta` that set when a page is live. The root does not have them. */
export const LIVE_FIELDS = ["go_live_at", "expire_at"] as const;

/** The time in which a page is live according to its own dates, which are valid; undefined if it has no such dates. */
export function ownPeriod(meta: object): Period | undefined {
  const { go_live_at: from, expire_at: until } = meta as Record<(typeof LIVE_FIELDS)[number], unknown>;
  if (typeof from !== "string" && typeof until !== "string") return undefined;
  return {
    from: typeof from === "string" ? instantOf(from) : EARLIEST,
    until: typeof until === "string" ? instantOf(until) : LATEST,
  };
}

/** The time in which a page and all its ancestors are live; undefined if they are always live. */
export const livePeriod = (own: Period | undefined, above: Period | undefined): Period | undefined =>
  own === undefined || above === undefined ? (own ?? above) : overlap(own, above);

export const periodOrAlways = (period: Period | undefined): Period => period ?? ALWAYS;

/** An instant as people read it: `1 March 2027, 09:00 UTC`. */
export const spokenInstant = (instant: number): string => `${spokenDay(instant)}, ${spokenTime(instant)} UTC`;

/** A date and time as people read it, in its own time zone and in UTC: `1 March 2027, 10:00 (09:00 UTC)`. */
export function spokenDate(text: string): string {
  const instant = instantOf(text);
  const offset = instantOf(text.replace(/(?:Z|[+-]\d\d:\d\d)$/, "Z")) - instant;
  if (offset === 0) return spokenInstant(instant);
  const day = spokenDay(instant + offset);
  const utc = spokenDay(instant) === day ? `${spokenTime(instant)} UTC` : spokenInstant(instant);
  return `${day}, ${spokenTime(instant + offset)} (${utc})`;
}

/** A period as people read it. Completes “The page is”. */
export function spokenPeriod(period: Period | undefined): string {
  const bounds = spokenBounds(periodOrAlways(period));
  return bounds === "" ? "always live" : `live ${bounds}`;
}

/** The beginning and the end of a period as people read them: `until 1 January 2028, 00:00 UTC`. */
export function spokenBounds({ from, until }: Period): string {
  return [
    ...(from === EARLIEST ? [] : [`from ${spokenInstant(from)}`]),
    ...(until === LATEST ? [] : [`until ${spokenInstant(until)}`]),
  ].join(" ");
}

function spokenDay(instant: number): string {
  const date = new Date(instant);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Hours and minutes, and the seconds unless they are zero. */
const spokenTime = (instant: number): string =>
  new Date(instant).toISOString().slice(11, 19).replace(/:00$/, "");
