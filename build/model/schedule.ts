import {
  ALWAYS,
  EARLIEST,
  instantOf,
  LATEST,
  overlap,
  partsOf,
  type Instant,
  type Period,
} from "../base/instant.ts";
import { MONTHS } from "./dates.ts";

/** The fields of `meta` that set when a page is live. The root does not have them. */
export const LIVE_FIELDS = ["go_live_at", "expire_at"] as const;

/** The time in which a page is live by its own dates, which are valid; undefined if it has no such dates. */
export function ownPeriod(meta: object): Period | undefined {
  const { go_live_at: from, expire_at: until } = meta as Record<(typeof LIVE_FIELDS)[number], unknown>;
  if (typeof from !== "string" && typeof until !== "string") return undefined;
  return {
    from: typeof from === "string" ? instantOf(from) : EARLIEST,
    until: typeof until === "string" ? instantOf(until) : LATEST,
  };
}

/** Undefined if the page and all its ancestors are always live. */
export const livePeriod = (own: Period | undefined, above: Period | undefined): Period | undefined =>
  own === undefined || above === undefined ? (own ?? above) : overlap(own, above);

export const periodOrAlways = (period: Period | undefined): Period => period ?? ALWAYS;

/** `1 March 2027, 09:00 UTC` */
export const formatInstant = (at: Instant): string => `${formatDay(at)}, ${formatTime(at)} UTC`;

/** In its own time zone and in UTC: `1 March 2027, 10:00 (09:00 UTC)`. */
export function formatDate(text: string): string {
  const at = instantOf(text);
  const local = instantOf(text.replace(/(?:Z|[+-]\d\d:\d\d)$/, "Z"));
  if (local === at) return formatInstant(at);
  const day = formatDay(local);
  const utc = formatDay(at) === day ? `${formatTime(at)} UTC` : formatInstant(at);
  return `${day}, ${formatTime(local)} (${utc})`;
}

/** Completes “The page is”. */
export function formatPeriod(period: Period | undefined): string {
  const bounds = formatBounds(periodOrAlways(period));
  if (period !== undefined && period.from >= period.until) return "never live";
  return bounds === "" ? "always live" : `live ${bounds}`;
}

/** `until 1 January 2028, 00:00 UTC` */
export function formatBounds({ from, until }: Period): string {
  return [
    ...(from === EARLIEST ? [] : [`from ${formatInstant(from)}`]),
    ...(until === LATEST ? [] : [`until ${formatInstant(until)}`]),
  ].join(" ");
}

function formatDay(at: Instant): string {
  const date = new Date(partsOf(at).second);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Hours and minutes, and the seconds unless they are zero. */
function formatTime(at: Instant): string {
  const { second, fraction } = partsOf(at);
  const [, time = ""] = /T(.*)\./.exec(new Date(second).toISOString()) ?? [];
  return (time + fraction).replace(/:00$/, "");
}
