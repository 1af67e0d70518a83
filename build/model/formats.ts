import { Failure } from "../base/failure.ts";
import type { ValueMistake } from "../findings/finding.ts";
import { dateAdvice, type DateForm } from "./dates.ts";
import {
  ABSOLUTE_URL_PATTERN,
  ADDRESS_REST,
  inAddress,
  isSlug,
  SLUG_PATTERN,
  addressProblem,
  hasUnseenCharacters,
  localHost,
  placementPatterns,
} from "../source/address.ts";

/** A format that a text field can require (“Formats” in docs/reference.md). */
export interface Format {
  /** Completes “expected …”. */
  expected: string;
  /** A more exact completion for one text that does not match. */
  expectedFor?: (text: string) => string | undefined;
  example: string;
  /** The corrected text, if the intended value is clear. */
  correctionOf?: (text: string) => string | undefined;
  otherOf?: (text: string) => string | undefined;
  /** A probable mistake in a text that matches. */
  unlikely?: (text: string) => ValueMistake<"acno-case" | "unlikely-host"> | undefined;
  /** The part of the rule that JSON Schema can express; `matches` is the whole rule. */
  pattern: string;
  /** The format of JSON Schema that every text in this format has, for clients. */
  standard?: "date" | "date-time" | "uri";
  matches: (text: string) => boolean;
}

const LEAP_YEAR = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)`;
const DAY_OF_MONTH =
  String.raw`(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|` +
  String.raw`(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])`;
const DATE = String.raw`(?:\d{4}-(?:${DAY_OF_MONTH})|${LEAP_YEAR}-02-29)`;
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d:[0-5]\d`;
const DATE_TIME_PATTERN = String.raw`^${DATE}T${TIME}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`;

const byPattern = (format: Omit<Format, "matches">, also?: (match: RegExpExecArray) => boolean): Format => {
  const pattern = new RegExp(format.pattern, "u");
  if (also === undefined) return { ...format, matches: (text) => pattern.test(text) };
  return {
    ...format,
    matches: (text) => {
      const match = pattern.exec(text);
      return match !== null && also(match);
    },
  };
};

/** Words with a sign between them. On a very long text, the repeated group of the pattern would exhaust the stack. */
function words(letters: "a-z" | "A-Z", sign: "-" | "_"): Pick<Format, "pattern" | "matches"> {
  const characters = new RegExp(`^[${letters}][${letters}0-9${sign}]*$`);
  return {
    pattern: `^[${letters}][${letters}0-9]*(?:${sign}[${letters}0-9]+)*$`,
    matches: (text) => characters.test(text) && !text.includes(sign + sign) && !text.endsWith(sign),
  };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Compares whole numbers by their digits, because a double cannot represent all of them. */
function isAtMost(min: string, max: string): boolean {
  const [a, b] = [min.replace(/^0+/, ""), max.replace(/^0+/, "")];
  return a.length === b.length ? a <= b : a.length < b.length;
}

const adviceOf = (form: DateForm): Pick<Format, "expectedFor" | "correctionOf" | "otherOf"> => ({
  expectedFor: (text) => dateAdvice(text, form)?.expected,
  correctionOf: (text) => dateAdvice(text, form)?.right,
  otherOf: (text) => dateAdvice(text, form)?.other,
});

const PLACEMENT = placementPatterns();

const SITE_RELATIVE_PATTERN = `^/(?:${inAddress("/")}${ADDRESS_REST})?$`;
const SITE_RELATIVE = new RegExp(SITE_RELATIVE_PATTERN, "u");

const isAbsoluteUrl = (text: string): boolean => addressProblem(text) === undefined;
const isSiteRelative = (text: string): boolean => SITE_RELATIVE.test(text) && !hasUnseenCharacters(text);

const expectedPath = (text: string): string | undefined =>
  hasUnseenCharacters(text) ? "an address without invisible characters" : undefined;

function expectedUrl(text: string): string | undefined {
  const found = addressProblem(text);
  switch (found?.problem) {
    case "user":
      return `an address without a user name before its host (this one leads to ${found.host})`;
    case "spelling":
      return `an address with its host spelled as browsers read it (${found.host})`;
    default:
      return expectedPath(text);
  }
}

/** `www.example.org/visit` as a complete address. */
const withScheme = (written: string): string | undefined => {
  const text = written.replaceAll("\\", "/");
  return /^\s*(?:https?:|www\.|\w[\w-]*(?:\.[\w-]+)*\.[a-z]{2,}(?:[/?#]|$))/i.test(text)
    ? text.trim().replace(/^(?!https?:)/i, "https://")
    : undefined;
};

/** `art/artworks/` as a path on this website. */
const withSlash = (written: string): string | undefined => {
  const text = written.replaceAll("\\", "/");
  if (text !== written && text.startsWith("/")) return text;
  return /^\s*[\w-]+\//.test(text) ? `/${text.trim()}` : undefined;
};

const asRepositoryName = (text: string): string =>
  text
    .trim()
    .replace(/^(?:https?:\/\/[^/]*\/|git@[^:]*:)/i, "")
    .replace(/(?:\.git)?\/*$/i, "");

/** A path relative to the repository's root, without surplus slashes and dots. */
const asFolderPath = (text: string): string =>
  text
    .trim()
    .replaceAll("\\", "/")
    .replaceAll(/\/{2,}/g, "/")
    .replace(/^(?:\.?\/)+/, "")
    .replace(/\/$/, "") || ".";

/** A URL to which a secret may be sent: encrypted, or on this machine. */
const SERVICE_URL_PATTERN = String.raw`^(?=https://|http://(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$))${ABSOLUTE_URL_PATTERN.slice(1)}`;
const SERVICE_URL = new RegExp(SERVICE_URL_PATTERN, "u");

/** Formats of values that the build derives. No source contains such values. */
const derivedFormats = {
  "response-address": byPattern({
    expected: "the URL of a response, which ends in the page's id and a slash",
    example: "https://api.example.org/api/v2/pages/12/",
    standard: "uri",
    pattern: PLACEMENT["response-address"],
  }),
  "home-address": byPattern({
    expected: "the URL of the home page, which ends in a slash",
    example: "https://www.example.org/",
    standard: "uri",
    pattern: PLACEMENT["home-address"],
  }),
  "subpage-address": byPattern({
    expected: "the URL of a page below the home page, which ends in the page's slug",
    example: "https://www.example.org/visit/access/",
    standard: "uri",
    pattern: PLACEMENT["subpage-address"],
  }),
  "page-address": byPattern({
    expected: "the URL of a page",
    example: "https://www.example.org/visit/",
    standard: "uri",
    pattern: PLACEMENT["page-address"],
  }),
  "lowercase-code": {
    expected: "a code in lowercase letters, with hyphens",
    example: "display-caption",
    ...words("a-z", "-"),
  },
} satisfies Record<string, Format>;

/** Formats of values that only `_site.json` has. */
const siteFormats = {
  "site-url": {
    expected: "a complete address (https:// or http:// and a host)",
    example: "https://www.example.org",
    pattern: ABSOLUTE_URL_PATTERN,
    expectedFor: expectedUrl,
    correctionOf: (text) => withScheme(text)?.replace(/\/+$/, ""),
    matches: isAbsoluteUrl,
  },
  "service-url": {
    expected: "a complete address that begins with https:// (http:// only on this machine)",
    example: "https://git.example.org",
    pattern: SERVICE_URL_PATTERN,
    expectedFor: expectedUrl,
    correctionOf: (text) => withScheme(text)?.replace(/^http:/i, "https:"),
    matches: (text: string) => SERVICE_URL.test(text) && isAbsoluteUrl(text),
  },
  "repository-name": byPattern({
    expected: "the owner and the name of a repository, with a slash between them",
    example: "aldermouth/pages",
    pattern: String.raw`^[A-Za-z0-9][A-Za-z0-9_-]*/(?!\.{1,2}$)(?!.*\.[Gg][Ii][Tt]$)[A-Za-z0-9._-]+$`,
    correctionOf: asRepositoryName,
  }),
  "branch-name": byPattern({
    expected: "the name of a branch as git accepts it",
    example: "main",
    pattern: String.raw`^(?![-/.])(?!@$)(?!.*(?:\.\.|@\{|//|/\.|\.lock(?:/|$)|[/.]$))[^\s\u0000-\u0020\u007f~^:?*[\\]+$`,
    correctionOf: (text) => text.trim().replaceAll(/\s+/g, "-"),
  }),
  "time-zone": {
    expected: "the name of a time zone, with its continent and city",
    example: "Europe/London",
    pattern: "^[A-Za-z][A-Za-z0-9_+/-]*$",
    matches: (text) => /^[A-Za-z]/.test(text) && isTimeZone(text),
  },
  "folder-path": byPattern({
    expected:
      "the path of a folder below the top of the repository, without a slash at its beginning and end",
    example: "content",
    pattern: String.raw`^(?:\.|(?!/)(?!.*(?://|/$|(?:^|/)\.{1,2}(?:/|$)))[^\\\u0000-\u001f\u007f]+)$`,
    correctionOf: asFolderPath,
  }),
} satisfies Record<string, Format>;

const ANY_ADDRESS: Omit<Format, "expected" | "example"> = {
  pattern: `(${ABSOLUTE_URL_PATTERN})|(${SITE_RELATIVE_PATTERN})`,
  expectedFor: expectedUrl,
  correctionOf: (text) => withSlash(text) ?? withScheme(text),
  matches: (text) => isSiteRelative(text) || isAbsoluteUrl(text),
};

const dateTime = (form: DateForm): Format =>
  byPattern({
    expected: "a date and time with an offset or Z",
    example: "2026-12-31T09:30:00Z or 2026-12-31T09:30:00+01:00",
    ...adviceOf(form),
    standard: "date-time",
    pattern: DATE_TIME_PATTERN,
  });

const writtenFormats = {
  slug: {
    expected: "letters, digits, hyphens and underscores",
    example: "access",
    pattern: `^${SLUG_PATTERN}$`,
    matches: isSlug,
  },
  "absolute-url": {
    expected: "a complete address (https:// or http:// and a host)",
    example: "https://www.example.org/visit/",
    pattern: ABSOLUTE_URL_PATTERN,
    expectedFor: expectedUrl,
    correctionOf: withScheme,
    unlikely: (found: string) => {
      const host = localHost(found);
      return host === undefined ? undefined : { code: "unlikely-host", args: { found, host } };
    },
    matches: isAbsoluteUrl,
  },
  "site-relative": {
    expected: "an address on this website, beginning with one slash",
    example: "/art/artworks/",
    pattern: SITE_RELATIVE_PATTERN,
    expectedFor: expectedPath,
    correctionOf: (text) => withSlash(text) ?? (/^[\w-]+$/.test(text) ? `/${text}` : undefined),
    matches: isSiteRelative,
  },
  "site-relative-query": {
    expected: "an address on this website, beginning with one slash, with a question mark and a query",
    example: "/api/shop/?q=turner",
    pattern: String.raw`^/(?:${inAddress("/?")}${inAddress("?")}*)?\?${ADDRESS_REST}$`,
    expectedFor: expectedPath,
    correctionOf: withSlash,
    matches: (text: string) => isSiteRelative(text) && text.includes("?"),
  },
  address: {
    ...ANY_ADDRESS,
    expected: "an address: complete, or beginning with one slash",
    example: "/visit/access/",
  },
  "media-url": {
    ...ANY_ADDRESS,
    expected: "an image's address: complete, or beginning with one slash",
    example: "/art/images/a00001_10.jpg",
  },
  date: byPattern({
    expected: "an existing date, as year-month-day",
    example: "2026-12-31",
    ...adviceOf("date"),
    standard: "date",
    pattern: `^${DATE}$`,
  }),
  time: byPattern({
    expected: "a time of the day, as hours:minutes:seconds",
    example: "09:30:00",
    correctionOf: (text) => (/^\d\d:\d\d$/.test(text) ? `${text}:00` : undefined),
    pattern: `^${TIME}$`,
  }),
  "local-date-time": byPattern({
    expected: "a date and time without an offset",
    example: "2026-12-31T09:30:00",
    ...adviceOf("local-date-time"),
    pattern: `^${DATE}T${TIME}$`,
  }),
  "date-time": dateTime("date-time"),
  /** A time at which something ends: a day without a time is meant with its end. */
  "end-date-time": dateTime("end-date-time"),
  timestamp: byPattern({
    expected: "a date, a space, and a time with a fraction",
    example: "2026-12-31 09:30:00.0",
    ...adviceOf("timestamp"),
    pattern: String.raw`^${DATE} ${TIME}\.\d+$`,
  }),
  acno: byPattern({
    expected: "an accession number: one letter and five digits",
    example: "N00530",
    correctionOf: (text) => {
      const [, letter, digits] = /^\s*([A-Za-z])[\s.-]*0*(\d{1,5})\s*$/.exec(text) ?? [];
      return letter === undefined ? undefined : `${letter.toUpperCase()}${digits?.padStart(5, "0")}`;
    },
    unlikely: (found) =>
      found === found.toUpperCase()
        ? undefined
        : { code: "acno-case", args: { found, right: found.toUpperCase() } },
    pattern: String.raw`^[A-Za-z]\d{5}$`,
  }),
  "external-id": byPattern({
    expected: "a name, a colon and a key",
    example: "works:N00530",
    pattern: String.raw`^[a-z][a-z\d-]{0,39}:[^\s\x00-\x1f](?:.*[^\s])?$`,
  }),
  "id-list": {
    expected: "ids (digits) with one space between them",
    example: "558 2803",
    pattern: String.raw`^\d+(?: \d+)*$`,
    correctionOf: (text) => text.trim().replace(/[\s,;]+/g, " "),
    // On a very long text, the repeated group of the pattern would exhaust the stack of the regular expression engine.
    matches: (text) => /^\d[\d ]*$/.test(text) && !text.includes("  ") && !text.endsWith(" "),
  },
  code: {
    expected: "a code in capital letters",
    example: "DISPLAY_CAPTION",
    correctionOf: (text: string) =>
      text
        .trim()
        .toUpperCase()
        .replace(/[\s_-]+/g, "_"),
    ...words("A-Z", "_"),
  },
  range: byPattern(
    {
      expected: "a range of two whole numbers, the smaller first",
      example: "0-599",
      pattern: String.raw`^(\d+)-(\d+)$`,
    },
    ([, min = "", max = ""]) => isAtMost(min, max),
  ),
} satisfies Record<string, Format>;

export const formats = { ...writtenFormats, ...siteFormats, ...derivedFormats };

export type WrittenFormat = keyof typeof writtenFormats;
export type FormatName = keyof typeof formats;

/** @throws Failure if the URL cannot replace `base_url`. */
export function checkBaseUrl(url: string, option = "--base-url"): string {
  if (!formats["absolute-url"].matches(url) || /[?#]/.test(url))
    throw new Failure(`${option} must be a complete address such as https://api.example.org, but is ${url}`);
  return url.replace(/\/+$/, "");
}
