import { rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { memoized } from "../../build/base/memoized.ts";
import type { BucketReader } from "../../build/release/reader.ts";
import { build } from "../../build/site/build.ts";
import { listening, type Listening } from "../listening.ts";
import { bucketOf, publishTo, readerOf } from "../release/memory.ts";
import {
  general,
  masterImage,
  page,
  placeWith,
  SITE,
  work,
  writeImage,
  type Workplace,
} from "../site/site.ts";

/**
 * A host that keeps the whole contract, over a real socket: the responses of a bucket server, with the caching and the
 * compression of web servers; `defect` can change any response.
 */

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
  page: number | undefined;
}

export const SENT = Symbol("sent");

export type Defect = (draft: Draft, received: Received, response: ServerResponse) => unknown;

export type Running = Pick<Listening, "url" | "close">;

/** The address for which the site is built; each host has its own in its place. */
const BASE = "http://base.invalid";
const IMAGE = "märsh/a b.png";

/** A page of each type. */
export const SOURCES: Record<string, unknown> = {
  "_site.json": { ...SITE, base_url: BASE, media_url: `${BASE}/media`, bulk: true },
  "index.json": page(2, "home.HomePage", "Home"),
  "visit.json": general(3, "Visit"),
  "art/index.json": page(4, "artworks.ArtworkIndexPage", "Art"),
  "art/marsh.json": {
    ...work(31, "Märsh 沼", {
      subjects: [{ id: 71, name: "marsh", level: 3, parent_id: 70 }],
      master_images: [masterImage(`/${encodeURI(IMAGE)}?v=2`)],
    }),
    meta: { type: "artworks.ArtworkPage", first_published_at: "2026-01-02T03:04:05Z" },
  },
  "projects/index.json": page(7, "projects.ProjectIndexPage", "Work"),
  "projects/tide.json": page(12, "projects.ProjectPage", "Tide"),
};
export const IDS = [2, 3, 4, 7, 12, 31];
/** Another language, of which only a host with files for websites has pages. */
const CY = {
  "cy/index.json": page(91, "home.HomePage", "Hafan"),
  "cy/visit.json": general(90, "Ymweld"),
};
export const IDS_WITH_CY = [...IDS, 91, 90];

export function placeOfSite(index = false): Workplace {
  const site = SOURCES["_site.json"] as object;
  // The home pages are below the URL of the website, and their addresses do not end in a slash.
  const locales = { en: { label: "English", path: "/en/" }, cy: { label: "Cymraeg", path: "/cymraeg/" } };
  const settings = {
    ...site,
    site_url: "https://www.example.org/museum",
    index,
    locales,
    append_slash: false,
  };
  const indexed = { ...SOURCES, ...CY, "_site.json": settings };
  const place = placeWith("good-host", index ? indexed : SOURCES);
  writeImage(place.content, IMAGE);
  return place;
}

/** The output of a build for a host, except the files with the host's address in a pattern or a hash. */
export async function builtFor({ origin: baseUrl }: URL): Promise<Workplace> {
  const place = placeOfSite();
  await build({ ...place, baseUrl });
  for (const path of ["bulk", "openapi.json", "schema"]) rmSync(join(place.out, path), { recursive: true });
  return place;
}

/** @param index whether it has files for websites. */
const readerOfSite = memoized(async (index: boolean): Promise<BucketReader> => {
  const place = placeOfSite(index);
  const bucket = bucketOf();
  await publishTo(bucket, { ...place, browse: true });
  return readerOf(bucket);
});

const MODIFIED = "Tue, 06 Jan 2026 10:00:00 GMT";

interface HostOptions {
  /** The path that the host is below. */
  prefix?: string;
  /** Whether it has files for websites, and lists. */
  index?: boolean;
}

export async function runHost(
  defect: Defect = () => undefined,
  { prefix = "", index = false }: HostOptions = {},
): Promise<Running> {
  const reader = await readerOfSite(index);
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url: target = "", headers } = request;
    const [path = "", ...rest] = target.split("?");
    const query = rest.length > 0 ? `?${rest.join("?")}` : "";
    request.resume();
    const made = await reader.respond({
      method,
      target: target.slice(prefix.length),
      header: (name) => (name === "accept-encoding" ? undefined : headers[name]?.toString()),
    });
    const draft = { ...made, body: Buffer.from(made.body ?? "") } as Draft;
    const { Location } = draft.headers;
    if (Location !== undefined) draft.headers["Location"] = `${prefix}${String(Location)}`;
    if (!path.endsWith(".zip") && !path.endsWith(".png"))
      draft.body = draft.body.toString().replaceAll(BASE, url.origin + prefix);
    const [, id, slash] = /\/api\/v2\/pages\/(\d+)(\/?)$/.exec(path) ?? [];
    const isPage = id !== undefined && draft.status !== 404;
    if (isPage && slash !== "" && draft.status === 200) asWebServer(draft, request, `"${id}"`);
    const received = { request, method, path, query, page: isPage ? Number(id) : undefined };
    if ((await defect(draft, received, response)) === SENT) return;
    const body = compressed(draft);
    if (draft.encoding !== undefined) draft.headers["Content-Encoding"] ??= draft.encoding;
    if (draft.status === 200) draft.headers["Content-Length"] ??= String(body.length);
    response.writeHead(draft.status, draft.headers);
    response.end(method === "HEAD" || draft.status === 304 ? undefined : body);
  };
  const { url, close } = await listening((request, response) => void respond(request, response));
  return { url: new URL(`${prefix}/`, url), close };
}

/** The same until the end of the test. */
export async function hosted(defect?: Defect, options?: HostOptions): Promise<URL> {
  const { url, close } = await runHost(defect, options);
  onTestFinished(close);
  return url;
}

/** Adds the tags, the time and the compression of a web server to a page. */
function asWebServer(draft: Draft, { headers }: IncomingMessage, tag: string): void {
  Object.assign(draft.headers, { ETag: tag, "Last-Modified": MODIFIED });
  const { "if-none-match": tags, "if-modified-since": since } = headers;
  const isUnchanged =
    tags === undefined ? Date.parse(since ?? "") >= Date.parse(MODIFIED) : tags === "*" || tags === tag;
  if (isUnchanged) Object.assign(draft, { status: 304, body: "" });
  const accepted = headers["accept-encoding"]?.toString() ?? "";
  const encoding = (["br", "gzip"] as const).find((name) =>
    new RegExp(`\\b${name}\\b(?!;q=0)`).test(accepted),
  );
  if (encoding !== undefined && !isUnchanged) draft.encoding = encoding;
}

/** Brotli's default quality is slow, because it is for files that are compressed once. */
const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

function compressed({ body, encoding }: Draft): Buffer {
  if (encoding === undefined) return Buffer.from(body);
  return encoding === "br" ? brotliCompressSync(body, QUICKLY) : gzipSync(body, { level: 1 });
}
