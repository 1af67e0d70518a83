import { httpDate } from "../hosting/conformance.ts";
import {
  beginning,
  excerpt,
  header,
  statusOf,
  tokensOf,
  type HttpResponse,
  requestLine,
  type HttpRequest,
  type Reply,
} from "../hosting/http/reply.ts";
import { jsonIn } from "../source/json/object.ts";
import type { Client } from "../hosting/http/client.ts";
import type { Item } from "../model/item.ts";
import type { PageModel } from "../model/page.ts";
import type { PageSample } from "./sample.ts";

const NO_RESPONSE = "the host did not respond";
const NO_PAGE = "no page had status 200";
const NO_JSON = "no page was JSON";
const NO_404 = "an id that is not published did not have status 404";
const NO_304 = "the host never responded with 304";
const NO_405 = "the host never responded with 405";
const NO_OPTIONS = "OPTIONS did not have a 2xx status";
const NO_BROWSE = "no browse UI is published";
const NO_BULK = "no bulk download is published";
const NO_INDEX = "no files for websites are published";
const NO_MEDIA = "no page has an image below /media/";
const NO_CONTRACT = "no description of the service is published";

const NO_CACHE = "max-age=0, no-cache, no-store, must-revalidate, private";
const EVERY_HEADER = "the headers of every response";
const SAME_PAGE = "the same page";
const SAME_404 = "the same 404";

/**
 * Every check, by its permanent name (also for `--accept`): the request, the expectation, and the reason why it is “not
 * applicable”, neither passed nor failed.
 */
export const checks = {
  answers: ["GET of a page", "an HTTP response in time", ""],

  "page-status": ["GET of each page", "200", NO_RESPONSE],
  "page-allow": ["its Allow", "GET, HEAD, OPTIONS", NO_PAGE],
  "page-cache-control": ["its Cache-Control", NO_CACHE, NO_PAGE],
  "page-content-type": ["its Content-Type", "application/json", NO_PAGE],
  "page-expires": ["its Expires", "an HTTP date, not in the future", NO_PAGE],
  "page-vary": ["its Vary", "Accept in its list", NO_PAGE],
  "page-cors": ["its Access-Control-Allow-Origin", "*", NO_PAGE],
  "page-nosniff": ["its X-Content-Type-Options", "nosniff", NO_PAGE],

  "page-json": ["its body", "one JSON object in UTF-8", NO_PAGE],
  "page-bytes": [
    "its body, compared with the build's file",
    "the same bytes",
    "no build output was given (--out)",
  ],
  "page-schema": ["its body", "the fields of its page type", NO_JSON],
  "page-key-order": [
    "its body",
    "the fields in the order of the API contract",
    "no page had the fields of its type",
  ],
  "page-equals": [
    "its fields that repeat another",
    "equal to it",
    "no page of a type with fields of its own had them",
  ],
  "page-id": ["its id", "the id requested", NO_JSON],
  "detail-url": [
    "its detail_url, and its parent's",
    "the URL requested, and the same base for the parent",
    "no page had a detail_url",
  ],
  "parent-summary": [
    "its parent, compared with the parent's own page",
    "the same id, type, title and URLs",
    "no page had a parent",
  ],

  "query-string": ["GET with query strings", SAME_PAGE, NO_PAGE],
  accept: ["GET with other Accept headers", SAME_PAGE, NO_PAGE],
  compression: ["GET with Accept-Encoding", "the same page when decoded, in an accepted encoding", NO_PAGE],
  head: ["HEAD", "the status and headers of GET", NO_PAGE],
  "head-no-body": ["HEAD", "no body", NO_PAGE],

  conditional: [
    "GET with If-None-Match, If-Modified-Since",
    "200, or 304 where the condition allows it",
    NO_PAGE,
  ],
  "not-modified-no-body": ["a 304", "no body", NO_304],
  "not-modified-headers": ["a 304", "the Cache-Control, Expires and Vary of a page", NO_304],

  "slash-redirect": [
    "GET of a page without the last slash",
    "301 or 308 to the URL with it, or the page itself",
    NO_PAGE,
  ],
  "slash-redirect-query": [
    "the same with a query string",
    "the query kept, or the page itself",
    "the URL without the slash had no response",
  ],
  "slash-redirect-headers": ["that redirect", EVERY_HEADER, "the host gave no redirect"],

  "not-found": ["GET of ids that are not published", "404", NO_RESPONSE],
  "not-found-body": ["that 404", '{"message": "No Page matches the given query."}', NO_404],
  "not-found-content-type": ["that 404", "application/json", NO_404],
  "not-found-headers": ["that 404", "the headers of every response, not to be cached", NO_404],
  "not-found-head": ["HEAD of such an id", "the same 404 without a body", NO_404],
  "not-found-accept-json": ["GET of such an id with Accept: application/json", SAME_404, NO_404],
  "not-found-variants": [
    "GET of such an id with query strings, other Accept headers, Accept-Encoding",
    SAME_404,
    NO_404,
  ],
  "malformed-id": ["GET of 0, -1, 007, abc, 1e3, …", SAME_404, NO_404],
  "hostile-id": ["GET of encoded dots, zero bytes, 10,000 characters, …", "a status from 400 to 499", NO_404],
  draft: ["GET of drafts", "404", "no drafts are known"],

  "pages-root": [
    "GET of /api/v2/pages/ itself",
    "the 404 of an id that is not published, or 403, or a list of pages",
    NO_RESPONSE,
  ],
  listing: ["GET of the folders above", "no listing of their files", NO_RESPONSE],
  leaks: ["GET of /_headers, /_redirects, …", "not served", NO_RESPONSE],

  spellings: [
    "GET of odd spellings of the paths of files: double and encoded slashes, dots, %00, …",
    "a status from 400 to 499 without the file, or the file with all its headers",
    NO_PAGE,
  ],
  "not-found-elsewhere": [
    "GET of a path outside of the API that does not exist",
    "404, and application/json if its body is that of the API",
    NO_BROWSE,
  ],

  "contract-files": ["GET of /openapi.json and /schema/page.json", "200, and the build's bytes", NO_CONTRACT],
  "contract-headers": ["their headers", "application/json, open to every website, and nosniff", NO_CONTRACT],

  "bulk-index": [
    "GET of /bulk/index.json",
    "200, and the index of a bulk download: the build's bytes",
    NO_BULK,
  ],
  "bulk-shards": [
    "GET of shards that the index names",
    "200, and ZIP files of the pages that they are named by",
    NO_BULK,
  ],
  "bulk-headers": [
    "their headers",
    "open to every website, and nosniff; shards cached for a year, the index never",
    NO_BULK,
  ],
  "bulk-missing": ["GET of a shard that does not exist", "404, not cached for long", NO_BULK],

  "index-files": [
    "GET of the files for websites below /index/",
    "200, the build's bytes, and each requested page at its address and below its parent",
    NO_INDEX,
  ],
  "index-headers": [
    "their headers",
    "application/json, open to every website, nosniff, and never cached",
    NO_INDEX,
  ],
  lists: [
    "GET of /api/v2/pages/find/ and of lists of the pages below a page",
    "302, the same list as in the files, and Wagtail's 400 and 404, with the headers of every response",
    "the host has no program that could respond, or no files for websites",
  ],

  "media-images": [
    "GET of the images of pages, if they are below /media/",
    "200, and the build's bytes: an image of the kind that its name ends in",
    NO_MEDIA,
  ],
  "media-headers": ["their headers", "the type of its kind, open to every website, and nosniff", NO_MEDIA],

  "browse-page": ["GET /", "the browse UI, text/html", NO_BROWSE],
  "browse-assets": [
    "GET of its scripts, styles and data",
    "200, each with its own Content-Type, and nosniff",
    NO_BROWSE,
  ],
  "browse-policy": ["its Content-Security-Policy", "no script and no style but its own", NO_BROWSE],

  options: ["OPTIONS of a page", "2xx with Allow: GET, HEAD, OPTIONS", NO_PAGE],
  "options-headers": ["OPTIONS of a page", EVERY_HEADER, NO_OPTIONS],
  preflight: [
    "OPTIONS as a browser sends it before a request from another site",
    "2xx, allowing any origin, GET and Content-Type",
    NO_OPTIONS,
  ],

  "method-not-allowed": [
    "POST, PUT, PATCH, DELETE, TRACE, PROPFIND, …",
    "405 (for a method unknown to the server also 400 or 501)",
    NO_PAGE,
  ],
  "method-not-allowed-allow": ["that 405", "Allow: GET, HEAD, OPTIONS", NO_405],
  "method-not-allowed-body": [
    "that 405",
    'no body, or {"detail": "Method not allowed."} as application/json',
    NO_405,
  ],
  "method-not-allowed-headers": ["that 405", EVERY_HEADER, NO_405],
} as const satisfies Record<string, readonly [asks: string, expected: string, unless: string]>;

export type CheckName = keyof typeof checks;

export const checkNames = Object.keys(checks) as CheckName[];

export const isCheckName = (name: string): name is CheckName => Object.hasOwn(checks, name);

/**
 * Checks for every response. Each is pure, and returns an explanation of the fault, or undefined. The
 * expected values are those of the API contract, not of `_headers`, so that a mistake there is found.
 */

export const ALLOW = "GET, HEAD, OPTIONS";
export const MISSING = { message: "No Page matches the given query." };
export const NOT_ALLOWED = { detail: "Method not allowed." };

export const headerChecks = {
  allow: exactly("Allow", ALLOW),
  "cache-control": exactly("Cache-Control", "max-age=0, no-cache, no-store, must-revalidate, private"),
  "content-type": exactly("Content-Type", "application/json"),
  expires,
  vary,
  cors,
  nosniff: exactly("X-Content-Type-Options", "nosniff"),
} satisfies Record<string, FaultOf>;

type HeaderName = keyof typeof headerChecks;

export const headerNames = Object.keys(headerChecks) as HeaderName[];

/** The headers of every response; Content-Type describes only a body. */
export const blockNames: readonly HeaderName[] = headerNames.filter((name) => name !== "content-type");

function exactly(name: string, value: string): FaultOf {
  return (response) => {
    const found = response.headers.get(name.toLowerCase()) ?? [];
    if (found.length === 1 && found[0] === value) return undefined;
    return `${name}${describe(found)}`;
  };
}

/**
 * Every website may read a response. A preview may allow only the origin of the request, and then names
 * `Origin` in `Vary`.
 */
function cors(response: HttpResponse): string | undefined {
  const { headers, origin } = response;
  const isForOrigin =
    origin !== undefined &&
    header(response, "Access-Control-Allow-Origin") === origin &&
    tokensOf(headers.get("vary") ?? []).includes("origin");
  return isForOrigin ? undefined : exactly("Access-Control-Allow-Origin", "*")(response);
}

const describe = (found: readonly string[]): string => {
  if (found.length === 0) return " is missing";
  const values = found.map((value) => excerpt(value)).join(" | ");
  return found.length === 1 ? `: ${values}` : ` ${found.length} times: ${values}`;
};

function expires(response: HttpResponse): string | undefined {
  const found = response.headers.get("expires") ?? [];
  const date = found.length === 1 ? httpDate(found[0] ?? "") : undefined;
  if (date === undefined)
    return `Expires${describe(found)}${found.length === 1 ? " (not an HTTP date)" : ""}`;
  // The host's own clock decides; if the host sends no Date, this machine's clock does.
  const now = httpDate(response.headers.get("date")?.[0] ?? "") ?? Date.now();
  return date > now ? `Expires${describe(found)} (in the future)` : undefined;
}

function vary(response: HttpResponse): string | undefined {
  const found = response.headers.get("vary") ?? [];
  return tokensOf(found).includes("accept") ? undefined : `Vary${describe(found)}`;
}

/** One fault of a response; `aspect` separates faults that are unrelated. */
export interface Fault {
  aspect: string;
  message: string;
}

export const headerFaults = (response: HttpResponse, names: readonly HeaderName[]): Fault[] =>
  names.flatMap((name) => {
    const message = headerChecks[name](response);
    return message === undefined ? [] : [{ aspect: name, message }];
  });

/** The faults of a response for an id that is not published. Without a 404, only the status is checked. */
export function missingFaults(response: HttpResponse): Fault[] {
  if (response.status !== 404) return [{ aspect: "status", message: statusOf(response) }];
  const body = response.request.method === "HEAD" ? undefined : jsonFault(response, MISSING);
  return [
    ...(body === undefined ? [] : [{ aspect: "body", message: body }]),
    ...headerFaults(response, headerNames),
  ];
}

/** The messages of faults that the plain response does not have: a defect is reported only once. */
export function messageOf(faults: readonly Fault[], plain: readonly Fault[] = []): string | undefined {
  const more = faults.filter(({ aspect }) => plain.every((known) => known.aspect !== aspect));
  return more.length === 0 ? undefined : more.map(({ message }) => message).join("; ");
}

/** Compares the parsed body of an error: clients parse it, so its white space does not matter. */
export function jsonFault(response: HttpResponse, expected: Record<string, string>): string | undefined {
  const text = response.body.toString("utf8");
  return JSON.stringify(jsonIn(text)) === JSON.stringify(expected) ? undefined : beginning(text);
}

export type Status = "passed" | "failed" | "accepted" | "unexpectedly-passed" | "not-applicable";

/** The names of the fields are published: the JSON report has them. */
export interface CheckResult {
  name: CheckName;
  asks: string;
  expected: string;
  got: string;
  status: Status;
  /** Number of checked responses, and of those that failed. */
  judged: number;
  failed: number;
}

/** Maximum number of faults listed per check: enough to see a pattern, but not 60,000 lines. */
const MAX_EXAMPLES = 3;

type CheckCount = Pick<CheckResult, "judged" | "failed"> & { examples: string[] };

/** Explains the fault of a response; undefined if it has none. */
export type FaultOf = (response: HttpResponse) => string | undefined;

interface ProbeOptions {
  client: Client;
  /** The page types of the site. */
  model: PageModel;
  pages: PageSample;
  /** The folder of the build's output, if there is one. */
  out: string | undefined;
  concurrency: number;
}

/** Sends requests to a host, and counts the faults of the responses: many responses, one result per check. */
export function openProbe(options: ProbeOptions) {
  const counts = new Map<CheckName, CheckCount>();

  const note = (name: CheckName, about: string, fault: string | undefined): void => {
    const count = counts.get(name) ?? { judged: 0, failed: 0, examples: [] };
    counts.set(name, count);
    count.judged++;
    if (fault === undefined) return;
    count.failed++;
    if (count.examples.length < MAX_EXAMPLES) count.examples.push(`${about}: ${fault}`);
  };

  /** Checks the reply to a request; a missing response is a fault. Returns the response. */
  const checkReply = (name: CheckName, reply: Reply, faultOf: FaultOf): HttpResponse | undefined => {
    note(name, requestLine(reply.request), reply.kind === "no-reply" ? reply.message : faultOf(reply));
    return reply.kind === "no-reply" ? undefined : reply;
  };

  const send = async (
    name: CheckName,
    request: HttpRequest,
    faultOf: FaultOf,
    how: "send" | "sendAlone" | "sendBare" = "sendAlone",
  ): Promise<HttpResponse | undefined> => checkReply(name, await options.client[how](request), faultOf);

  return {
    ...options,
    hints: new Set<string>(),
    /** The requested pages by id, as lists have them, with the id of the parent. */
    placed: new Map<number, { item: Item; parent: number | undefined; translations: readonly number[] }>(),
    note,
    checkReply,
    check: (name: CheckName, response: HttpResponse, fault: string | undefined): void =>
      note(name, requestLine(response.request), fault),
    send,
    /** Requests a file that has to be there. Returns the response if it has status 200. */
    get: async (name: CheckName, path: string, faultOf: FaultOf): Promise<HttpResponse | undefined> => {
      const response = await send(name, { path }, expecting(200, faultOf));
      return response?.status === 200 ? response : undefined;
    },
    results: (accepted: ReadonlySet<CheckName>): CheckResult[] =>
      checkNames.map((name) => resultOf(name, counts.get(name), accepted.has(name))),
  };
}

export type Probe = ReturnType<typeof openProbe>;

function resultOf(name: CheckName, count: CheckCount | undefined, isAccepted: boolean): CheckResult {
  const { judged, failed, examples } = count ?? { judged: 0, failed: 0, examples: [] };
  const [asks, expected, unless] = checks[name];
  const result = { name, asks, expected, judged, failed };
  if (judged === 0) return { ...result, status: "not-applicable", got: unless };
  if (failed === 0)
    return { ...result, status: isAccepted ? "unexpectedly-passed" : "passed", got: "as expected" };
  const more = failed > examples.length ? `\nand ${failed - examples.length} more of ${judged}` : "";
  return { ...result, status: isAccepted ? "accepted" : "failed", got: examples.join("\n") + more };
}

/** Expects a status, and then no other fault. */
export const expecting =
  (status: number, faultOf: FaultOf): FaultOf =>
  (response) =>
    response.status === status ? faultOf(response) : statusOf(response);

export const expectStatus =
  (...statuses: number[]): FaultOf =>
  (response) =>
    statuses.includes(response.status) ? undefined : statusOf(response);
