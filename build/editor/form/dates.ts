import { formats, type Format } from "../../model/formats.ts";
import type { Field } from "./fields.ts";

/* Dates and times in a time zone, whose clocks may skip an hour and repeat one each year. */

const DAY_MS = 86_400_000;

/** The time that the clocks of a time zone show at an instant, as an instant in UTC. Swedes write dates as ISO 8601 does. */
function onClocks(instant: number, zone: string): number {
  const shown = new Date(instant).toLocaleString("sv", { timeZone: zone }).padStart(19, "0");
  return Date.parse(`${shown.replace(" ", "T")}Z`);
}

const offsetAt = (instant: number, zone: string): number =>
  onClocks(instant, zone) - Math.floor(instant / 1000) * 1000;

/** The instants at which the clocks show a time: two if they show it twice, none if they skip it. */
const instantsOf = (shown: number, zone: string): number[] => {
  const found = [-DAY_MS, DAY_MS].map((by) => shown - offsetAt(shown + by, zone));
  return [...new Set(found)].filter((instant) => onClocks(instant, zone) === shown).sort((a, b) => a - b);
};

/** The date and time that the clocks show, without its offset. */
const clockText = (instant: number, zone: string): string =>
  new Date(onClocks(instant, zone)).toISOString().slice(0, 19);

const offsetText = (offset: number): string =>
  `${offset < 0 ? "-" : "+"}${new Date(Math.abs(offset)).toISOString().slice(11, 16)}`;

const withOffset = (instant: number, zone: string, fraction = ""): string =>
  clockText(instant, zone) + fraction + offsetText(offsetAt(instant, zone));

function withSeconds(picked: string): string {
  const [time = ""] = picked.split(".");
  return /:\d\d:/.test(time) ? time : `${time}:00`;
}

const same = (text: string): string => text;

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A time on the clocks, with its offset. A skipped time becomes the time that the clocks show instead. */
export function writtenIn(picked: string, zone = ownZone()): string {
  const shown = Date.parse(`${withSeconds(picked)}Z`);
  const [instant = shown - offsetAt(shown - DAY_MS, zone)] = instantsOf(shown, zone);
  return withOffset(instant, zone);
}

/** A written date and time as a picker shows it; for a date without a time, the midnight that is meant. */
function localTime(written: string, field: Field, zone = ownZone()): string {
  const { correctionOf }: Format = formats[field.format ?? "date-time"];
  if (formats["date-time"].matches(written)) return clockText(Date.parse(written), zone);
  const [day = ""] = /^\d{4}-\d\d-\d\d/.exec(written) ?? [];
  return correctionOf?.(written)?.slice(0, 19) ?? (day && `${day}T00:00:00`);
}

/** A date and time that was understood without an offset, which the time zone gives it: `correct` has that of UTC. */
export const correctedIn = (typed: string, correct: string, zone?: string): string =>
  correct.endsWith("Z") && !/(?:z|[+-]\d\d:?(?:\d\d)?)$/i.test(typed.trim())
    ? writtenIn(correct.slice(0, 19), zone)
    : correct;

/** Conversions between a native picker's value (`picked`) and each date format (`written`). */
export const PICKERS = {
  time: { type: "time", written: withSeconds, picked: same },
  date: { type: "date", written: same, picked: same },
  "local-date-time": { type: "datetime-local", written: withSeconds, picked: same },
  "date-time": { type: "datetime-local", written: writtenIn, picked: localTime },
} as const;

/** A day with its weekday, such as “Tuesday 15 December 2026”. */
const dayInWords = (day: string): string => {
  const shown = { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", shown).replaceAll(",", "");
};

/**
 * A date or time as the field has it, of one that people write, such as “15/12/2026 18:30”; the text itself if it is
 * none, or if its time is missing. Of two readings, the one with the day first.
 */
export function readDate(typed: string, { format = "date" }: Field, zone?: string): string {
  const { matches, correctionOf }: Format = formats[format];
  const text = typed.trim().replace(/(\d)\.(\d\d)$/, "$1:$2");
  if (format === "time") return /^\d?\d:\d\d$/.test(text) ? `${text.padStart(5, "0")}:00` : typed;
  if (matches(text) || (format !== "date" && !/\d:\d\d/.test(text))) return typed;
  const right = correctionOf?.(text);
  return right === undefined ? typed : correctedIn(text, right, zone);
}

export interface ZonedTime {
  words: string;
  /** If the clocks show this time twice: the other of the two. */
  other?: { name: string; written: string };
}

/**
 * A date and time in words, in a time zone and in UTC; empty if the text is not a date and time.
 *
 * @param zone that of the site; by default, that of this computer
 * @param picked the time that was chosen in a picker, if the text comes from one
 */
export function inZone(text: string, zone?: string, picked?: string): ZonedTime {
  if (formats.date.matches(text)) return { words: dayInWords(text) };
  if (!formats["date-time"].matches(text)) return { words: "" };
  const instant = Date.parse(text);
  const [fraction = ""] = /\.\d+/.exec(text) ?? [];
  const at = zone ?? ownZone();
  const place = zone?.replace(/^.*\//, "").replaceAll("_", " ") ?? "your time zone";
  const clock = clockText(instant, at);
  const words = `${dayInWords(clock.slice(0, 10))}, ${clock.slice(11).replace(/:00$/, "")}${fraction}, ${place}`;
  if (picked !== undefined && withSeconds(picked) !== clockText(instant, at))
    return { words: `${words}. The clocks skip ${picked.slice(11)} on that day.` };
  const shown = onClocks(instant, at);
  const [first, second] = instantsOf(shown, at);
  if (first === undefined || second === undefined) return { words };
  const isFirst = offsetAt(instant, at) === shown - first;
  const [name, other, repeat] = isFirst
    ? (["first", "second", second] as const)
    : (["second", "first", first] as const);
  return {
    words: `${words}. The clocks show this time twice; this is the ${name}, ${offsetText(offsetAt(instant, at))}.`,
    other: {
      name: `Use the ${other}, ${offsetText(shown - repeat)}`,
      written: withOffset(repeat, at, fraction),
    },
  };
}
