import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { printIndex, shardKey } from "../../build/outputs/shards/format.ts";
import { nameOf, zip } from "../../build/outputs/shards/zip.ts";
import { listening, type Listening } from "../listening.ts";
import { PNG } from "../site/site.ts";
import { siteFor } from "./site.ts";

/** A host that keeps the whole contract, over a real socket; `defect` can change any response. */

/** A response before it is sent. A defect changes it, or sends a response itself and returns that it did. */
export interface Draft {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Buffer;
  /** The compression of the body, after the defect. */
  encoding?: "br" | "gzip";
}

export interface Received {
  request: IncomingMessage;
  method: string;
  path: string;
  query: string;
  /** The id of the requested page, with or without the final slash. */
  page?: number;
  base: string;
}

export const SENT = Symbol("sent");

export type Defect = (draft: Draft, received: Received, response: ServerResponse) => unknown;

export type Running = Pick<Listening, "url" | "close">;

export const BLOCK = {
  Allow: "GET, HEAD, OPTIONS",
  "Cache-Control": "max-age=0, no-cache, no-store, must-revalidate, private",
  "Content-Type": "application/json",
  Expires: "Thu, 01 Jan 1970 00:00:00 GMT",
  Vary: "Accept",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Headers": "*",
  "X-Content-Type-Options": "nosniff",
};

type HostedFile = Pick<Draft, "headers" | "body">;

/** A file of the browse UI. */
const ui = (type: string, body = ""): HostedFile => ({
  headers: {
    "Content-Security-Policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Content-Type": type,
  },
  body,
});
const file = (body: HostedFile["body"], headers: HostedFile["headers"] = {}): HostedFile => ({
  headers: { ...BLOCK, ...headers },
  body,
});

const SHARD_PAGES = [{ id: 1, bytes: Buffer.from("{}") }];
const SHARD = nameOf(SHARD_PAGES);
const [HTML, SCRIPT, STYLE] = [
  "text/html; charset=utf-8",
  "text/javascript; charset=utf-8",
  "text/css; charset=utf-8",
] as const;
const FILES: Record<string, HostedFile> = {
  "/": ui(HTML, '<!doctype html><meta name="generator" content="static-page-api" />'),
  "/index.html": ui(HTML, "<!doctype html>"),
  "/browse/app.js": ui(SCRIPT, "export {};"),
  "/browse/page.css": ui(STYLE),
  "/browse/site.json": ui("application/json", "{}"),
  "/browse/edit.js": ui(SCRIPT, "export {};"),
  "/browse/edit.css": ui(STYLE),
  "/openapi.json": file('{"openapi": "3.1.0"}'),
  "/schema/page.json": file('{"oneOf": []}'),
  "/bulk/index.json": file(printIndex({ pages: 1, shards: [[SHARD, 2]] }), { "Cache-Control": "no-store" }),
  [`/bulk/${shardKey(SHARD)}`]: file(zip(SHARD_PAGES), {
    "Content-Type": "application/zip",
    "Cache-Control": "public, max-age=31536000, immutable",
  }),
  // An image that a page shows.
  "/media/m%C3%A4rsh/a%20b.png": file(Buffer.from(PNG, "latin1"), { "Content-Type": "image/png" }),
};

/** The response to a plain GET, by id. */
type Pages = ReadonlyMap<number, string>;

const MISSING = '{"message": "No Page matches the given query."}';
const MODIFIED = "Tue, 06 Jan 2026 10:00:00 GMT";

export async function runHost(defect: Defect = () => undefined, prefix = ""): Promise<Running> {
  let base = "";
  let pages: Pages = new Map();
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = "", ...rest] = (request.url ?? "").split("?");
    const query = rest.length > 0 ? `?${rest.join("?")}` : "";
    const method = request.method ?? "";
    const { draft, page } = responseTo(request, path.slice(prefix.length), query, pages, prefix);
    const received = { request, method, path, query, base, ...(page === undefined ? {} : { page }) };
    request.resume();
    if ((await defect(draft, received, response)) === SENT) return;
    const body = compressed(draft);
    if (draft.encoding !== undefined) draft.headers["Content-Encoding"] ??= draft.encoding;
    if (draft.status === 200) draft.headers["Content-Length"] ??= String(body.length);
    response.writeHead(draft.status, draft.headers);
    response.end(method === "HEAD" || draft.status === 304 ? undefined : body);
  };
  const { url, close } = await listening((request, response) => void respond(request, response));
  base = url.origin + prefix;
  pages = new Map(Array.from(siteFor(base), ([id, page]) => [id, JSON.stringify(page)]));
  return { url: new URL(`${base}/`), close };
}

/** The same until the end of the test. */
export async function hosted(defect?: Defect, prefix?: string): Promise<URL> {
  const { url, close } = await runHost(defect, prefix);
  onTestFinished(close);
  return url;
}

function responseTo(
  request: IncomingMessage,
  path: string,
  query: string,
  pages: Pages,
  prefix: string,
): { draft: Draft; page?: number } {
  const headers: Draft["headers"] = { ...BLOCK };
  const missing = { draft: { status: 404, headers, body: MISSING } };
  const found = FILES[path];
  if (found !== undefined) return { draft: { status: 200, headers: { ...found.headers }, body: found.body } };
  const match = /^\/api\/v2\/pages\/([1-9]\d*)(\/?)$/.exec(path);
  const id = Number(match?.[1]);
  const text = pages.get(id);
  if (match === null || text === undefined) return missing;
  if (request.method === "OPTIONS") return { page: id, draft: { status: 204, headers, body: "" } };
  if (request.method !== "GET" && request.method !== "HEAD")
    return { page: id, draft: { status: 405, headers, body: '{"detail": "Method not allowed."}' } };
  if (match[2] === "")
    return {
      page: id,
      draft: { status: 301, headers: { ...headers, Location: `${prefix}${path}/${query}` }, body: "" },
    };
  return { page: id, draft: pageDraft(request, headers, text, `"${id}"`) };
}

function pageDraft(request: IncomingMessage, headers: Draft["headers"], text: string, tag: string): Draft {
  Object.assign(headers, { ETag: tag, "Last-Modified": MODIFIED });
  const { "if-none-match": tags, "if-modified-since": since } = request.headers;
  const unchanged =
    tags === undefined ? Date.parse(since ?? "") >= Date.parse(MODIFIED) : tags === "*" || tags === tag;
  if (unchanged) return { status: 304, headers, body: "" };
  const accepted = request.headers["accept-encoding"]?.toString() ?? "";
  const encoding = (["br", "gzip"] as const).find((name) =>
    new RegExp(`\\b${name}\\b(?!;q=0)`).test(accepted),
  );
  return { status: 200, headers, body: text, ...(encoding === undefined ? {} : { encoding }) };
}

/** Brotli's default quality is slow, because it is for files that are compressed once. */
const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

function compressed({ body, encoding }: Draft): Buffer {
  if (encoding === undefined) return Buffer.from(body);
  return encoding === "br" ? brotliCompressSync(body, QUICKLY) : gzipSync(body, { level: 1 });
}
