import type { IncomingHttpHeaders } from "node:http";
import { SENT, type Defect, type Draft } from "../good-host.ts";
import { onMethod, onPage, onRedirect, set, withHeader, without, type Planted } from "./plant.ts";

/** A defect of a GET of a page with a header. */
const onHeader = (name: keyof IncomingHttpHeaders, value: string, spoil: (draft: Draft) => unknown): Defect =>
  onPage((draft, { request }) => (request.headers[name] === value ? spoil(draft) : undefined));

/** Defects of a page in the responses to other kinds of requests. */
export const ofVariants: Planted[] = [
  [
    "an error for a query",
    ["query-string"],
    onPage((draft, { query }) => {
      if (query.includes("format=api")) draft.status = 400;
    }),
  ],
  [
    "Accept decides",
    ["accept"],
    onHeader("accept", "text/html", (draft) => (draft.headers["Content-Type"] = "text/html")),
  ],
  [
    "406 for absurd Accept headers",
    ["accept"],
    onHeader("accept", "nonsense", (draft) => (draft.status = 406)),
  ],
  [
    "compression that the client does not accept",
    ["compression"],
    onHeader("accept-encoding", "identity", (draft) => (draft.encoding = "br")),
  ],
  [
    "compression to another body",
    ["compression"],
    onPage((draft) => {
      if (draft.encoding !== "gzip") return;
      delete draft.encoding;
      draft.headers["Content-Encoding"] = "gzip";
    }),
  ],
  [
    "compression drops a header",
    ["compression"],
    onPage((draft) => {
      if (draft.encoding !== undefined) draft.headers["Vary"] = "Accept-Encoding";
    }),
  ],
  ["HEAD is another", ["head"], onMethod("HEAD", without("Cache-Control"))],
  ["HEAD has another length", ["head"], onMethod("HEAD", withHeader("Content-Length", "0"))],
  [
    "HEAD has a body",
    ["head-no-body"],
    onMethod("HEAD", (draft, _received, response) => {
      response.writeHead(draft.status, draft.headers);
      response.end();
      response.socket?.write("a body");
      return SENT;
    }),
  ],

  [
    "304 whatever the tag",
    ["conditional"],
    onPage((draft, { request }) => {
      if (request.headers["if-none-match"] !== undefined) draft.status = 304;
    }),
  ],
  [
    "304 for a malformed date",
    ["conditional"],
    onHeader("if-modified-since", "yesterday", (draft) => (draft.status = 304)),
  ],
  [
    "412 for a condition",
    ["conditional"],
    (draft, { request }) => {
      if (request.headers["if-none-match"] === "*" && draft.status === 304) draft.status = 412;
    },
  ],
  [
    "304 with a body",
    ["not-modified-no-body"],
    (draft, _received, response) => {
      if (draft.status !== 304) return undefined;
      const lines = Object.entries(draft.headers).map(([name, value]) => `${name}: ${String(value)}`);
      response.socket?.end(["HTTP/1.1 304 Not Modified", ...lines, "", "{}"].join("\r\n"));
      return SENT;
    },
  ],
  [
    "304 that may be cached",
    ["not-modified-headers"],
    (draft) => {
      if (draft.status === 304) delete draft.headers["Cache-Control"];
    },
  ],

  ["a temporary redirect to the slash", ["slash-redirect"], onRedirect(set({ status: 302 }))],
  [
    "a redirect to another port",
    ["slash-redirect"],
    onRedirect(
      ({ headers }, { path, query }) => (headers["Location"] = `http://127.0.0.1:1${path}/${query}`),
    ),
  ],
  [
    "the redirect drops the query",
    ["slash-redirect-query"],
    onRedirect(({ headers }, { path }) => (headers["Location"] = `${path}/`)),
  ],
  ["the redirect may be cached", ["slash-redirect-headers"], onRedirect(without("Cache-Control"))],
  ["404 without the slash", ["slash-redirect"], onRedirect(set({ status: 404 }))],
];
