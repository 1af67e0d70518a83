import { formats, type Format, type FormatName } from "../../model/formats.ts";
import type { Site } from "../../model/site.ts";
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

/** The language in which the readers of a site write dates, and its time zone; by default, that of this computer. */
export interface Clocks {
  language: string;
  zone: string | undefined;
}

export function clocksOf({ locales, time_zone: zone }: Partial<Pick<Site, "locales" | "time_zone">>): Clocks {
  const [code = "en"] = Object.keys(locales ?? {});
  const isBritish = code === "en" && zone?.startsWith("America/") !== true;
  return { language: isBritish ? "en-GB" : code === "en" ? "en-US" : code, zone };
}

/** The parts of a day as its readers write them. */
const partsOf = (day: number, language: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat([language, "en-GB"], {
    ...options,
    timeZone: "UTC",
    calendar: "gregory",
    numberingSystem: "latn",
  }).formatToParts(day);

const NAMED = { weekday: "long", day: "numeric", month: "long" } as const;

const textOf = (...parts: Parameters<typeof partsOf>): string =>
  partsOf(...parts)
    .map(({ value }) => value)
    .join("");

/** A day with its weekday, such as “Tuesday 15 December 2026”. */
function dayInWords(day: string, language: string): string {
  const words = textOf(Date.parse(day), language, { ...NAMED, year: "numeric" });
  return language === "en-GB" ? words.replaceAll(",", "") : words;
}

/** A time such as 18:30:00 as its readers write it; with seconds, if there are any. */
function timeText(time: string, language: string): string {
  if (!time.endsWith(":00")) return time;
  const isEnglish = language.startsWith("en");
  return isEnglish
    ? textOf(Date.parse(`2000-01-01T${time}Z`), language, { timeStyle: "short" })
    : time.slice(0, -3);
}

const isMoment = (format: FormatName): boolean => /^(?:end-)?date-time$/.test(format);

/** A date or time of a field as the readers of the site write it, if that is the same one. */
export function shownDate(written: string, field: Field, clocks: Clocks): string {
  const { format = "date" } = field;
  if (!formats[format].matches(written)) return written;
  if (format === "time") return timeText(written, clocks.language);
  const { language, zone = ownZone() } = clocks;
  const [day = "", time] = (isMoment(format) ? clockText(Date.parse(written), zone) : written).split("T");
  const digits = { day: "2-digit", month: "2-digit", year: "numeric" } as const;
  // Without the words and the marks of direction that some languages add.
  const date = textOf(Date.parse(day), language, digits).replaceAll(/\p{Cf}|[^\p{Nd}]+$/gu, "");
  const shown = time === undefined ? date : `${date} ${timeText(time, language)}`;
  const again = readDate(shown, field, clocks);
  return again === written || (isMoment(format) && Date.parse(again) === Date.parse(written))
    ? shown
    : written;
}

/** Whether a field has a date or a time. */
export const isDate = ({ control }: Pick<Field, "control">): boolean => control in PICKERS;

/** An example of a date or time as the readers of the site write it. */
export function exampleDate(field: Field, clocks: Clocks): string {
  const { format = "date", example = "" } = field;
  const [text = ""] = example.split(/Z? /);
  return shownDate(isMoment(format) ? writtenIn(text, clocks.zone) : text, field, clocks);
}

export const isMonthFirst = ({ language }: Pick<Clocks, "language">): boolean =>
  partsOf(0, language, { day: "numeric", month: "numeric" })[0]?.type === "month";

const NUMBERS = /^(\d{4}|\d\d?)[-/. ]+(\d\d?)[-/. ]+(\d{4}|\d\d?)\.?$/;
const TIME = /(?:^|[\s,T])(\d\d?)(?:(?:[:.]|\s?h\s?)(\d\d)(?::(\d\d))?)?\s*(a\.?m\.?|p\.?m\.?|h|uhr)?$/i;

/** Whether a word is the name of the month or weekday of a day, or its beginning; English is read everywhere. */
const isNameOf = (word: string, day: number, part: "month" | "weekday", language: string): boolean =>
  [language, "en-GB"].some((one) => {
    const name = partsOf(day, one, NAMED).find(({ type }) => type === part)?.value ?? "";
    return name.toLowerCase().startsWith(word.toLowerCase());
  });

const monthNamed = (word: string, language: string): number =>
  1 +
  Array.from({ length: 12 }, (_, k) => Date.UTC(2000, k)).findIndex((day) =>
    isNameOf(word, day, "month", language),
  );

const isWeekday = (word: string, language: string): boolean =>
  Array.from({ length: 7 }, (_, k) => Date.UTC(2000, 0, k + 1)).some((day) =>
    isNameOf(word, day, "weekday", language),
  );

/** A day as year-month-day, of one that people write; undefined if it is none. */
function readDay(text: string, language: string): string | undefined {
  const [first = "", second = "", third = ""] = NUMBERS.exec(text)?.slice(1) ?? [];
  let [year, month, day] = [first, second, third];
  if (first === "") {
    const [number = "", other = "", ...more] = text.match(/\d+/g) ?? [];
    const words = text.match(/\p{L}{3,}/gu) ?? [];
    const named = words.findLast((word) => monthNamed(word, language) > 0);
    const isOther = (word: string): boolean => word !== named && word !== "del" && !isWeekday(word, language);
    if (named === undefined || more.length > 0 || words.some(isOther)) return undefined;
    month = String(monthNamed(named, language));
    [day, year] = number.length === 4 ? [other, number] : [number, other];
  } else if (first.length !== 4) {
    [day, month, year] = isMonthFirst({ language }) ? [second, first, third] : [first, second, third];
  }
  if (Number(month) > 12) [day, month] = [month, day];
  const read = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return formats.date.matches(read) ? read : undefined;
}

/**
 * A date or time as the field has it, of one that the readers of the site write, such as “15/12/2026 18:30” and
 * “15 December 2026, 6.30pm”; the text itself if it is none, or if its time is missing.
 */
export function readDate(typed: string, { format = "date" }: Field, { language, zone }: Clocks): string {
  const text = typed.trim();
  if (formats[format].matches(text)) return text;
  const [whole = "", hour = "", minute, second = "00", suffix] = TIME.exec(text) ?? [];
  const half = /^[ap]/i.exec(suffix ?? "")?.[0].toLowerCase();
  const hours = half === undefined ? hour : String((Number(hour) % 12) + (half === "p" ? 12 : 0));
  const isTime = (minute ?? suffix) !== undefined;
  const time = isTime ? `${hours.padStart(2, "0")}:${minute ?? "00"}:${second}` : undefined;
  if (format === "time")
    return time !== undefined && whole === text && formats.time.matches(time) ? time : typed;
  const date = time === undefined ? text : text.slice(0, -whole.length).replace(/[\s,]+$/, "");
  const day = readDay(date, language);
  if (format === "date") return time === undefined ? (day ?? typed) : typed;
  if (day === undefined || time === undefined || !formats.time.matches(time)) return typed;
  return isMoment(format) ? writtenIn(`${day}T${time}`, zone) : `${day}T${time}`;
}

/** Whether a text is a date where a date with a time is expected. */
export const lacksTime = (typed: string, { control }: Pick<Field, "control">, clocks: Clocks): boolean =>
  control.endsWith("date-time") && readDate(typed, DAY, clocks) !== typed;

const DAY = { format: "date" } as Field;

export interface ZonedTime {
  words: string;
  /** If the clocks show this time twice: the other of the two. */
  other?: { name: string; written: string };
}

/**
 * A date, or a date and time, in words; empty if the text is none.
 *
 * @param picked the time that was chosen in a picker, if the text comes from one
 */
export function inZone(text: string, { language, zone }: Clocks, picked?: string): ZonedTime {
  const [day = "", time = ""] = text.split("T");
  if (formats.date.matches(text)) return { words: dayInWords(text, language) };
  if (formats["local-date-time"].matches(text))
    return { words: `${dayInWords(day, language)}, ${timeText(time, language)}` };
  if (!formats["date-time"].matches(text)) return { words: "" };
  const instant = Date.parse(text);
  const [fraction = ""] = /\.\d+/.exec(text) ?? [];
  const at = zone ?? ownZone();
  const place = zone?.replace(/^.*\//, "").replaceAll("_", " ") ?? "your time zone";
  const clock = clockText(instant, at);
  const words = `${dayInWords(clock.slice(0, 10), language)}, ${timeText(clock.slice(11), language)}${fraction}, ${place}`;
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
