import { slip, type Row } from "../row.ts";
import { ACCESS, SOUND, WORK } from "../site.ts";

const history = (text: string): Row["before"] => ({ "_history.json": text });
const NOTHING = '{ "retired": [], "moved": [] }\n';

/** Mistakes in the settings of the site, and contradictions between pages. */
export const SITES: readonly Row[] = [
  slip(
    "_site.json",
    "a slash at the end",
    ['"https://www.example.org"', '"https://www.example.org/"'],
    "site-slash",
    '"https://www.example.org/"',
    ["must not end in a slash", "Write https://www.example.org"],
  ),
  slip(
    "_site.json",
    "no https",
    ['"https://www.example.org"', '"www.example.org"'],
    "bad-form",
    '"www.example.org"',
    ["a complete address", "Write https://www.example.org"],
  ),
  slip(
    "_site.json",
    "no https, and a slash at the end",
    ['"https://www.example.org"', '"www.example.org/"'],
    "bad-form",
    '"www.example.org/"',
    ["a complete address", "Write https://www.example.org"],
  ),
  slip(
    "_site.json",
    "no address of the website",
    ['  "site_url": "https://www.example.org",\n', "", null],
    "missing-field",
    "{",
    ["“site_url” is missing", '"site_url": "https://www.example.org"'],
  ),
  {
    did: "another media host than the one of the images",
    before: {
      "_site.json": SOUND["_site.json"]?.replace("https://media.", "https://images.") ?? "",
      [WORK]:
        SOUND[WORK]?.replace(
          /"\/images\/marsh-(\d+)\.jpg"\]/g,
          '"https://media.example.org/images/marsh-$1.jpg"]',
        ) ?? "",
    },
    code: "outside-media",
    at: [WORK],
    says: ["https://media.example.org", "https://images.example.org, the media host"],
    beside: ["outside-media"],
    after: { "_site.json": SOUND["_site.json"] ?? "" },
    byHand: true,
  },
  slip("_site.json", "a misspelt field", ['"media_url"', '"media_ulr"'], "unknown-field", '"media_ulr"', [
    "“media_url”?",
  ]),
  slip(
    "_site.json",
    "a path without its slashes",
    ['"/visit/", ', '"visit", ', '"/visit", '],
    "bad-form",
    '"visit"',
    ["beginning with one slash", "Write /visit"],
  ),
  {
    did: "no _site.json",
    before: { "_site.json": null },
    code: "site-missing",
    at: ["_site.json"],
    says: ["There is no _site.json", "base_url, site_url and media_url"],
    after: { "_site.json": SOUND["_site.json"] ?? "" },
    byHand: true,
  },
  {
    did: "a _site.json in another folder",
    before: { "visit/_site.json": SOUND["_site.json"] ?? "" },
    code: "site-misplaced",
    at: ["visit/_site.json"],
    says: ["nothing reads it", "delete it"],
    after: { "visit/_site.json": null },
    byHand: true,
  },
  {
    did: "a _history.json in another folder",
    before: { "visit/_history.json": NOTHING },
    code: "history-misplaced",
    at: ["visit/_history.json"],
    says: ["nothing reads it", "delete it here"],
    after: { "visit/_history.json": null },
    byHand: true,
  },
  {
    did: "a _history.json in a list",
    before: history(`[\n${NOTHING}]\n`),
    code: "not-an-object",
    at: ["_history.json", "["],
    says: ["found a list", "Delete the [ at the beginning and the ] at the end."],
    not: ["page"],
  },
  {
    did: "the id of a page that was retired",
    before: history('{ "retired": [{ "id": 12, "address": "/visit/tea/", "to": null }], "moved": [] }\n'),
    code: "retired-id",
    at: [ACCESS, "12"],
    says: [
      "/visit/tea/",
      "the retired page /visit/tea/ (_history.json, line 1)",
      "npm run fix -- --ids visit/access.json",
    ],
  },
  {
    did: "an entry of a page that is there again",
    before: history('{ "retired": [], "moved": [{ "id": 12, "address": "/visit/hours/" }] }\n'),
    code: "former-address",
    at: ["_history.json", '"/visit/hours/"'],
    says: ["a page uses it again", "Delete this entry"],
    after: history(NOTHING),
    byHand: true,
  },
  {
    did: "an entry of a page that never was",
    before: history('{ "retired": [], "moved": [{ "id": 99, "address": "/visit/tea/" }] }\n'),
    code: "unknown-moved-id",
    at: ["_history.json", "99"],
    says: ["has the id 99", "Correct the id"],
    after: history(NOTHING),
    byHand: true,
  },
  {
    did: "addresses that lead in a circle",
    before: history(
      '{ "retired": [{ "id": 50, "address": "/visit/a/", "to": "/visit/b/" }, { "id": 51, "address": "/visit/b/", "to": "/visit/a/" }], "moved": [] }\n',
    ),
    code: "redirect-loop",
    at: ["_history.json", '"/visit/b/"'],
    says: ["/visit/a/ → /visit/b/ → /visit/a/"],
    beside: ["redirect-loop"],
    after: history(NOTHING),
    byHand: true,
  },
  {
    did: "a circle through the former address of a page that is retired",
    before: history(
      '{ "retired": [{ "id": 50, "address": "/tea/", "to": "/cafe/" }], "moved": [{ "id": 50, "address": "/cafe/" }] }\n',
    ),
    code: "redirect-loop",
    at: ["_history.json", '"/cafe/"'],
    says: ["/tea/ → /cafe/ → /tea/", "Correct “to”"],
    after: history(NOTHING),
    byHand: true,
  },
  {
    did: "a retired page that leads to no page",
    before: history(
      '{ "retired": [{ "id": 50, "address": "/tea/", "to": "/visit/acess/" }], "moved": [] }\n',
    ),
    code: "dead-redirect",
    at: ["_history.json", '"/visit/acess/"'],
    says: ["/visit/acess/", "no page has this address", "Write the address of a page"],
    after: history(
      '{ "retired": [{ "id": 50, "address": "/tea/", "to": "/visit/access/" }], "moved": [] }\n',
    ),
    byHand: true,
  },
  slip(
    "_site.json",
    "a misspelt path of a section",
    ['"/visit/", ', '"/vist/", '],
    "empty-owned-path",
    '"/vist/"',
    ["No page has the address /vist/", "Did you mean “/visit/”?"],
  ),
  slip(WORK, "another name for a group", ['"The sea"', '"The Sea"'], "inconsistent", '"The Sea"', [
    "but “The sea” on 2 other pages",
    "Write “The sea” here",
  ]),
  slip(WORK, "another name for a subject", ['"nature"', '"Nature"'], "inconsistent", '"Nature"', [
    "The subject 101",
    "Write “nature” here",
  ]),
  slip(WORK, "another level of a subject", ['"level": 1', '"level": 2'], "inconsistent", "2", [
    "Write “1” here",
  ]),
  slip(
    WORK,
    "the number of another work",
    ['"D00001"', '"D00002"'],
    "acno-clash",
    '"D00002"',
    ["Two works have the accession number D00002", "pool-d00002.json"],
    { byHand: true, beside: ["acno-clash"] },
  ),
];
