import { dateAdvice, daysIn, type DateForm } from "./dates.ts";
import { ABSOLUTE_URL_PATTERN, ADDRESS_REST, addressProblem, hasUnseenCharacters } from "./address.ts";

/** The forms that a text field can be required to have (interface, section 2; DESIGN "Forms"). */
export interface Form {
  /** Completes “expected …”. */
  wanted: string;
  /** The same of one text that is not of the form, where more can be said of it. */
  wantedOf?: (text: string) => string | undefined;
  example: string;
  /** What such a text means, written right, where that can be told. */
  rightOf?: (text: string) => string | undefined;
  /** Of a text that is of the form, but most likely not as it was meant: how it is written right. */
  usualOf?: (text: string) => string;
  /** What a JSON Schema can say of the form; `holds` is the whole rule. */
  pattern: string;
  holds: (text: string) => boolean;
}

const DATE = String.raw`(\d{4})-(\d{2})-(\d{2})`;
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d:[0-5]\d`;

const byPattern = (form: Omit<Form, "holds">, also?: (match: RegExpExecArray) => boolean): Form => {
  const pattern = new RegExp(form.pattern, "u");
  if (also === undefined) return { ...form, holds: (text) => pattern.test(text) };
  return {
    ...form,
    holds: (text) => {
      const match = pattern.exec(text);
      return match !== null && also(match);
    },
  };
};

/** The same as the form's pattern says, in one pass. */
function isIdList(text: string): boolean {
  let isInId = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c >= 0x30 && c <= 0x39) isInId = true;
    else if (c === 0x20 && isInId) isInId = false;
    else return false;
  }
  return isInId;
}

/** Compares whole numbers by their digits: a double does not hold every one. */
function isAtMost(min: string, max: string): boolean {
  const [a, b] = [min.replace(/^0+/, ""), max.replace(/^0+/, "")];
  return a.length === b.length ? a <= b : a.length < b.length;
}

function dayExists([, year, month, day]: RegExpExecArray): boolean {
  const d = Number(day);
  return d >= 1 && d <= daysIn(Number(year), Number(month));
}

const adviceOf = (form: DateForm): Pick<Form, "wantedOf" | "rightOf"> => ({
  wantedOf: (text) => dateAdvice(text, form)?.wanted,
  rightOf: (text) => dateAdvice(text, form)?.right,
});

const SITE_RELATIVE_PATTERN = String.raw`^/(?![/\\])` + ADDRESS_REST + "$";
const SITE_RELATIVE = new RegExp(SITE_RELATIVE_PATTERN, "u");

const isAbsoluteUrl = (text: string): boolean => addressProblem(text) === undefined;
const isSiteRelative = (text: string): boolean => SITE_RELATIVE.test(text) && !hasUnseenCharacters(text);

const wantedOfPath = (text: string): string | undefined =>
  hasUnseenCharacters(text) ? "an address without invisible characters" : undefined;

function wantedOfUrl(text: string): string | undefined {
  const found = addressProblem(text);
  switch (found?.problem) {
    case "user":
      return `an address without a user name before its host (this one leads to ${found.host})`;
    case "spelling":
      return `an address with its host spelled as browsers read it (${found.host})`;
    default:
      return wantedOfPath(text);
  }
}

/** `www.example.org/visit` as a complete address. */
const withScheme = (text: string): string | undefined =>
  /^\s*(?:https?:|www\.|\w[\w-]*(?:\.[\w-]+)*\.[a-z]{2,}(?:[/?#]|$))/i.test(text)
    ? text.trim().replace(/^(?!https?:)/i, "https://")
    : undefined;

/** `art/artworks/` as a path on this website. */
const withSlash = (text: string): string | undefined =>
  /^\s*[\w-]+\//.test(text) ? `/${text.trim()}` : undefined;

export const forms = {
  "absolute-url": {
    wanted: "a complete address (https:// or http:// and a host)",
    example: "https://www.example.org/visit/",
    pattern: ABSOLUTE_URL_PATTERN,
    wantedOf: wantedOfUrl,
    rightOf: withScheme,
    holds: isAbsoluteUrl,
  },
  "site-relative": {
    wanted: "an address on this website, beginning with one slash",
    example: "/art/artworks/",
    pattern: SITE_RELATIVE_PATTERN,
    wantedOf: wantedOfPath,
    rightOf: (text) => withSlash(text) ?? (/^[\w-]+$/.test(text) ? `/${text}` : undefined),
    holds: isSiteRelative,
  },
  "site-relative-query": {
    wanted: "an address on this website, beginning with one slash, with a question mark and a query",
    example: "/api/shop/?q=turner",
    pattern:
      String.raw`^/(?![/\\])` + ADDRESS_REST.replace("[^", "[^?") + String.raw`\?` + ADDRESS_REST + "$",
    wantedOf: wantedOfPath,
    rightOf: withSlash,
    holds: (text: string) => isSiteRelative(text) && text.includes("?"),
  },
  address: {
    wanted: "an address: complete, or beginning with one slash",
    example: "/art/artworks/",
    pattern: `(${ABSOLUTE_URL_PATTERN})|(${SITE_RELATIVE_PATTERN})`,
    wantedOf: wantedOfUrl,
    rightOf: (text) => withSlash(text) ?? withScheme(text),
    holds: (text: string) => isSiteRelative(text) || isAbsoluteUrl(text),
  },
  "media-url": {
    wanted: "an image's address: complete, or beginning with one slash",
    example: "/art/images/a00001_10.jpg",
    pattern: `(${ABSOLUTE_URL_PATTERN})|(${SITE_RELATIVE_PATTERN})`,
    wantedOf: wantedOfUrl,
    rightOf: (text) => withSlash(text) ?? withScheme(text),
    holds: (text: string) => isSiteRelative(text) || isAbsoluteUrl(text),
  },
  date: byPattern(
    {
      wanted: "an existing date, as year-month-day",
      example: "2026-12-31",
      ...adviceOf("date"),
      pattern: `^${DATE}$`,
    },
    dayExists,
  ),
  "local-date-time": byPattern(
    {
      wanted: "a date and time without an offset",
      example: "2026-12-31T09:30:00",
      ...adviceOf("local-date-time"),
      pattern: `^${DATE}T${TIME}$`,
    },
    dayExists,
  ),
  "date-time": byPattern(
    {
      wanted: "a date and time with an offset or Z",
      example: "2026-12-31T09:30:00Z or 2026-12-31T09:30:00+01:00",
      ...adviceOf("date-time"),
      pattern: String.raw`^${DATE}T${TIME}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`,
    },
    dayExists,
  ),
  timestamp: byPattern(
    {
      wanted: "a date, a space, and a time with a fraction",
      example: "2026-12-31 09:30:00.0",
      ...adviceOf("timestamp"),
      pattern: String.raw`^${DATE} ${TIME}\.\d+$`,
    },
    dayExists,
  ),
  acno: byPattern({
    wanted: "an accession number: one letter and five digits",
    example: "N00530",
    rightOf: (text) => {
      const [, letter, digits] = /^\s*([A-Za-z])[\s.-]*0*(\d{1,5})\s*$/.exec(text) ?? [];
      return letter === undefined ? undefined : `${letter.toUpperCase()}${digits?.padStart(5, "0")}`;
    },
    usualOf: (text) => text.toUpperCase(),
    pattern: String.raw`^[A-Za-z]\d{5}$`,
  }),
  "id-list": {
    wanted: "ids (digits) with one space between them",
    example: "558 2803",
    // Without a repeated group: on a very long text that would exhaust the engine's stack.
    pattern: String.raw`^(?!.* {2})(?!.* $)\d[\d ]*$`,
    rightOf: (text) => text.trim().replace(/[\s,;]+/g, " "),
    holds: isIdList,
  },
  code: byPattern({
    wanted: "a code in capital letters",
    example: "DISPLAY_CAPTION",
    rightOf: (text) =>
      text
        .trim()
        .toUpperCase()
        .replace(/[\s_-]+/g, "_"),
    pattern: "^(?!.*__)(?!.*_$)[A-Z][A-Z0-9_]*$",
  }),
  range: byPattern(
    {
      wanted: "a range of two whole numbers, the smaller first",
      example: "0-599",
      pattern: String.raw`^(\d+)-(\d+)$`,
    },
    ([, min = "", max = ""]) => isAtMost(min, max),
  ),
} satisfies Record<string, Form>;

export type FormName = keyof typeof forms;
