import { at, onAnyPage, replaced, set, withHeader, without, wrongBody, type Planted } from "./plant.ts";

/** The home page, a subpage of it, and a subpage of that. */
const SEVERAL = [2, 4, 31];

const MISSING = { status: 404, body: '{"message": "No Page matches the given query."}' };
const [HOME, WORK] = ["/api/v2/pages/2/", /^\/api\/v2\/pages\/31\/?$/];

/** Defects of a page in the response to a plain GET. */
export const ofPages: Planted[] = [
  [
    "a missing page",
    ["page-status"],
    at(WORK, (draft) => {
      Object.assign(draft, MISSING);
      delete draft.encoding;
    }),
    SEVERAL,
  ],
  ["a missing parent page", ["page-status", "parent-summary"], at(HOME, set({ status: 500 })), SEVERAL],
  ["no Allow", ["page-allow"], onAnyPage(without("Allow"))],
  ["another Allow", ["page-allow"], onAnyPage(withHeader("Allow", "GET, HEAD"))],
  [
    "Allow twice",
    ["page-allow"],
    onAnyPage(withHeader("Allow", ["GET, HEAD, OPTIONS", "GET, HEAD, OPTIONS"])),
  ],
  ["a page that may be cached", ["page-cache-control"], onAnyPage(withHeader("Cache-Control", "max-age=60"))],
  [
    "a charset",
    ["page-content-type"],
    onAnyPage(withHeader("Content-Type", "application/json; charset=utf-8")),
  ],
  ["Expires: 0", ["page-expires"], onAnyPage(withHeader("Expires", "0"))],
  [
    "Expires with the wrong weekday",
    ["page-expires"],
    onAnyPage(withHeader("Expires", "Mon, 01 Jan 1970 00:00:00 GMT")),
  ],
  [
    "Expires in the future",
    ["page-expires"],
    onAnyPage(withHeader("Expires", "Fri, 01 Jan 2100 00:00:00 GMT")),
  ],
  ["Vary without Accept", ["page-vary"], onAnyPage(withHeader("Vary", "Accept-Encoding"))],
  ["no cross-origin access", ["page-cors"], onAnyPage(without("Access-Control-Allow-Origin"))],
  ["no nosniff", ["page-nosniff"], onAnyPage(without("X-Content-Type-Options"))],

  ["a body that is not JSON", ["page-json"], wrongBody((text) => text.slice(0, -1))],
  ["a body with a BOM", ["page-json"], wrongBody((text) => `\ufeff${text}`)],
  [
    "a body that is not UTF-8",
    ["page-json"],
    onAnyPage(set({ body: Buffer.from('{"id":"\u00e4"}', "latin1") })),
  ],
  ["a list", ["page-json"], wrongBody((text) => `[${text}]`)],
  ["a missing field", ["page-schema"], replaced('"seo_title":"",', "")],
  ["an unknown field", ["page-schema"], replaced('"title":', '"tittle":"","title":')],
  [
    "an empty string in place of null",
    ["page-schema"],
    replaced(/("first_published_at":)"[^"]+"/, '$1""', 31),
  ],
  [
    "fields in another order",
    ["page-key-order"],
    replaced('"seo_title":"","search_description":""', '"search_description":"","seo_title":""'),
  ],
  [
    "subject_tags of other subjects",
    ["page-equals"],
    replaced('"subject_tags":["marsh"]', '"subject_tags":["heath"]'),
  ],
  [
    "the file of another page",
    ["page-id", "parent-summary"],
    wrongBody((text, id) => text.replace(`{"id":${id},`, '{"id":3,')),
  ],
  [
    "a build for another URL",
    ["detail-url"],
    replaced(/http:\/\/127\.0\.0\.1:\d+/g, "https://api.example.org"),
  ],
  ["a renamed parent page", ["parent-summary"], replaced(/"title":"Home"}$/, '"title":"Start"}', 2), SEVERAL],
];
