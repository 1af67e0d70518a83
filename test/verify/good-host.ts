import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { printIndex, shardKey } from "../../build/shards/format.ts";
import { nameOf, zip } from "../../build/shards/zip.ts";
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

export interface Running {
  url: URL;
  close: () => Promise<void>;
}

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

/** The browse UI. */
const PAGE_BLOCK = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
};
const CONTRACT: Record<string, string> = {
  "/openapi.json": '{"openapi": "3.1.0"}',
  "/schema/page.json": '{"oneOf": []}',
};
const PARTS: Record<string, [type: string, body: string]> = {
  "/": ["text/html; charset=utf-8", '<!doctype html><meta name="generator" content="static-page-api" />'],
  "/index.html": ["text/html; charset=utf-8", "<!doctype html>"],
  "/browse/app.js": ["text/javascript; charset=utf-8", "export {};"],
  "/browse/page.css": ["text/css; charset=utf-8", ""],
  "/browse/site.json": ["application/json", "{}"],
  "/browse/edit.js": ["text/javascript; charset=utf-8", "export {};"],
  "/browse/edit.css": ["text/css; charset=utf-8", ""],
};

const SHARD_PAGES = [{ id: 1, bytes: Buffer.from("{}") }];
const SHARD = nameOf(SHARD_PAGES);
const BULK: Record<string, { type: string; cache: string; body: Buffer }> = {
  "/bulk/index.json": {
    type: "application/json",
    cache: "no-store",
    body: printIndex({ pages: 1, shards: [[SHARD, 2]] }),
  },
  [`/bulk/${shardKey(SHARD)}`]: {
    type: "application/zip",
    cache: "public, max-age=31536000, immutable",
    body: zip(SHARD_PAGES),
  },
};

/** An image that a page shows. */
const IMAGE = "/media/m%C3%A4rsh/a%20b.png";
const IMAGE_BYTES = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** The response to a plain GET, by id. */
type Pages = ReadonlyMap<number, string>;

const MISSING = '{"message": "No Page matches the given query."}';
const MODIFIED = "Tue, 06 Jan 2026 10:00:00 GMT";

export async function runHost(defect: Defect = () => undefined, prefix = ""): Promise<Running> {
  let base = "";
  let pages: Pages = new Map();
  const server = createServer((request, response) => {
    const [path = "", ...rest] = (request.url ?? "").split("?");
    const query = rest.length > 0 ? `?${rest.join("?")}` : "";
    const method = request.method ?? "";
    const { draft, page } = responseTo(request, path.slice(prefix.length), query, pages, prefix);
    const received = { request, method, path, query, base, ...(page === undefined ? {} : { page }) };
    request.resume();
    if (defect(draft, received, response) === SENT) return;
    const body = compressed(draft);
    if (draft.encoding !== undefined) draft.headers["Content-Encoding"] ??= draft.encoding;
    if (draft.status === 200) draft.headers["Content-Length"] ??= String(body.length);
    response.writeHead(draft.status, draft.headers);
    response.end(method === "HEAD" || draft.status === 304 ? undefined : body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}${prefix}`;
  pages = new Map(Array.from(siteFor(base), ([id, page]) => [id, JSON.stringify(page)]));
  return {
    url: new URL(`${base}/`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
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
  const part = PARTS[path];
  if (part !== undefined) {
    const [type, body] = part;
    return { draft: { status: 200, headers: { ...PAGE_BLOCK, "Content-Type": type }, body } };
  }
  const contract = CONTRACT[path];
  if (contract !== undefined) return { draft: { status: 200, headers, body: contract } };
  const bulk = BULK[path];
  if (bulk !== undefined)
    return {
      draft: {
        status: 200,
        headers: { ...BLOCK, "Content-Type": bulk.type, "Cache-Control": bulk.cache },
        body: bulk.body,
      },
    };
  if (path === IMAGE)
    return { draft: { status: 200, headers: { ...BLOCK, "Content-Type": "image/png" }, body: IMAGE_BYTES } };
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
