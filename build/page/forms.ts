/** The forms that a text field can be required to have (interface, section 2; DESIGN "Forms"). */
export interface Form {
  /** Completes "must be …". */
  wanted: string;
  example: string;
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

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function dayExists([, year, month, day]: RegExpExecArray): boolean {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const leap = (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
  const days = m === 2 && leap ? 29 : (DAYS[m - 1] ?? 0);
  return d >= 1 && d <= days;
}

/** No white space, control characters, double quotes, angle brackets or backslashes: none stands in an address as is. */
const ADDRESS_REST = String.raw`[^\s\u0000-\u0020\u007f"<>\\]*`;

const isAbsoluteUrl = (text: string): boolean => {
  if (!ABSOLUTE_URL.test(text)) return false;
  try {
    return new URL(text).hostname !== "";
  } catch {
    return false;
  }
};

/** A host and a port; what stands before an @ would be a user's name and password. */
const HOST = ADDRESS_REST.replace("[^", "[^/?#@").replace("*", "+");
const ABSOLUTE_URL_PATTERN = `^[Hh][Tt][Tt][Pp][Ss]?://${HOST}([/?#]${ADDRESS_REST})?$`;
const ABSOLUTE_URL = new RegExp(ABSOLUTE_URL_PATTERN, "u");
const SITE_RELATIVE_PATTERN = String.raw`^/(?![/\\])` + ADDRESS_REST + "$";
const SITE_RELATIVE = new RegExp(SITE_RELATIVE_PATTERN, "u");

export const forms = {
  "absolute-url": {
    wanted: "a complete address (https:// or http:// and a host)",
    example: "https://www.example.org/visit/",
    pattern: ABSOLUTE_URL_PATTERN,
    holds: isAbsoluteUrl,
  },
  "site-relative": byPattern({
    wanted: "an address on this website, beginning with one slash",
    example: "/art/artworks/",
    pattern: SITE_RELATIVE_PATTERN,
  }),
  "site-relative-query": byPattern({
    wanted: "an address on this website, beginning with one slash, with a question mark and a query",
    example: "/api/shop/?q=turner",
    pattern:
      String.raw`^/(?![/\\])` + ADDRESS_REST.replace("[^", "[^?") + String.raw`\?` + ADDRESS_REST + "$",
  }),
  "media-url": {
    wanted: "an image's address: complete, or beginning with one slash",
    example: "/art/images/a00001_10.jpg",
    pattern: `(${ABSOLUTE_URL_PATTERN})|(${SITE_RELATIVE_PATTERN})`,
    holds: (text: string) => SITE_RELATIVE.test(text) || isAbsoluteUrl(text),
  },
  date: byPattern(
    { wanted: "a day that exists, as year-month-day", example: "2026-12-31", pattern: `^${DATE}$` },
    dayExists,
  ),
  "local-date-time": byPattern(
    {
      wanted: "a date and time without an offset",
      example: "2026-12-31T09:30:00",
      pattern: `^${DATE}T${TIME}$`,
    },
    dayExists,
  ),
  "date-time": byPattern(
    {
      wanted: "a date and time with an offset or Z",
      example: "2026-12-31T09:30:00Z or 2026-12-31T09:30:00+01:00",
      pattern: String.raw`^${DATE}T${TIME}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`,
    },
    dayExists,
  ),
  timestamp: byPattern(
    {
      wanted: "a date, a space, and a time with a fraction",
      example: "2026-12-31 09:30:00.0",
      pattern: String.raw`^${DATE} ${TIME}\.\d+$`,
    },
    dayExists,
  ),
  acno: byPattern({
    wanted: "an accession number: one letter and five digits",
    example: "N00530",
    pattern: String.raw`^[A-Za-z]\d{5}$`,
  }),
  "id-list": {
    wanted: "ids (digits) with one space between them",
    example: "558 2803",
    // Without a repeated group: on a very long text that would exhaust the engine's stack.
    pattern: String.raw`^(?!.* {2})(?!.* $)\d[\d ]*$`,
    holds: isIdList,
  },
  code: byPattern({
    wanted: "a code in capitals",
    example: "DISPLAY_CAPTION",
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
