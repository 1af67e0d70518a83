import { slip, type Row } from "../row.ts";
import { ACCESS, WORK } from "../site.ts";

const PUBLISHED = '"2026-06-30T09:30:00+01:00"';

/** The page “Easter” with dates. */
const easter = (dates: string): string =>
  `{\n  "id": 15,\n  "meta": { "type": "standardpages.GeneralPage", ${dates} },\n  "title": "Easter"\n}\n`;

export const DATES: readonly Row[] = [
  slip(
    ACCESS,
    "a day in the future on which the page is to be published",
    [PUBLISHED, '"2027-06-30T09:30:00+01:00"'],
    "future-publication",
    '"2027-06-30T09:30:00+01:00"',
    ["only “meta.go_live_at” can delay the page", 'write "go_live_at": "2027-06-30T09:30:00+01:00"'],
    { byHand: true },
  ),
  slip(
    WORK,
    "a year in the future",
    ['"acquisitionYear": 1900', '"acquisitionYear": 2190', '"acquisitionYear": 1900'],
    "future-acquisition",
    "2190",
    ["“acquisitionYear” is 2190, a year in the future"],
    { byHand: true },
  ),
  {
    did: "a page that expires before it goes live",
    before: {
      "visit/hours/easter.json": easter(
        '"go_live_at": "2027-03-01T10:00:00Z", "expire_at": "2027-02-01T10:00:00Z"',
      ),
    },
    code: "expires-too-early",
    at: ["visit/hours/easter.json", '"2027-02-01T10:00:00Z"'],
    says: ["“meta.expire_at”", "not later than “meta.go_live_at”", "leave one of them out"],
    after: { "visit/hours/easter.json": easter('"go_live_at": "2027-03-01T10:00:00Z"') },
    byHand: true,
  },
  // In Europe, the clocks change on 28 March 2027.
  ...(
    [
      ["2027-03-27", "2027-03-28", "the time is missing"],
      ["2027-03-28", "2027-03-29", "the time is missing"],
      ["31 December 2027", "2028-01-01", "in digits"],
      ["28.02.2028", "2028-02-29", "the day comes last"],
    ] as const
  ).map(([day, next, problem]): Row => ({
    did: `a page that expires on a day without a time, ${day}`,
    before: { "visit/hours/easter.json": easter(`"expire_at": "${day}"`) },
    code: "bad-form",
    at: ["visit/hours/easter.json", `"${day}"`],
    says: ["“meta.expire_at”", problem, "a day ends when the next day begins"],
    after: { "visit/hours/easter.json": easter(`"expire_at": "${next}T00:00:00Z"`) },
  })),
  {
    did: "a page that goes live on a day without a time",
    before: { "visit/hours/easter.json": easter('"go_live_at": "2027-03-28"') },
    code: "bad-form",
    at: ["visit/hours/easter.json", '"2027-03-28"'],
    says: ["“meta.go_live_at”", "the time is missing"],
    after: { "visit/hours/easter.json": easter('"go_live_at": "2027-03-28T00:00:00Z"') },
  },
  {
    did: "a link to a page that goes live later",
    before: {
      "visit/access.json":
        '{\n  "id": 12,\n  "meta": { "type": "standardpages.GeneralPage", "go_live_at": "2027-03-01T10:00:00Z" },\n  "title": "Access"\n}\n',
    },
    code: "link-not-live",
    at: [WORK, "/visit/access/"],
    says: ["live from 1 March 2027, 10:00 UTC", "this page is always live", "of visit/access.json"],
    after: {
      "visit/access.json":
        '{\n  "id": 12,\n  "meta": { "type": "standardpages.GeneralPage" },\n  "title": "Access"\n}\n',
    },
    byHand: true,
  },
  {
    did: "a date for the home page",
    before: {
      "index.json":
        '{\n  "id": 1,\n  "meta": { "type": "home.HomePage", "go_live_at": "2027-03-01T10:00:00Z" },\n  "title": "Home"\n}\n',
    },
    code: "home-dates",
    at: ["index.json", '"go_live_at"'],
    says: ["The home page is always live"],
    after: { "index.json": '{\n  "id": 1,\n  "meta": { "type": "home.HomePage" },\n  "title": "Home"\n}\n' },
    byHand: true,
  },
  slip(
    ACCESS,
    "a day that June does not have",
    [PUBLISHED, '"2026-06-31T09:30:00+01:00"'],
    "bad-form",
    '"2026-06-31T09:30:00+01:00"',
    ["“meta.first_published_at”", "June 2026 has 30 days"],
    { byHand: true, not: ["offset is missing"] },
  ),
  slip(
    ACCESS,
    "29 February in a year without one",
    [PUBLISHED, '"2026-02-29T09:30:00Z"'],
    "bad-form",
    '"2026-02-29T09:30:00Z"',
    ["February 2026 has 28 days"],
    { byHand: true },
  ),
  ...["04/09/2018", "4-9-2018"].map((date) =>
    slip(
      WORK,
      `a day and a month in an unknown order, ${date}`,
      ['"startDate": "2026-02-03"', `"startDate": "${date}"`, '"startDate": "2018-09-04"'],
      "bad-form",
      `"${date}"`,
      ["Write 2018-09-04 if the day is written first, or 2018-04-09 if the month is."],
    ),
  ),
  ...["04.09.2018", "09/09/2018", "14/09/2018"].map((date) =>
    slip(
      WORK,
      `a day and a month in an order that is known, ${date}`,
      ['"startDate": "2026-02-03"', `"startDate": "${date}"`, `"startDate": "2018-09-${date.slice(0, 2)}"`],
      "bad-form",
      `"${date}"`,
      [`Write 2018-09-${date.slice(0, 2)}`],
      { not: ["if the day"] },
    ),
  ),
  slip(
    ACCESS,
    "no offset",
    [PUBLISHED, '"2026-06-30T09:30:00"', '"2026-06-30T09:30:00Z"'],
    "bad-form",
    '"2026-06-30T09:30:00"',
    ["the offset is missing", "Write 2026-06-30T09:30:00Z"],
    { not: ["existing day"] },
  ),
  slip(
    ACCESS,
    "an offset without its colon",
    [PUBLISHED, '"2026-06-30T09:30:00+0100"'],
    "bad-form",
    '"2026-06-30T09:30:00+0100"',
    ["the offset is written as Z or +01:00"],
  ),
  slip(
    ACCESS,
    "a day in place of a time",
    [PUBLISHED, '"2026-06-30"', '"2026-06-30T00:00:00Z"'],
    "bad-form",
    '"2026-06-30"',
    ["the time is missing"],
  ),
  slip(
    ACCESS,
    "a space for the T",
    [PUBLISHED, '"2026-06-30 09:30:00+01:00"'],
    "bad-form",
    '"2026-06-30 09:30:00+01:00"',
    ["a T before the time"],
  ),
  slip(
    ACCESS,
    "no seconds",
    [PUBLISHED, '"2026-06-30T09:30+01:00"'],
    "bad-form",
    '"2026-06-30T09:30+01:00"',
    ["the seconds are missing"],
  ),
  slip(
    ACCESS,
    "an empty date",
    [PUBLISHED, '""', "null"],
    "empty-field",
    '""',
    ["must not be empty", "or null"],
    { byHand: true },
  ),
  ...(
    [
      ["the day first", "03.02.2026", ["the day comes last"]],
      ["the day first, with slashes", "3/2/2026", ["the day comes last"]],
      ["one digit for the month", "2026-2-03", ["two digits for the month"]],
      ["slashes", "2026/02/03", ["with hyphens"]],
      ["no hyphens", "20260203", ["with hyphens"]],
      ["a month in words", "3 February 2026", ["in digits"]],
      ["a month in words, as in America", "February 3, 2026", ["in digits"]],
      ["a time with a day", "2026-02-03T10:00:00", ["without a time"]],
      ["white space", "2026-02-03 ", ["without white space"]],
    ] as const
  ).map(([did, wrong, says]) =>
    slip(WORK, `a date: ${did}`, ['"2026-02-03"', `"${wrong}"`], "bad-form", `"${wrong}"`, [
      ...says,
      "Write 2026-02-03",
    ]),
  ),
  slip(
    WORK,
    "a month that there is not",
    ['"2026-02-03"', '"2026-14-32"'],
    "bad-form",
    '"2026-14-32"',
    ["a month from 01 to 12"],
    { byHand: true },
  ),
  slip(
    WORK,
    "the month in the place of the day",
    ['"2026-06-30"', '"2026-30-06"'],
    "bad-form",
    '"2026-30-06"',
    ["the month comes before the day", "Write 2026-06-30"],
  ),
  slip(
    WORK,
    "a time stamp as in JSON",
    ['"2019-05-06 12:00:00.0"', '"2019-05-06T12:00:00Z"'],
    "bad-form",
    '"2019-05-06T12:00:00Z"',
    ["“onlinePubDate”", "without an offset", "Write 2019-05-06 12:00:00.0"],
  ),
  slip(
    WORK,
    "an offset in a time that has none",
    ['"2026-06-30T10:00:00"', '"2026-06-30T10:00:00Z"'],
    "bad-form",
    '"2026-06-30T10:00:00Z"',
    ["the offset does not belong here"],
  ),
  slip(
    WORK,
    "an end before the beginning",
    ['"2026-06-30"', '"2026-01-30"'],
    "dates-reversed",
    '"2026-01-30"',
    ["endDate", "is before", "2026-02-03"],
    { byHand: true },
  ),
  slip(
    WORK,
    "years in the wrong order",
    ['"end_year": 1849', '"end_year": 1839'],
    "dates-reversed",
    "1839",
    ["“end_year” (1839) is before “start_year” (1848)"],
    { byHand: true },
  ),
  slip(
    WORK,
    "a year with a digit too many",
    ['"mltYear": 1848', '"mltYear": 18480'],
    "unlikely-year",
    "18480",
    ["The year 18480", "1848", "a year has four"],
    { byHand: true },
  ),
  slip(
    WORK,
    "a year with a digit too few",
    ['"mltYear": 1848', '"mltYear": 184'],
    "unlikely-year",
    "184",
    ["The year 184 "],
    { byHand: true },
  ),
];
