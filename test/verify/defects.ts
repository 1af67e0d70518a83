import type { IncomingHttpHeaders } from "node:http";
import { SENT, type Defect, type Draft, type Received } from "./good-host.ts";

type Spoil = (draft: Draft, received: Received) => unknown;

const when =
  (isSpoilt: (received: Received, draft: Draft) => boolean, defect: Defect): Defect =>
  (draft, received, response) =>
    isSpoilt(received, draft) ? defect(draft, received, response) : undefined;

/** A defect in every response of a page, so that HEAD and the redirect's target agree with GET. */
const page = (spoil: Spoil) => when(({ page: id }, { status }) => id !== undefined && status === 200, spoil);
/** A defect of a GET of a page. */
const get = (defect: Defect): Defect =>
  page((draft, received) => {
    if (received.path.endsWith("/") && received.method === "GET") defect(draft, received, undefined as never);
  });
/** A defect of a GET of a page with a header. */
const header = (name: keyof IncomingHttpHeaders, value: string, spoil: Spoil): Defect =>
  get((draft, received) => received.request.headers[name] === value && spoil(draft, received));
const missing = (spoil: Spoil): Defect =>
  when(({ page: id }, { status }) => id === undefined && status === 404, spoil);
const method = (name: string, defect: Defect): Defect =>
  when((received) => received.method === name && received.page !== undefined, defect);
const at = (path: string | RegExp, spoil: Spoil): Defect =>
  when((received) => (typeof path === "string" ? received.path === path : path.test(received.path)), spoil);
/** A defect in responses with a status. */
const of = (status: number, defect: Defect): Defect => when((_, draft) => draft.status === status, defect);

const set =
  (change: Partial<Draft>): Spoil =>
  (draft) =>
    Object.assign(draft, change);
const without =
  (name: string): Spoil =>
  ({ headers }) =>
    delete headers[name];
const withHeader =
  (name: string, value: string | string[]): Spoil =>
  ({ headers }) =>
    (headers[name] = value);
/** A change of the text of every page, or of the page with an id. */
const body = (change: (text: string, id: number) => string, id?: number): Defect =>
  page((draft, { page: own = 0 }) => {
    if (id === undefined || own === id) draft.body = change(draft.body.toString(), own);
  });
const replaced = (from: string | RegExp, to: string, id?: number): Defect =>
  body((text) => text.replace(from, to), id);

const HTML = "<!doctype html><title>Hello</title>";
const CORS = "Access-Control-Allow-Origin";
const CACHE = "Cache-Control";
const TYPE = "Content-Type";
const POLICY = "Content-Security-Policy";
const GITHUB = " https://api.github.com";
const ALLOW = "GET, HEAD, OPTIONS";
export const NOT_FOUND = {
  status: 404,
  body: '{"message": "No Page matches the given query."}',
  encoding: undefined,
};
const [ZIP, PNG, WORK] = [/\.zip$/, /\.png$/, /^\/api\/v2\/pages\/31\/?$/];
const INDEX = "/bulk/index.json";
const HOME = /^\/(?:index\.html)?$/;
const ROOT = "/api/v2/pages/";

/** A defect in the text of a file. */
const inText = (path: string | RegExp, from: string | RegExp, to: string): Defect =>
  at(path, (draft) => (draft.body = draft.body.toString().replace(from, to)));

/** A host whose browse UI has an editor, and the header that the editor needs; `defect` can change any response. */
export const withEditor =
  (defect: Defect = () => undefined): Defect =>
  (draft, received, response) => {
    const policy = draft.headers[POLICY];
    if (policy !== undefined)
      draft.headers[POLICY] = String(policy).replace("connect-src 'self'", `$&${GITHUB}`);
    if (received.path === "/browse/site.json")
      draft.body = JSON.stringify({ editing: { repository: { api_url: "https://api.github.com" } } });
    const [, ending] = /^\/browse\/edit\.(js|css)$/.exec(received.path) ?? [];
    if (ending !== undefined) {
      draft.status = 200;
      draft.headers[TYPE] = ending === "js" ? "text/javascript" : "text/css";
    }
    return defect(draft, received, response);
  };

/** Defects that the home page, a subpage of it, and a subpage of that show together. */
export const OF_SEVERAL: Record<string, Defect[]> = {
  "page-status": [
    at(WORK, (draft) => {
      Object.assign(draft, NOT_FOUND);
      delete draft.encoding;
    }),
  ],
  "page-status parent-summary": [at("/api/v2/pages/2/", set({ status: 500 }))],
  "parent-summary": [replaced(/"title":"Home"}$/, '"title":"Start"}', 2)],
};

/** Defects of a host with files for websites, which the same pages show. */
export const WITH_INDEX: Record<string, Defect[]> = {
  "index-files": [
    inText("/index/index.json", '"root":2', '"root":31'),
    inText("/index/pages/4.json", '"slug":"marsh"', '"slug":"moor"'),
    inText("/index/pages/4.json", '"id":31', '"id":32'),
    inText(/^\/index\/addresses\//, /:31\b/, ":4"),
    at("/index/pages/4.json", set({ status: 404, body: "" })),
  ],
  "index-headers": [
    at("/index/index.json", withHeader(CACHE, "max-age=60")),
    at("/index/pages/4.json", without(CORS)),
  ],
  lists: [
    at(`${ROOT}find/`, (draft) => draft.status === 302 && (draft.headers["Location"] = `${ROOT}7/`)),
    at(`${ROOT}find/`, of(302, without(CACHE)) as Spoil),
    at(ROOT, (draft, { query }) => query.includes("unknown") && (draft.status = 200)),
    at(ROOT, (draft, { query }) => query.includes("slug=") && (draft.body = '{"items":[]}')),
    at(ROOT, (draft, { query }) => query.includes("limit=21") && (draft.body = "{}")),
  ],
};

/** Defects of a host, by exactly the checks that each of them must fail. */
export const DEFECTS: Record<string, Defect[]> = {
  "page-allow": [
    page(without("Allow")),
    page(withHeader("Allow", "GET, HEAD")),
    page(withHeader("Allow", [ALLOW, ALLOW])),
  ],
  "page-cache-control": [page(withHeader(CACHE, "max-age=60"))],
  "page-content-type": [page(withHeader(TYPE, "application/json; charset=utf-8"))],
  "page-expires": ["0", "Mon, 01 Jan 1970 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT"].map((date) =>
    page(withHeader("Expires", date)),
  ),
  "page-vary": [page(withHeader("Vary", "Accept-Encoding"))],
  "page-cors": [page(without(CORS))],
  "page-nosniff": [page(without("X-Content-Type-Options"))],

  "page-json": [
    body((text) => text.slice(0, -1)),
    body((text) => `\ufeff${text}`),
    page(set({ body: Buffer.from('{"id":"\u00e4"}', "latin1") })),
    body((text) => `[${text}]`),
  ],
  "page-schema": [
    replaced('"seo_title":"",', ""),
    replaced('"title":', '"tittle":"","title":'),
    replaced(/("first_published_at":)"[^"]+"/, '$1""', 31),
  ],
  "page-key-order": [
    replaced('"seo_title":"","search_description":""', '"search_description":"","seo_title":""'),
  ],
  "page-equals": [
    replaced('"subject_tags":["marsh"]', '"subject_tags":["heath"]'),
    replaced('"current_size":"0-1"', '"current_size":"2-3"'),
  ],
  "page-id parent-summary": [body((text, id) => text.replace(`{"id":${id},`, '{"id":3,'))],
  "detail-url": [replaced(/http:\/\/127\.0\.0\.1:\d+/g, "https://api.example.org")],

  "query-string": [get((draft, { query }) => query.includes("format=api") && (draft.status = 400))],
  accept: [
    header("accept", "text/html", withHeader(TYPE, "text/html")),
    header("accept", "nonsense", set({ status: 406 })),
  ],
  compression: [
    header("accept-encoding", "identity", set({ encoding: "br" })),
    // Says that the body is compressed, or drops a header if it is.
    header("accept-encoding", "gzip", (draft) => {
      delete draft.encoding;
      draft.headers["Content-Encoding"] = "gzip";
    }),
    get((draft) => draft.encoding !== undefined && (draft.headers["Vary"] = "Accept-Encoding")),
  ],
  head: [method("HEAD", without(CACHE)), method("HEAD", withHeader("Content-Length", "0"))],
  "head-no-body": [
    method("HEAD", (draft, _received, response) => {
      response.writeHead(draft.status, draft.headers);
      response.end();
      response.socket?.write("a body");
      return SENT;
    }),
  ],
  conditional: [
    get((draft, { request }) => request.headers["if-none-match"] !== undefined && (draft.status = 304)),
    header("if-modified-since", "yesterday", set({ status: 304 })),
    of(304, (draft, { request }) => request.headers["if-none-match"] === "*" && (draft.status = 412)),
  ],
  "not-modified-no-body": [
    of(304, (draft, _received, response) => {
      const lines = Object.entries(draft.headers).map(([name, value]) => `${name}: ${String(value)}`);
      response.socket?.end(["HTTP/1.1 304 Not Modified", ...lines, "", "{}"].join("\r\n"));
      return SENT;
    }),
  ],
  "not-modified-headers": [of(304, without(CACHE))],
  "slash-redirect": [
    of(301, set({ status: 302 })),
    of(301, ({ headers }, { path, query }) => (headers["Location"] = `http://127.0.0.1:1${path}/${query}`)),
    of(301, set({ status: 404 })),
  ],
  "slash-redirect-query": [of(301, ({ headers }, { path }) => (headers["Location"] = `${path}/`))],
  "slash-redirect-headers": [of(301, without(CACHE))],

  "not-found spellings": [missing((draft, { path }) => /pages\/\d+\//.test(path) && (draft.status = 200))],
  "not-found": [at("/api/v2/pages/9007199254740991/", of(404, set({ status: 200 })) as Spoil)],
  "not-found-body": [missing(set({ body: HTML }))],
  "not-found-content-type not-found-elsewhere": [missing(withHeader(TYPE, "text/html"))],
  "not-found-headers": [missing(without(CACHE))],
  "not-found-head": [missing((draft, received) => received.method === "HEAD" && (draft.status = 200))],
  "not-found-accept-json": [
    missing((draft, { path, request }) => {
      if (request.headers.accept === "application/json" && path !== ROOT) draft.body = '{"error":404}';
    }),
  ],
  "not-found-variants": [
    missing((draft, { query }) => query.includes("format=json") && (draft.body = "not found")),
  ],
  "malformed-id": [
    at("/api/v2/pages/007/", set({ status: 200 })),
    at("/api/v2/pages/1e3/", set({ status: 301, headers: { Location: "/api/v2/pages/2/" } })),
  ],
  "hostile-id spellings": [
    at(/.{5001}/s, set({ status: 500 })),
    at(/%0d%0a/, withHeader("X-Injected", "yes")),
  ],
  "hostile-id": [at(/\.\.%2f/, set({ status: 200, body: "/api/*\n  Allow: GET" }))],
  "pages-root": [
    at(ROOT, set({ status: 200, body: '<a href="2/">2/</a>' })),
    at(ROOT, (draft, { request }) => {
      if (request.headers.accept === "application/json")
        Object.assign(draft, { status: 200, body: '[{"name":"2"}]' });
    }),
  ],
  listing: [at("/api/v2/", set({ status: 200, body: '<a href="pages/">pages/</a>' }))],
  spellings: [
    at("//browse/app.js", set({ status: 200, body: "export {};" })),
    at(/^\/openapi\.json(?:\/x)?$/, set({ body: '{"openapi": "3.1.0"}' })),
    at("/index.html%00", set({ status: 500 })),
  ],
  "not-found-elsewhere": [at("/browse-none", withHeader(TYPE, "text/html"))],
  leaks: [
    at("/_headers", set({ status: 200, body: "/api/v2/pages/*\n  Allow: GET" })),
    at("/.building/lock", set({ status: 200, body: '{"pid":12}' })),
  ],

  "contract-files": [at("/openapi.json", set({ body: "{" }))],
  "contract-headers": [
    at("/schema/page.json", without(CORS)),
    at("/openapi.json", withHeader(TYPE, "text/plain")),
  ],
  "bulk-index": [
    at(INDEX, (draft) => (draft.body = draft.body.toString().replace(/"shards".*/, '"shards":[["a",-1]]}'))),
  ],
  "bulk-shards": [
    at(ZIP, of(200, (draft) => (draft.body = Buffer.from(draft.body).fill(0, 31, 32))) as Spoil),
    at(ZIP, set({ status: 404, body: "" })),
  ],
  "bulk-headers": [
    at(/^\/bulk\//, without(CORS)),
    at(INDEX, withHeader(CACHE, "max-age=60")),
    at(ZIP, of(200, withHeader(CACHE, "no-cache")) as Spoil),
  ],
  "bulk-missing": [at(ZIP, withHeader(CACHE, "public, max-age=31536000, immutable"))],
  "media-images": [at(PNG, set({ status: 404, body: "" })), at(PNG, set({ body: "<!doctype html>" }))],
  "media-headers": [at(PNG, withHeader(TYPE, "application/octet-stream")), at(PNG, without(CORS))],
  "browse-page": [at(HOME, withHeader(TYPE, "text/plain"))],
  "spellings browse-page": [at("/", (draft, { query }) => query !== "" && (draft.status = 404))],
  "browse-policy": [
    at(HOME, without(POLICY)),
    withEditor(({ headers }) => (headers[POLICY] = String(headers[POLICY]).replace(GITHUB, ""))),
    withEditor(at("/browse/site.json", set({ body: "{}" }))),
  ],
  "browse-assets": [
    withEditor(at("/browse/edit.js", set({ status: 404 }))),
    at("/browse/app.js", withHeader(TYPE, "text/plain")),
  ],

  options: [method("OPTIONS", set({ status: 405 })), method("OPTIONS", without("Allow"))],
  "options-headers": [method("OPTIONS", without(CACHE))],
  preflight: [
    method("OPTIONS", without("Access-Control-Allow-Headers")),
    method("OPTIONS", withHeader("Access-Control-Allow-Methods", "POST")),
  ],
  "method-not-allowed": [
    method("POST", set({ status: 200 })),
    method("DELETE", set({ status: 204 })),
    method("PROPFIND", set({ status: 207 })),
    method("PUT", set({ status: 501 })),
  ],
  "method-not-allowed-allow": [method("PUT", without("Allow"))],
  "method-not-allowed-body": [
    method("PUT", set({ body: HTML })),
    method("PUT", withHeader(TYPE, "text/html")),
  ],
  "method-not-allowed-headers": [method("PUT", without(CACHE))],
};
