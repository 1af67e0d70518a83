import { slips, type Row, type Slip } from "../row.ts";
import { ACCESS, WORK } from "../site.ts";

const PUBLISHED = '"2026-06-30T09:30:00+01:00"';
const GENERAL = '"standardpages.GeneralPage"';

/** Dates after the type of a page. */
const dated = (dates: string): string => `${GENERAL}, ${dates}`;

/** A day without a time as the date on which a page expires: the page is live on that day. In Europe, the clocks change on 28 March 2027. */
const lastDay = (day: string, next: string): Slip => [
  "bad-form",
  GENERAL,
  dated(`"expire_at": "${day}"`),
  {
    becomes: dated(`"expire_at": "${next}T00:00:00Z"`),
    marked: `"${day}"`,
    says: ["a day ends when the next day begins"],
  },
];

/** Without the date that an American would mean. */
const ONE_ORDER = { not: ["if the day"] };
const SAME = { ...ONE_ORDER, becomes: '"2026-02-02"' };

export const DATES: readonly Row[] = [
  ...slips("visit/hours/easter.json", {
    "a page that expires on a day without a time": lastDay("2027-03-27", "2027-03-28"),
    "a page that expires on the last day of February": lastDay("2027-02-28", "2027-03-01"),
    "a page that expires on the day on which the clocks change": lastDay("2027-03-28", "2027-03-29"),
    "a page that expires on a day in words": lastDay("31 December 2027", "2028-01-01"),
    "a page that expires on a day, written first": lastDay("28.02.2028", "2028-02-29"),
    "a page that goes live on a day without a time": [
      "bad-form",
      GENERAL,
      dated('"go_live_at": "2027-03-28"'),
      { becomes: dated('"go_live_at": "2027-03-28T00:00:00Z"'), marked: '"2027-03-28"' },
    ],
  }),
  ...slips(ACCESS, {
    "a link to a page that goes live later": [
      "link-not-live",
      GENERAL,
      dated('"go_live_at": "2027-03-01T10:00:00Z"'),
      {
        at: WORK,
        marked: "/visit/access/",
        byHand: ["live from 1 March 2027, 10:00 UTC", "this page is always live", "of visit/access.json"],
      },
    ],
    "a day in the future on which the page is to be published": [
      "future-publication",
      PUBLISHED,
      '"2027-06-30T09:30:00+01:00"',
      {
        byHand: [
          "only “meta.go_live_at” can delay the page",
          'write "go_live_at": "2027-06-30T09:30:00+01:00"',
        ],
      },
    ],
    "a day that June does not have": [
      "bad-form",
      PUBLISHED,
      '"2026-06-31T09:30:00+01:00"',
      { byHand: ["“meta.first_published_at”", "June 2026 has 30 days"], not: ["offset is missing"] },
    ],
    "no offset": [
      "bad-form",
      PUBLISHED,
      '"2026-06-30T09:30:00"',
      { becomes: '"2026-06-30T09:30:00Z"', not: ["existing day"] },
    ],
    "an offset without its colon": ["bad-form", PUBLISHED, '"2026-06-30T09:30:00+0100"'],
    "a day without a time": ["bad-form", PUBLISHED, '"2026-06-30"', { becomes: '"2026-06-30T00:00:00Z"' }],
    "a space for the T": ["bad-form", PUBLISHED, '"2026-06-30 09:30:00+01:00"'],
    "no seconds": ["bad-form", PUBLISHED, '"2026-06-30T09:30+01:00"'],
    "an empty date": [
      "empty-field",
      PUBLISHED,
      '""',
      { becomes: "null", byHand: ["must not be empty", "or null"] },
    ],
  }),
  ...slips(WORK, {
    "a date: the day and the month in an unknown order": ["bad-form", '"2026-02-03"', '"3-2-2026"'],
    "a date: a day that cannot be the month": ["bad-form", '"2026-06-30"', '"30/06/2026"', ONE_ORDER],
    "a date: a day that is the month, too": ["bad-form", '"2026-02-03"', '"02/02/2026"', SAME],
    "a date: the day first": ["bad-form", '"2026-02-03"', '"03.02.2026"', ONE_ORDER],
    "a date: the day first, with slashes": ["bad-form", '"2026-02-03"', '"3/2/2026"'],
    "a date: one digit for the month": ["bad-form", '"2026-02-03"', '"2026-2-03"'],
    "a date: slashes": ["bad-form", '"2026-02-03"', '"2026/02/03"'],
    "a date: no hyphens": ["bad-form", '"2026-02-03"', '"20260203"'],
    "a date: a month in words": ["bad-form", '"2026-02-03"', '"3 February 2026"'],
    "a date: a month in words, as in America": ["bad-form", '"2026-02-03"', '"February 3, 2026"'],
    "a date: a time with a day": ["bad-form", '"2026-02-03"', '"2026-02-03T10:00:00"'],
    "a date: white space": ["bad-form", '"2026-02-03"', '"2026-02-03 "'],
    "no such month": ["bad-form", '"2026-02-03"', '"2026-14-32"', { byHand: ["a month from 01 to 12"] }],
    "the month in the place of the day": ["bad-form", '"2026-06-30"', '"2026-30-06"'],
    "a time stamp as in JSON": ["bad-form", '"2019-05-06 12:00:00.0"', '"2019-05-06T12:00:00Z"'],
    "an offset in a time that has none": ["bad-form", '"2026-06-30T10:00:00"', '"2026-06-30T10:00:00Z"'],
    "an end before the beginning": [
      "dates-reversed",
      '"2026-06-30"',
      '"2026-01-30"',
      { byHand: ["endDate", "is before", "2026-02-03"] },
    ],
  }),
];
