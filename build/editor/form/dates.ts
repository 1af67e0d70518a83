import { formats, type Format } from "../../page/formats.ts";
import { spokenDate } from "../../page/schedule.ts";
import type { Field } from "./fields.ts";

/* Dates and times in the time zone of the editor's computer, whose clocks skip an hour and repeat one each year. */

const DAY_MS = 86_400_000;

/** The time that the clocks of this computer show, as an instant in UTC. */
const onClocks = (instant: number): number => instant - new Date(instant).getTimezoneOffset() * 60_000;

/** The date and time that the clocks of this computer show, without its offset. */
const clockText = (instant: number): string => new Date(onClocks(instant)).toISOString().slice(0, 19);

/** The UTC offset of this computer at an instant, such as `+01:00`. */
function offsetAt(instant: number): string {
  const offset = onClocks(instant) - instant;
  return `${offset < 0 ? "-" : "+"}${new Date(Math.abs(offset)).toISOString().slice(11, 16)}`;
}

const withOffset = (instant: number, fraction = ""): string =>
  clockText(instant) + fraction + offsetAt(instant);

/** The other instant at which the clocks show the same time; undefined if they show the time once. */
function repeatOf(instant: number): number | undefined {
  const shown = onClocks(instant);
  return [instant - DAY_MS, instant + DAY_MS]
    .map((near) => shown - (onClocks(near) - near))
    .find((other) => other !== instant && onClocks(other) === shown);
}

/** A written date and time as a picker shows it; for a date without a time, the midnight that is meant. */
function localTime(written: string, field: Field): string {
  const { correctionOf }: Format = formats[field.form ?? "date-time"];
  if (formats["date-time"].matches(written)) return clockText(Date.parse(written));
  const [day = ""] = /^\d{4}-\d\d-\d\d/.exec(written) ?? [];
  return correctionOf?.(written)?.slice(0, 19) ?? (day && `${day}T00:00:00`);
}

const withSeconds = (picked: string): string => (picked.length === 16 ? `${picked}:00` : picked.slice(0, 19));

/** Conversions between a native picker's value (`picked`) and each date format (`written`). */
export const PICKERS = {
  time: {
    type: "time",
    written: (picked: string) => (picked.length === 5 ? `${picked}:00` : picked.slice(0, 8)),
    picked: (written: string) => written,
  },
  date: { type: "date", written: (picked: string) => picked, picked: (written: string) => written },
  "local-date-time": {
    type: "datetime-local",
    written: withSeconds,
    picked: (written: string) => written,
  },
  "date-time": {
    type: "datetime-local",
    // A time that the clocks skip becomes the time that they show instead.
    written: (picked: string) => withOffset(Date.parse(withSeconds(picked))),
    picked: localTime,
  },
} as const;

export interface OwnTime {
  words: string;
  /** If the clocks show this time twice: the other of the two. */
  other?: { name: string; written: string };
}

/**
 * A date and time in words, in this computer's time zone and in UTC; empty if the text is not a date and time.
 * @param picked the time that was chosen in a picker, if the text comes from one
 */
export function inOwnZone(text: string, picked?: string): OwnTime {
  if (!formats["date-time"].matches(text)) return { words: "" };
  const instant = Date.parse(text);
  const [fraction] = /\.\d+/.exec(text) ?? [];
  const words = `In your time zone: ${spokenDate(withOffset(instant, fraction))}`;
  if (picked !== undefined && withSeconds(picked) !== clockText(instant))
    return { words: `${words}. The clocks skip ${picked.slice(11)} on that day.` };
  const repeat = repeatOf(instant);
  if (repeat === undefined) return { words };
  const [name, other] = instant < repeat ? ["first", "second"] : ["second", "first"];
  return {
    words: `${words}. The clocks show this time twice; this is the ${name}, ${offsetAt(instant)}.`,
    other: { name: `Use the ${other}, ${offsetAt(repeat)}`, written: withOffset(repeat, fraction) },
  };
}
