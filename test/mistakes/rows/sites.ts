import { inFiles, slips, type Row } from "../row.ts";
import { ACCESS, VALID, WORK } from "../site.ts";

const fromGit = (file: string) => ({
  byHand: ["get the last version of the file from git"],
  not: ["page"],
  after: { [file]: VALID[file] ?? "" },
});

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
    "a time zone that there is not": [
      "bad-form",
      '"owned_paths"',
      '"time_zone": "Europe/Londn", "owned_paths"',
      { marked: '"Europe/Londn"', byHand: ["Write it like this: Europe/London"] },
    ],
    "a limit beside another setting": [
      "unknown-field",
      '"owned_paths"',
      '"index": { "limit": 100, "order": "title" }, "owned_paths"',
      { becomes: '"index": { "limit": 100 }, "owned_paths"', marked: '"order"' },
    ],
    "a limit that is too large": [
      "out-of-range",
      '"owned_paths"',
      '"index": { "limit": 1001 }, "owned_paths"',
      { marked: "1001", byHand: ["must be at most 1000"] },
    ],
    "a language with a number for its path": [
      "wrong-type",
      '"owned_paths"',
      '"locales": { "en": { "label": "English", "path": 1 } }, "owned_paths"',
      { marked: "1", byHand: ["“locales.en.path”: expected a text"] },
    ],
    "languages in a list": [
      "wrong-type",
      '"owned_paths"',
      '"locales": ["en"], "owned_paths"',
      { marked: '["en"]', byHand: ['Write {"en": …}'] },
    ],
    "an underscore in the code of a language": [
      "bad-form",
      '"owned_paths"',
      '"locales": { "en_GB": "English" }, "owned_paths"',
      { marked: '"English"', byHand: ["the BCP 47 code of a language"] },
    ],
    "a language without a label": [
      "empty-field",
      '"owned_paths"',
      '"locales": { "en": "" }, "owned_paths"',
      { marked: '""', byHand: ["Write a text"] },
    ],
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
