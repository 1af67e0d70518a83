import { readFileSync, readdirSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { listening } from "../../listening.ts";
import { random, type Random } from "../../random.ts";
import { readJson } from "../../files.ts";

/** A page of the host. A draft is a page that the host does not show. */
export type Page = {
  id: number;
  meta: Record<string, unknown> & { type: string };
  title: string;
  [field: string]: unknown;
};

export type Wagtail = Awaited<ReturnType<typeof runWagtail>>;

export interface WagtailOptions {
  /** Maximum `limit` of the list endpoint; undefined if there is no list endpoint. */
  cap?: number;
  /** Returns fewer pages than requested, rather than refusing. */
  clamps?: boolean;
  /** Spaces of each level; Wagtail uses four. */
  indent?: number;
  /** The path that the API is below. */
  prefix?: string;
  /** The folder of the images that it serves below `/media/`. */
  images?: string;
  /** The ids of pages that come first in lists of the pages below a page, which are in the order of Wagtail's tree. */
  order?: readonly number[];
  /** The id of the home page of the host's site, and the ids of pages that are translations of each other. */
  root?: number;
  groups?: readonly (readonly number[])[];
  /** Adds `meta.locale`, as Wagtail does with languages. */
  locale?: boolean;
  /** Percentage of responses that fail, at random from the seed. */
  unkind?: number;
  seed?: number;
  /** Called with every request before the response; it can send the response itself. */
  before?: (path: string, count: number, response: ServerResponse) => boolean | void;
}

export function pagesOf(out: string): Map<number, Page> {
  const folder = join(out, "api/v2/pages");
  const names = readdirSync(folder).filter((name) => /^\d+$/.test(name));
  return new Map(names.map((name) => [Number(name), readJson(folder, name, "index.json") as Page]));
}

const TYPES = "ArtworkPage ArtworkIndexPage GeneralPage ProjectPage ProjectIndexPage HomePage".split(" ");
export const HEADERS = { Allow: "GET, HEAD, OPTIONS", "Content-Type": "application/json", Vary: "Accept" };
/** Maximum consecutive failures of one request: fewer than the client's attempts. */
const MAX_UNKIND = 4;

/** A small server with the responses of Wagtail's API, in front of a build's output. */
export async function runWagtail(pages: Map<number, Page>, options: WagtailOptions = {}) {
  const { indent = 4, images, prefix = "", unkind = 0, seed = 1, before } = options;
  const r = random(seed);
  /** The requested paths, in order. */
  const asked: string[] = [];
  const unkindTo = new Map<string, number>();
  let open = 0;
  /** Maximum number of requests that were open at the same time. */
  let most = 0;
  const server = await listening((request, response) => {
    const path = (request.url ?? "").slice(prefix.length);
    if (images !== undefined && path.startsWith("/media/"))
      return void response.end(readFileSync(join(images, decodeURIComponent(path.slice("/media/".length)))));
    asked.push(path);
    most = Math.max(most, ++open);
    response.on("close", () => open--);
    if (before?.(path, asked.length, response) === true) return;
    const met = unkindTo.get(path) ?? 0;
    if (met < MAX_UNKIND && r.below(100) < unkind) {
      unkindTo.set(path, met + 1);
      return beUnkind(r, response);
    }
    const { status, body } = answerTo(pages, path, options);
    response.writeHead(status, HEADERS).end(JSON.stringify(body, null, indent));
  });
  return { ...server, pages, asked, most: () => most };
}

/** Such a server that runs until the test ends. */
export async function startWagtail(...of: Parameters<typeof runWagtail>): Promise<Wagtail> {
  const host = await runWagtail(...of);
  onTestFinished(host.close);
  return host;
}

function beUnkind(r: Random, response: ServerResponse): void {
  const page = "<!DOCTYPE html><html><body>Please wait</body></html>";
  const ways = [
    () => response.writeHead(429, { "Retry-After": String(r.below(3)) }).end(),
    () => response.writeHead(500, { "Content-Type": "text/html" }).end("<h1>Server Error (500)</h1>"),
    () => response.writeHead(503, { "Retry-After": "1" }).end(),
    () => response.writeHead(502).end(page),
    () => response.writeHead(200, { "Content-Type": "text/html" }).end(page),
    () => response.destroy(),
    () => {
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "9000" });
      response.write('{"id": 1, "meta": {', () => response.destroy());
    },
    () => response.writeHead(200, { "Content-Type": "application/json" }).end('{"id": 1, "meta": {'),
  ];
  r.pick(ways)();
}

function answerTo(
  pages: Map<number, Page>,
  path: string,
  { cap, clamps = false, locale = true, order = [], root = 0, groups }: WagtailOptions,
): { status: number; body: unknown } {
  const { pathname, searchParams: query } = new URL(path, "http://wagtail");
  const missing = { status: 404, body: { message: "No Page matches the given query." } };
  if (query.get("format") === "api") return { status: 200, body: "<html>" };
  const detail = /^\/api\/v2\/pages\/(\d+)\/$/.exec(pathname);
  if (detail !== null) {
    const page = pages.get(Number(detail[1]));
    return page === undefined ? missing : { status: 200, body: localised(page, locale) };
  }
  if (pathname !== "/api/v2/pages/" || cap === undefined) return missing;
  const hoped = Number(query.get("limit") ?? Math.min(20, cap));
  const limit = clamps ? Math.min(hoped, cap) : hoped;
  const offset = Number(query.get("offset") ?? 0);
  if (limit > cap) return { status: 400, body: { message: `limit cannot be higher than ${cap}` } };
  const [type, parent] = [query.get("type"), query.get("child_of")];
  const above = parent === "root" ? root : Number(parent);
  const isKnown = (name: string): boolean =>
    TYPES.some((known) => name.endsWith(`.${known}`)) ||
    [...pages.values()].some(({ meta }) => meta.type === name);
  if (type !== null && !isKnown(type)) return { status: 400, body: { message: "type doesn't exist" } };
  const placeOf = ({ id }: Page): number => (order.indexOf(id) + order.length + 1) % (order.length + 1);
  const translated = query.get("translation_of");
  if (translated !== null && groups === undefined)
    return { status: 400, body: { message: "query parameter is not recognised: translation_of" } };
  const group = groups?.find((ids) => ids.includes(Number(translated))) ?? [];
  const chosen = [...pages.values()]
    .filter(({ id }) => translated === null || (id !== Number(translated) && group.includes(id)))
    .filter((page) => type === null || page.meta.type === type)
    .filter(({ meta }) => parent === null || (meta["parent"] as Page | null)?.id === above)
    .sort((a, b) => (parent === null ? 0 : placeOf(a) - placeOf(b)) || a.id - b.id);
  const isFull = type !== null && query.get("fields") === "*";
  const items = chosen.slice(offset, offset + limit).map((page) => listed(page, isFull, locale));
  return { status: 200, body: { meta: { total_count: chosen.length }, items } };
}

const localised = (page: Page, locale: boolean): Page =>
  locale ? { ...page, meta: { ...page.meta, locale: "en" } } : page;

/** Every field except `meta.parent`; without `type` and `fields`, only the common fields. */
function listed(page: Page, isFull: boolean, locale: boolean): object {
  const { parent: _, ...meta } = localised(page, locale).meta;
  if (isFull) return { ...page, meta };
  const { type, detail_url, html_url, slug, first_published_at } = page.meta;
  return { id: page.id, meta: { type, detail_url, html_url, slug, first_published_at }, title: page.title };
}
