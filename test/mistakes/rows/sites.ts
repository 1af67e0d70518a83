import { inFiles, slips, type Row, type Slip } from "../row.ts";
import { ACCESS, VALID, WORK } from "../site.ts";

const fromGit = (file: string) => ({
  byHand: ["get the last version of the file from git"],
  not: ["page"],
  after: { [file]: VALID[file] ?? "" },
});

/** A mistake in a setting that the valid site does not have. */
const setting = (code: Slip[0], written: string, more: NonNullable<Slip[3]>): Slip => [
  code,
  '"owned_paths"',
  `${written}, "owned_paths"`,
  more,
];

/** Mistakes in the settings of the site, and contradictions between pages. */
export const SITES: readonly Row[] = [
  ...slips("_site.json", {
    "a slash at the end": ["site-slash", '"https://www.example.org"', '"https://www.example.org/"'],
    "no https": ["bad-form", '"https://www.example.org"', '"www.example.org"'],
    "no https, and a slash at the end": ["bad-form", '"https://www.example.org"', '"www.example.org/"'],
    "no address of the website": [
      "missing-field",
      '  "site_url": "https://www.example.org",\n',
      "",
      { becomes: null, marked: "{" },
    ],
    "a misspelt field": ["unknown-field", '"media_url"', '"media_ulr"'],
    "a path without its slashes": [
      "bad-form",
      '"/visit/", ',
      '"visit", ',
      { becomes: '"/visit", ', marked: '"visit"' },
    ],
    "a time zone that there is not": setting("bad-form", '"time_zone": "Europe/Londn"', {
      marked: '"Europe/Londn"',
      byHand: ["Write it like this: Europe/London"],
    }),
    "a limit beside another setting": setting(
      "unknown-field",
      '"index": { "limit": 100, "order": "title" }',
      { becomes: '"index": { "limit": 100 }, "owned_paths"', marked: '"order"' },
    ),
    "a limit that is too large": setting("out-of-range", '"index": { "limit": 1001 }', {
      marked: "1001",
      byHand: ["must be at most 1000"],
    }),
    "a language with a number for its path": setting(
      "wrong-type",
      '"locales": { "en": { "label": "English", "path": 1 } }',
      { marked: "1", byHand: ["“locales.en.path”: expected a text"] },
    ),
    "languages in a list": setting("wrong-type", '"locales": ["en"]', {
      marked: '["en"]',
      byHand: ['Write {"en": …}'],
    }),
    "an underscore in the code of a language": setting("bad-form", '"locales": { "en_GB": "English" }', {
      marked: '"English"',
      byHand: ["the BCP 47 code of a language"],
    }),
    "a language without a label": setting("empty-field", '"locales": { "en": "" }', {
      marked: '""',
      byHand: ["Write a text"],
    }),
    "a misspelt path of a section": ["empty-owned-path", '"/visit/", ', '"/vist/", ', { marked: '"/vist/"' }],
  }),
  ...slips(WORK, {
    "another name for a group": ["inconsistent", '"The sea"', '"The Sea"'],
    "another name for a subject": ["inconsistent", '"nature"', '"Nature"'],
    "another level of a subject": ["inconsistent", '"level": 1', '"level": 2'],
  }),
  ...slips("_history.json", {
    "the id of a page that was retired": [
      "retired-id",
      '"retired": []',
      '"retired": [{ "id": 12, "address": "/visit/tea/", "to": null }]',
      { becomes: null, at: ACCESS, marked: "12" },
    ],
  }),
  ...inFiles({
    "an empty _site.json": ["json-syntax", { "_site.json": "" }, fromGit("_site.json")],
    "an empty _history.json": ["json-syntax", { "_history.json": "\n" }, fromGit("_history.json")],
    "a _history.json in a list": [
      "not-an-object",
      { "_history.json": `[\n${VALID["_history.json"]}]\n` },
      { marked: "[", not: ["page"] },
    ],
  }),
];
