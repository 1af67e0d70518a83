import { inFiles, slips, type Row } from "../row.ts";
import { ACCESS, VALID, WORK } from "../site.ts";

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
    "a misspelt path of a section": ["empty-owned-path", '"/visit/", ', '"/vist/", ', { marked: '"/vist/"' }],
  }),
  ...slips(WORK, {
    "another name for a group": ["inconsistent", '"The sea"', '"The Sea"'],
    "another name for a subject": ["inconsistent", '"nature"', '"Nature"'],
    "another level of a subject": ["inconsistent", '"level": 1', '"level": 2'],
    "the number of another work": [
      "acno-clash",
      '"D00001"',
      '"D00002"',
      { byHand: ["Two works have the accession number D00002", "pool-d00002.json"], beside: ["acno-clash"] },
    ],
  }),
  ...slips("_history.json", {
    "the id of a page that was retired": [
      "retired-id",
      '"retired": []',
      '"retired": [{ "id": 12, "address": "/visit/tea/", "to": null }]',
      { becomes: null, at: ACCESS, marked: "12" },
    ],
    "an entry of a page that is there again": [
      "former-address",
      '"moved": []',
      '"moved": [{ "id": 12, "address": "/visit/hours/" }]',
      { marked: '"/visit/hours/"', byHand: ["a page uses it again", "Delete this entry"] },
    ],
    "an entry of a page that never was": [
      "unknown-moved-id",
      '"moved": []',
      '"moved": [{ "id": 99, "address": "/visit/tea/" }]',
      { marked: "99", byHand: ["has the id 99", "Correct the id"] },
    ],
    "addresses that lead in a circle": [
      "redirect-loop",
      '"retired": []',
      '"retired": [{ "id": 50, "address": "/visit/a/", "to": "/visit/b/" }, { "id": 51, "address": "/visit/b/", "to": "/visit/a/" }]',
      { marked: '"/visit/b/"', byHand: ["/visit/a/ → /visit/b/ → /visit/a/"], beside: ["redirect-loop"] },
    ],
    "a circle through the former address of a page that is retired": [
      "redirect-loop",
      '"retired": [],\n  "moved": []',
      '"retired": [{ "id": 50, "address": "/tea/", "to": "/cafe/" }], "moved": [{ "id": 50, "address": "/cafe/" }]',
      { marked: '"/cafe/"', byHand: ["/tea/ → /cafe/ → /tea/", "Correct “to”"] },
    ],
    "a retired page that leads to no page": [
      "dead-redirect",
      '"retired": []',
      '"retired": [{ "id": 50, "address": "/tea/", "to": "/visit/acess/" }]',
      {
        becomes: '"retired": [{ "id": 50, "address": "/tea/", "to": "/visit/access/" }]',
        marked: '"/visit/acess/"',
        byHand: ["/visit/acess/", "no page has this address", "Write the address of a page"],
      },
    ],
  }),
  {
    did: "another media host than the one of the images",
    before: {
      "_site.json": VALID["_site.json"]?.replace("https://media.", "https://images.") ?? "",
      [WORK]:
        VALID[WORK]?.replace(
          /"\/images\/marsh-(\d+)\.jpg"\]/g,
          '"https://media.example.org/images/marsh-$1.jpg"]',
        ) ?? "",
    },
    code: "outside-media",
    at: [WORK],
    byHand: ["https://media.example.org", "https://images.example.org, the media host"],
    beside: ["outside-media"],
    after: { "_site.json": VALID["_site.json"] ?? "" },
  },
  ...inFiles({
    "no _site.json": [
      "site-missing",
      { "_site.json": null },
      {
        at: "_site.json",
        after: { "_site.json": VALID["_site.json"] ?? "" },
        byHand: ["There is no _site.json", "base_url, site_url and media_url"],
      },
    ],
    "a _site.json in another folder": [
      "site-misplaced",
      { "visit/_site.json": VALID["_site.json"] ?? "" },
      { after: { "visit/_site.json": null }, byHand: ["nothing reads it", "delete it"] },
    ],
    "a _history.json in another folder": [
      "history-misplaced",
      { "visit/_history.json": VALID["_history.json"] ?? "" },
      { after: { "visit/_history.json": null }, byHand: ["nothing reads it", "delete it here"] },
    ],
    "a _history.json in a list": [
      "not-an-object",
      { "_history.json": `[\n${VALID["_history.json"]}]\n` },
      { marked: "[", not: ["page"] },
    ],
  }),
];
