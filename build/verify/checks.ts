/**
 * Every check of a host, by its permanent name (`--accept` takes these names). `unless` is the reason why a check is
 * “not applicable”: neither passed nor failed.
 */
export interface Check {
  asks: string;
  expected: string;
  unless: string;
}

const noPage = "no page had status 200";
const no404 = "an id that is not published did not have status 404";
const no304 = "the host never responded with 304";
const no405 = "the host never responded with 405";
const noBrowse = "no browse UI is published";
const noBulk = "no bulk download is published";
const noMedia = "no page has an image below /media/";
const noContract = "no description of the service is published";
const noRedirect = "the host gave no redirect";

export const checks = {
  answers: { asks: "GET of a page", expected: "an HTTP response in time", unless: "" },

  "page-status": { asks: "GET of each page", expected: "200", unless: "the host did not respond" },
  "page-allow": { asks: "its Allow", expected: "GET, HEAD, OPTIONS", unless: noPage },
  "page-cache-control": {
    asks: "its Cache-Control",
    expected: "max-age=0, no-cache, no-store, must-revalidate, private",
    unless: noPage,
  },
  "page-content-type": { asks: "its Content-Type", expected: "application/json", unless: noPage },
  "page-expires": { asks: "its Expires", expected: "an HTTP date, not in the future", unless: noPage },
  "page-vary": { asks: "its Vary", expected: "Accept in its list", unless: noPage },
  "page-cors": { asks: "its Access-Control-Allow-Origin", expected: "*", unless: noPage },
  "page-nosniff": { asks: "its X-Content-Type-Options", expected: "nosniff", unless: noPage },

  "page-json": { asks: "its body", expected: "one JSON object in UTF-8", unless: noPage },
  "page-bytes": {
    asks: "its body, compared with the build's file",
    expected: "the same bytes",
    unless: "no build output was given (--out)",
  },
  "page-schema": { asks: "its body", expected: "the fields of its page type", unless: "no page was JSON" },
  "page-key-order": {
    asks: "its body",
    expected: "the fields in the order of the API contract",
    unless: "no page had the fields of its type",
  },
  "page-equals": {
    asks: "its fields that repeat another",
    expected: "equal to it: url, classificationId, subject_tags, slug_name, default_url, current_size",
    unless: "no artwork had the fields of its type",
  },
  "page-id": { asks: "its id", expected: "the id requested", unless: "no page was JSON" },
  "detail-url": {
    asks: "its detail_url, and its parent's",
    expected: "the URL requested, and the same base for the parent",
    unless: "no page had a detail_url",
  },
  "parent-summary": {
    asks: "its parent, compared with the parent's own page",
    expected: "the same id, type, title and URLs",
    unless: "no page had a parent",
  },

  "query-string": { asks: "GET with query strings", expected: "the same page", unless: noPage },
  accept: { asks: "GET with other Accept headers", expected: "the same page", unless: noPage },
  compression: {
    asks: "GET with Accept-Encoding",
    expected: "the same page when decoded, in an accepted encoding",
    unless: noPage,
  },
  head: { asks: "HEAD", expected: "the status and headers of GET", unless: noPage },
  "head-no-body": { asks: "HEAD", expected: "no body", unless: noPage },

  conditional: {
    asks: "GET with If-None-Match, If-Modified-Since",
    expected: "200, or 304 where the condition allows it",
    unless: noPage,
  },
  "not-modified-no-body": { asks: "a 304", expected: "no body", unless: no304 },
  "not-modified-headers": {
    asks: "a 304",
    expected: "the Cache-Control, Expires and Vary of a page",
    unless: no304,
  },

  "slash-redirect": {
    asks: "GET of a page without the last slash",
    expected: "301 or 308 to the URL with it, or the page itself",
    unless: noPage,
  },
  "slash-redirect-query": {
    asks: "the same with a query string",
    expected: "the query kept, or the page itself",
    unless: "the URL without the slash had no response",
  },
  "slash-redirect-headers": {
    asks: "that redirect",
    expected: "the headers of every response",
    unless: noRedirect,
  },

  "not-found": {
    asks: "GET of ids that are not published",
    expected: "404",
    unless: "the host did not respond",
  },
  "not-found-body": {
    asks: "that 404",
    expected: '{"message": "No Page matches the given query."}',
    unless: no404,
  },
  "not-found-content-type": { asks: "that 404", expected: "application/json", unless: no404 },
  "not-found-headers": {
    asks: "that 404",
    expected: "the headers of every response, not to be cached",
    unless: no404,
  },
  "not-found-head": { asks: "HEAD of such an id", expected: "the same 404 without a body", unless: no404 },
  "not-found-accept-json": {
    asks: "GET of such an id with Accept: application/json",
    expected: "the same 404",
    unless: no404,
  },
  "not-found-variants": {
    asks: "GET of such an id with query strings, other Accept headers, Accept-Encoding",
    expected: "the same 404",
    unless: no404,
  },
  "malformed-id": { asks: "GET of 0, -1, 007, abc, 1e3, …", expected: "the same 404", unless: no404 },
  "hostile-id": {
    asks: "GET of encoded dots, zero bytes, 10,000 characters, …",
    expected: "a status from 400 to 499",
    unless: no404,
  },
  draft: { asks: "GET of drafts", expected: "404", unless: "no drafts are known" },

  "pages-root": {
    asks: "GET of /api/v2/pages/ itself",
    expected: "the 404 of an id that is not published, or 403",
    unless: "the host did not respond",
  },
  listing: {
    asks: "GET of the folders above",
    expected: "no listing of their files",
    unless: "the host did not respond",
  },
  leaks: {
    asks: "GET of /_headers, /_redirects, …",
    expected: "not served",
    unless: "the host did not respond",
  },

  spellings: {
    asks: "GET of odd spellings of the paths of files: double and encoded slashes, dots, %00, …",
    expected: "a status from 400 to 499 without the file, or the file with all its headers",
    unless: noPage,
  },
  "not-found-elsewhere": {
    asks: "GET of a path outside of the API that does not exist",
    expected: "404, and application/json if its body is that of the API",
    unless: noBrowse,
  },

  "contract-files": {
    asks: "GET of /openapi.json and /schema/page.json",
    expected: "200, and the build's bytes",
    unless: noContract,
  },
  "contract-headers": {
    asks: "their headers",
    expected: "application/json, open to every website, and nosniff",
    unless: noContract,
  },

  "bulk-index": {
    asks: "GET of /bulk/index.json",
    expected: "200, and the index of a bulk download: the build's bytes",
    unless: noBulk,
  },
  "bulk-shards": {
    asks: "GET of shards that the index names",
    expected: "200, and ZIP files of the pages that they are named by",
    unless: noBulk,
  },
  "bulk-headers": {
    asks: "their headers",
    expected: "open to every website, and nosniff; shards cached for a year, the index never",
    unless: noBulk,
  },
  "bulk-missing": {
    asks: "GET of a shard that does not exist",
    expected: "404, not cached for long",
    unless: noBulk,
  },

  "media-images": {
    asks: "GET of the images of pages, if they are below /media/",
    expected: "200, and the build's bytes: an image of the kind that its name ends in",
    unless: noMedia,
  },
  "media-headers": {
    asks: "their headers",
    expected: "the type of its kind, open to every website, and nosniff",
    unless: noMedia,
  },

  "browse-page": { asks: "GET /", expected: "the browse UI, text/html", unless: noBrowse },
  "browse-assets": {
    asks: "GET of its scripts, styles and data",
    expected: "200, each with its own Content-Type, and nosniff",
    unless: noBrowse,
  },
  "browse-policy": {
    asks: "its Content-Security-Policy",
    expected: "no script and no style but its own",
    unless: noBrowse,
  },

  options: { asks: "OPTIONS of a page", expected: "2xx with Allow: GET, HEAD, OPTIONS", unless: noPage },
  "options-headers": {
    asks: "OPTIONS of a page",
    expected: "the headers of every response",
    unless: "OPTIONS did not have a 2xx status",
  },
  preflight: {
    asks: "OPTIONS as a browser sends it before a request from another site",
    expected: "2xx, allowing any origin, GET and Content-Type",
    unless: "OPTIONS did not have a 2xx status",
  },

  "method-not-allowed": {
    asks: "POST, PUT, PATCH, DELETE, TRACE, PROPFIND, …",
    expected: "405 (for a method unknown to the server also 400 or 501)",
    unless: noPage,
  },
  "method-not-allowed-allow": { asks: "that 405", expected: "Allow: GET, HEAD, OPTIONS", unless: no405 },
  "method-not-allowed-body": {
    asks: "that 405",
    expected: 'no body, or {"detail": "Method not allowed."} as application/json',
    unless: no405,
  },
  "method-not-allowed-headers": {
    asks: "that 405",
    expected: "the headers of every response",
    unless: no405,
  },
} as const satisfies Record<string, Check>;

export type CheckName = keyof typeof checks;

export const checkNames = Object.keys(checks) as CheckName[];

export const isCheckName = (name: string): name is CheckName => Object.hasOwn(checks, name);
