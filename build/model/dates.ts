/** Advice about dates that people write in other formats: the mistake, and the same date in the expected format. */

export type DateForm = "date" | "local-date-time" | "date-time" | "end-date-time" | "timestamp";

export const MONTHS =
  "January February March April May June July August September October November December".split(" ");

/** 0 if there is no such month. `Date` takes a year below 100 for one of the 20th century, so another leap cycle is used. */
const daysIn = (year: number, month: number): number =>
  MONTHS[month - 1] === undefined ? 0 : new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

/** A date that may be in either order, day first or month first. With full stops, the day is always first. */
const DAY_OR_MONTH = /^\d{1,2} *[-/ ] *\d{1,2} *[-/ ] *\d{4}(?!\d)/;

interface Written {
  year: string;
  month: string;
  day: string;
  /** Hours, minutes and, if written, seconds. */
  time: string | undefined;
  fraction: string | undefined;
  offset: string | undefined;
  /** The mistake in the format, if the date is not written as year-month-day. */
  order?: string;
}

const NUMBERS: [pattern: RegExp, order: string | undefined][] = [
  [/^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?!\d)/, undefined],
  [/^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?!\d)/, "with hyphens"],
  [/^(?<year>\d{4})[/.](?<month>\d{1,2})[/.](?<day>\d{1,2})(?!\d)/, "with hyphens"],
  [/^(?<day>\d{1,2})[-/. ]+(?<month>\d{1,2})[-/. ]+(?<year>\d{4})(?!\d)/, "the day comes last"],
  [/^(?<day>\d{1,2})(?:st|nd|rd|th|\.)? (?<month>\p{L}{3,9})\.?,? (?<year>\d{4})(?!\d)/u, "in digits"],
  [/^(?<month>\p{L}{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})(?!\d)/u, "in digits"],
];

const REST =
  /^(?:[T ,]\s*(?<time>\d{1,2}:\d{2}(?::\d{2})?)(?<fraction>\.\d+)?\s*(?<offset>Z|[+-]\d{2}:?(?:\d{2})?)?)?$/i;

function taken(text: string): Written | undefined {
  for (const [pattern, order] of NUMBERS) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const rest = REST.exec(text.slice(found[0].length));
    if (rest === null) return undefined;
    const { year = "", month = "", day = "" } = found.groups ?? {};
    const named = MONTHS.findIndex((name) => name.toLowerCase().startsWith(month.toLowerCase()));
    if (!/^\d/.test(month) && named === -1) return undefined;
    const { time, fraction, offset } = rest.groups ?? {};
    const number = /^\d/.test(month) ? month : String(named + 1);
    return { year, month: number, day, time, fraction, offset, ...(order === undefined ? {} : { order }) };
  }
  return undefined;
}

const two = (digits: string): string => digits.padStart(2, "0");

/** `right` is the same date in the format, `other` its other reading; `expected` completes “expected …”. */
export function dateAdvice(
  text: string,
  form: DateForm,
): { expected: string; right?: string; other?: string } | undefined {
  const written = taken(text.trim());
  if (written === undefined) return undefined;
  const { year, order } = written;
  let { month, day } = written;
  let problem = order;
  if (Number(month) > 12 && Number(day) <= 12) {
    [month, day] = [day, month];
    problem = order === "the day comes last" ? order : "the month comes before the day";
  }
  const days = daysIn(Number(year), Number(month));
  if (days === 0) return { expected: "a month from 01 to 12" };
  if (Number(day) < 1 || Number(day) > days) {
    const name = `${MONTHS[Number(month) - 1]} ${year}`;
    return { expected: `an existing day (${name} has ${days} days)` };
  }
  problem ??= problemOf(written, form, text);
  if (problem === undefined) return undefined;
  const right = print(written, year, month, day, form);
  // 04/09 is the fourth of September or the ninth of April, depending on its author's country.
  const isAmbiguous = DAY_OR_MONTH.test(text.trim()) && Number(day) <= 12 && Number(day) !== Number(month);
  const also = isWholeDay(written, form) ? "; a day ends when the next day begins" : "";
  return {
    expected: `${EXPECTED[form]} (${problem}${also})`,
    right,
    ...(isAmbiguous ? { other: print(written, year, day, month, form) } : {}),
  };
}

const EXPECTED: Record<DateForm, string> = {
  date: "a date as year-month-day",
  "local-date-time": "a date and time without an offset",
  "date-time": "a date and time with an offset or Z",
  "end-date-time": "a date and time with an offset or Z",
  timestamp: "a date, a space, and a time with a fraction",
};

function problemOf(
  { month, day, time, fraction, offset }: Written,
  form: DateForm,
  text: string,
): string | undefined {
  if (text !== text.trim()) return "without white space around it";
  if (month.length < 2 || day.length < 2) return "two digits for the month and for the day";
  if (form === "date") return time === undefined ? undefined : "without a time";
  if (time === undefined) return "the time is missing";
  const [hours = "", minutes = "", seconds] = time.split(":");
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds ?? 0) > 59) return undefined;
  if (hours.length < 2) return "two digits for the hour";
  if (seconds === undefined) return "the seconds are missing";
  if (form === "timestamp") {
    if (offset !== undefined) return "without an offset";
    if (fraction === undefined) return "the fraction of the second is missing";
    return /T/i.test(text) ? "a space before the time" : undefined;
  }
  if (!/^\S*T/.test(text)) return "a T before the time";
  if (form === "local-date-time") {
    if (offset !== undefined) return "the offset does not belong here";
    return fraction === undefined ? undefined : "without a fraction of the second";
  }
  if (offset === undefined) return "the offset is missing";
  return /^(?:Z|[+-]\d{2}:\d{2})$/.test(offset) ? undefined : "the offset is written as Z or +01:00";
}

const isWholeDay = ({ time }: Written, form: DateForm): boolean =>
  form === "end-date-time" && time === undefined;

function dayAfter(year: string, month: string, day: string): string {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  if (d < daysIn(y, m)) return `${year}-${two(month)}-${two(String(d + 1))}`;
  return m < 12 ? `${year}-${two(String(m + 1))}-01` : `${String(y + 1).padStart(4, "0")}-01-01`;
}

function print(written: Written, year: string, month: string, day: string, form: DateForm): string {
  const date = isWholeDay(written, form) ? dayAfter(year, month, day) : `${year}-${two(month)}-${two(day)}`;
  if (form === "date") return date;
  const [hours = "00", minutes = "00", seconds = "00"] = (written.time ?? "00:00:00").split(":");
  const time = `${two(hours)}:${minutes}:${seconds}`;
  if (form === "local-date-time") return `${date}T${time}`;
  if (form === "timestamp") return `${date} ${time}${written.fraction ?? ".0"}`;
  const fraction = written.fraction ?? "";
  const offset = written.offset?.toUpperCase();
  if (offset === undefined) return `${date}T${time}${fraction}Z`;
  const [, sign = "", h = "", m = ""] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  return `${date}T${time}${fraction}${offset === "Z" ? "Z" : `${sign}${h}:${m === "" ? "00" : m}`}`;
}
