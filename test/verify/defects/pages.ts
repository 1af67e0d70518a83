import { onAnyPage, pageHeader, wrongBody, type Planted } from "./plant.ts";

/** The home page, a subpage of it, and a subpage of that. */
const SEVERAL = [2, 4, 31];

/** Defects of a page in the response to a plain GET. */
export const ofPages: Record<string, Planted> = {
  "a missing page": {
    defect: (draft, { page }) => {
      if (page !== 31) return;
      Object.assign(draft, { status: 404, body: '{"message": "No Page matches the given query."}' });
      delete draft.encoding;
    },
    fails: ["page-status"],
    ids: SEVERAL,
  },
  "a missing parent page": {
    defect: (draft, { page, path }) => {
      if (page === 2 && path.endsWith("/")) Object.assign(draft, { status: 500 });
    },
    fails: ["page-status", "parent-summary"],
    ids: SEVERAL,
  },
  "no Allow": { defect: pageHeader((headers) => delete headers["Allow"]), fails: ["page-allow"] },
  "another Allow": {
    defect: pageHeader((headers) => (headers["Allow"] = "GET, HEAD")),
    fails: ["page-allow"],
  },
  "Allow twice": {
    defect: pageHeader((headers) => (headers["Allow"] = ["GET, HEAD, OPTIONS", "GET, HEAD, OPTIONS"])),
    fails: ["page-allow"],
  },
  "a page that may be cached": {
    defect: pageHeader((headers) => (headers["Cache-Control"] = "max-age=60")),
    fails: ["page-cache-control"],
  },
  "a charset": {
    defect: pageHeader((headers) => (headers["Content-Type"] = "application/json; charset=utf-8")),
    fails: ["page-content-type"],
  },
  "Expires: 0": { defect: pageHeader((headers) => (headers["Expires"] = "0")), fails: ["page-expires"] },
  "Expires with the wrong weekday": {
    defect: pageHeader((headers) => (headers["Expires"] = "Mon, 01 Jan 1970 00:00:00 GMT")),
    fails: ["page-expires"],
  },
  "Expires in the future": {
    defect: pageHeader((headers) => (headers["Expires"] = "Fri, 01 Jan 2100 00:00:00 GMT")),
    fails: ["page-expires"],
  },
  "Vary without Accept": {
    defect: pageHeader((headers) => (headers["Vary"] = "Accept-Encoding")),
    fails: ["page-vary"],
  },
  "no cross-origin access": {
    defect: pageHeader((headers) => delete headers["Access-Control-Allow-Origin"]),
    fails: ["page-cors"],
  },
  "no nosniff": {
    defect: pageHeader((headers) => delete headers["X-Content-Type-Options"]),
    fails: ["page-nosniff"],
  },

  "a body that is not JSON": { defect: wrongBody((text) => text.slice(0, -1)), fails: ["page-json"] },
  "a body with a BOM": { defect: wrongBody((text) => `\ufeff${text}`), fails: ["page-json"] },
  "a body that is not UTF-8": {
    defect: onAnyPage((draft) => (draft.body = Buffer.from('{"id":"\u00e4"}', "latin1"))),
    fails: ["page-json"],
  },
  "a list": { defect: wrongBody((text) => `[${text}]`), fails: ["page-json"] },
  "a missing field": {
    defect: wrongBody((text) => text.replace('"seo_title":"",', "")),
    fails: ["page-schema"],
  },
  "an unknown field": {
    defect: wrongBody((text) => text.replace('"title":', '"tittle":"","title":')),
    fails: ["page-schema"],
  },
  "an empty string in place of null": {
    defect: wrongBody((text, { page }) =>
      page === 31 ? text.replace(/("first_published_at":)"[^"]+"/, '$1""') : text,
    ),
    fails: ["page-schema"],
  },
  "fields in another order": {
    defect: wrongBody((text) =>
      text.replace('"seo_title":"","search_description":""', '"search_description":"","seo_title":""'),
    ),
    fails: ["page-key-order"],
  },
  "subject_tags of other subjects": {
    defect: wrongBody((text) => text.replace('"subject_tags":["marsh"]', '"subject_tags":["heath"]')),
    fails: ["page-equals"],
  },
  "the file of another page": {
    defect: wrongBody((text, { page }) => text.replace(`{"id":${page},`, '{"id":3,')),
    fails: ["page-id", "parent-summary"],
  },
  "a build for another URL": {
    defect: wrongBody((text) => text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "https://api.example.org")),
    fails: ["detail-url"],
  },
  "a renamed parent page": {
    defect: wrongBody((text, { page }) =>
      page === 2 ? text.replace(/"title":"Home"}$/, '"title":"Start"}') : text,
    ),
    fails: ["parent-summary"],
    ids: SEVERAL,
  },
};
