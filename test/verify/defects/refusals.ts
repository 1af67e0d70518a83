import type { Defect } from "../good-host.ts";
import { at, HTML, isRoot, onMethod, onMissing, set, withHeader, without, type Planted } from "./plant.ts";

const GITHUB = " https://api.github.com";
const POLICY = "Content-Security-Policy";

/** A host whose browse UI has an editor, and the header that the editor needs; `defect` can change any response. */
export const withEditor =
  (defect: Defect = () => undefined): Defect =>
  (draft, received, response) => {
    const policy = draft.headers[POLICY];
    if (policy !== undefined)
      draft.headers[POLICY] = String(policy).replace("connect-src 'self'", `$&${GITHUB}`);
    if (received.path === "/browse/site.json")
      draft.body = JSON.stringify({ editing: { repository: { api_url: "https://api.github.com" } } });
    return defect(draft, received, response);
  };

const CORS = "Access-Control-Allow-Origin";
const NOT_FOUND = { status: 404, body: "" };
const [ZIP, PNG] = [/\.zip$/, /\.png$/];
const YEAR = "public, max-age=31536000, immutable";

/** Defects of the responses that are not pages. */
export const ofRefusals: Planted[] = [
  [
    "200 for every path",
    ["not-found", "spellings"],
    onMissing((draft, received) => {
      if (!isRoot(received) && /pages\/\d+\//.test(received.path)) draft.status = 200;
    }),
  ],
  [
    "a page in place of the error page",
    ["not-found"],
    at("/api/v2/pages/9007199254740991/", (draft) => {
      if (draft.status === 404) draft.status = 200;
    }),
  ],
  ["a 404 in HTML", ["not-found-body"], onMissing(set({ body: HTML }))],
  [
    "a 404 of another type",
    ["not-found-content-type", "not-found-elsewhere"],
    onMissing(withHeader("Content-Type", "text/html")),
  ],
  ["a 404 that may be cached", ["not-found-headers"], onMissing(without("Cache-Control"))],
  [
    "HEAD of a 404 is 200",
    ["not-found-head"],
    onMissing((draft, { method }) => {
      if (method === "HEAD") draft.status = 200;
    }),
  ],
  [
    "a different 404 for Accept: application/json",
    ["not-found-accept-json"],
    onMissing((draft, received) => {
      if (received.request.headers.accept === "application/json" && !isRoot(received))
        draft.body = '{"error":{"code":404}}';
    }),
  ],
  [
    "a 404 that depends on the query",
    ["not-found-variants"],
    onMissing((draft, { query }) => {
      if (query.includes("format=json")) draft.body = "not found";
    }),
  ],
  ["leading zeros are dropped", ["malformed-id"], at("/api/v2/pages/007/", set({ status: 200 }))],
  [
    "a page for 1e3",
    ["malformed-id"],
    at("/api/v2/pages/1e3/", set({ status: 301, headers: { Location: "/api/v2/pages/2/" } })),
  ],
  ["a crash on a long id", ["hostile-id", "spellings"], at(/.{5001}/s, set({ status: 500 }))],
  [
    "a path out of the folder",
    ["hostile-id"],
    at(/\.\.%2f/, set({ status: 200, body: "/api/*\n  Allow: GET" })),
  ],
  ["headers injected by an id", ["hostile-id", "spellings"], at(/%0d%0a/, withHeader("X-Injected", "yes"))],

  [
    "a directory listing of the pages",
    ["pages-root"],
    at("/api/v2/pages/", set({ status: 200, body: '<a href="2/">2/</a>' })),
  ],
  [
    "a directory listing in JSON",
    ["pages-root"],
    at("/api/v2/pages/", (draft, { request }) => {
      if (request.headers.accept === "application/json")
        Object.assign(draft, { status: 200, body: '[{"name":"2"}]' });
    }),
  ],
  [
    "a directory listing of the parent folder",
    ["listing"],
    at("/api/v2/", set({ status: 200, body: '<a href="pages/">pages/</a>' })),
  ],
  [
    "a file without its headers behind two slashes",
    ["spellings"],
    at("//browse/app.js", set({ status: 200, body: "export {};" })),
  ],
  [
    "a file at a path behind it, as a 404",
    ["spellings"],
    at("/openapi.json/x", set({ body: '{"openapi": "3.1.0"}' })),
  ],
  ["a crash on a zero byte", ["spellings"], at("/index.html%00", set({ status: 500 }))],
  [
    "the API's 404 as HTML, outside of the API",
    ["not-found-elsewhere"],
    at("/browse-none", withHeader("Content-Type", "text/html")),
  ],
  [
    "_headers is served",
    ["leaks"],
    at("/_headers", set({ status: 200, body: "/api/v2/pages/*\n  Allow: GET" })),
  ],
  [
    "the lock of a running build is served",
    ["leaks"],
    at("/.building/lock", set({ status: 200, body: '{"pid":12}' })),
  ],

  ["an invalid openapi.json", ["contract-files"], at("/openapi.json", set({ body: "{" }))],
  ["a schema that other websites may not read", ["contract-headers"], at("/schema/page.json", without(CORS))],
  [
    "openapi.json as plain text",
    ["contract-headers"],
    at("/openapi.json", withHeader("Content-Type", "text/plain")),
  ],

  [
    "an index of a bulk download with another count",
    ["bulk-index"],
    at("/bulk/index.json", (draft) => {
      draft.body = draft.body.toString().replace(/"shards".*/, '"shards":[["a",-1]]}');
    }),
  ],
  [
    "a shard with other pages",
    ["bulk-shards"],
    at(ZIP, (draft) => {
      if (draft.status === 200) draft.body = Buffer.from(draft.body).fill(0, 31, 32);
    }),
  ],
  ["a missing shard", ["bulk-shards"], at(ZIP, set(NOT_FOUND))],
  ["a bulk download that other websites may not read", ["bulk-headers"], at(/^\/bulk\//, without(CORS))],
  [
    "an index of a bulk download that is cached",
    ["bulk-headers"],
    at("/bulk/index.json", withHeader("Cache-Control", "max-age=60")),
  ],
  [
    "a shard that is not cached",
    ["bulk-headers"],
    at(ZIP, (draft) => {
      if (draft.status === 200) draft.headers["Cache-Control"] = "no-cache";
    }),
  ],
  ["a missing shard that is cached for a year", ["bulk-missing"], at(ZIP, withHeader("Cache-Control", YEAR))],

  ["an image that is missing", ["media-images"], at(PNG, set(NOT_FOUND))],
  ["an error page in the place of an image", ["media-images"], at(PNG, set({ body: "<!doctype html>" }))],
  [
    "an image of an unknown type",
    ["media-headers"],
    at(PNG, withHeader("Content-Type", "application/octet-stream")),
  ],
  ["an image that other websites may not read", ["media-headers"], at(PNG, without(CORS))],

  ["the browse UI is of another type", ["browse-page"], at("/", withHeader("Content-Type", "text/plain"))],
  [
    "the browse UI only without a query",
    ["spellings", "browse-page"],
    at("/", (draft, { query }) => {
      if (query !== "") draft.status = 404;
    }),
  ],
  ["the browse UI without its policy", ["browse-policy"], at("/", without(POLICY))],
  [
    "an editor that may not send requests to GitHub",
    ["browse-policy"],
    withEditor(({ headers }) => (headers[POLICY] = String(headers[POLICY]).replace(GITHUB, ""))),
  ],
  [
    "requests to GitHub without an editor",
    ["browse-policy"],
    withEditor(at("/browse/site.json", set({ body: "{}" }))),
  ],
  [
    "an editor without its script",
    ["browse-assets"],
    withEditor(at("/browse/edit.js", set({ status: 404 }))),
  ],
  [
    "scripts as plain text",
    ["browse-assets"],
    at("/browse/app.js", withHeader("Content-Type", "text/plain")),
  ],

  ["OPTIONS is refused", ["options"], onMethod("OPTIONS", set({ status: 405 }))],
  ["OPTIONS without Allow", ["options"], onMethod("OPTIONS", without("Allow"))],
  ["OPTIONS may be cached", ["options-headers"], onMethod("OPTIONS", without("Cache-Control"))],
  [
    "a preflight that allows no headers",
    ["preflight"],
    onMethod("OPTIONS", without("Access-Control-Allow-Headers")),
  ],
  [
    "a preflight that allows no GET",
    ["preflight"],
    onMethod("OPTIONS", withHeader("Access-Control-Allow-Methods", "POST")),
  ],

  ["POST like GET", ["method-not-allowed"], onMethod("POST", set({ status: 200 }))],
  ["DELETE is done", ["method-not-allowed"], onMethod("DELETE", set({ status: 204 }))],
  ["PROPFIND like GET", ["method-not-allowed"], onMethod("PROPFIND", set({ status: 207 }))],
  ["501 for what is well known", ["method-not-allowed"], onMethod("PUT", set({ status: 501 }))],
  ["405 without Allow", ["method-not-allowed-allow"], onMethod("PUT", without("Allow"))],
  ["405 with another body", ["method-not-allowed-body"], onMethod("PUT", set({ body: HTML }))],
  [
    "405 of another type",
    ["method-not-allowed-body"],
    onMethod("PUT", withHeader("Content-Type", "text/html")),
  ],
  ["405 that may be cached", ["method-not-allowed-headers"], onMethod("PUT", without("Cache-Control"))],
];
