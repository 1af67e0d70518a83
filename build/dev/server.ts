import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { HeaderRule } from "../hosting/headers.ts";
import { pathIn } from "../hosting/paths.ts";
import { type HostResponse, contentType, fileOfPath, isRead, respond, send } from "../hosting/responder.ts";
import { API } from "../base/api.ts";
import { readBytes } from "../base/file.ts";
import { INDEX_FILE } from "../base/website.ts";
import { FOLDER, INDEX, isOwnName } from "../outputs/browse/files.ts";
import type { OpenApi } from "../outputs/contract/document.ts";
import { CONTRACT_FILES, OPENAPI } from "../outputs/contract/names.ts";
import { MEDIA } from "../source/image-kinds.ts";
import type { ListSource } from "../hosting/lists.ts";
import { isOwnOrigin, type AsOf, type Editing } from "./editing.ts";
import { isIndex, type LivePage } from "./live-page.ts";
import { guard, refusal, forOrigin } from "./guard.ts";

interface ServedPages {
  /** The output folder of the builds. */
  root: string;
  rules: () => readonly HeaderRule[];
  /** Whether this run has built the pages in the folder, once its first build has ended. If not, responses have status 503. */
  isReady: () => Promise<boolean>;
  live?: LivePage;
  asOf?: AsOf;
  editing?: Editing | undefined;
}

/** Serves built pages at both loopback addresses, so that only this machine can read them. */
export async function servePages(pages: ServedPages, port: number) {
  const servers = [await listen(pages, port, "127.0.0.1")];
  // Fails on a machine without IPv6.
  const six = await listen(pages, port, "::1").catch(() => undefined);
  if (six !== undefined) servers.push(six);
  return { close: async () => void (await Promise.all(servers.map(close))) };
}

async function listen(pages: ServedPages, port: number, host: string): Promise<Server> {
  const server = createServer((request, response) => {
    const { method = "GET" } = request;
    const guarded = guard(request, port);
    const isOwn = isOwnOrigin(request);
    const rules = pages.rules();
    const { target, drafts } = withoutDraft(guarded.target, pages.live);
    const index = indexOf(pages, drafts);
    let follows = false;
    const file = async (path: string, headers: Record<string, string>): Promise<HostResponse | undefined> => {
      if (!isRead(method)) return undefined;
      const own = await pages.live?.respond(path, isOwn ? pages.editing : undefined);
      const typed = (type: string) => ({ status: 200, headers: { "Content-Type": type, ...headers } });
      if (own === "changes") {
        follows = method === "GET";
        return typed("text/event-stream");
      }
      if (own !== undefined) return { ...typed(contentType(own.type)), body: own.body };
      const text = drafts && FOR_WEBSITES.test(path) ? await index.read(path.slice(1)) : undefined;
      return text === undefined ? fileOf(pages, path, headers) : { ...typed(contentType(path)), body: text };
    };
    const page = async (id: string, headers: Record<string, string>): Promise<HostResponse | undefined> => {
      if (drafts !== undefined) await pages.isReady();
      const draft = await drafts?.draft(Number(id));
      return draft === undefined
        ? bodyOf(pages, join(API, id, "index.json"), headers)
        : { status: 200, headers, body: draft };
    };
    const found = async (): Promise<HostResponse> => {
      const path = pathIn(guarded.target);
      const edited = guarded.refused === undefined ? await pages.editing?.respond(request, path) : undefined;
      const chosen = guarded.refused === undefined ? pages.asOf?.respond(request, path) : undefined;
      request.resume();
      if (guarded.refused !== undefined) return refusal(guarded.refused, guarded.target, rules);
      // Only the preview's own page may read sources and the token.
      const own = edited ?? chosen;
      if (own !== undefined) return forOrigin(own, undefined);
      const served = await respond({ method, target }, rules, { page, file, index });
      const { Location } = served.headers;
      if (drafts !== undefined && Location !== undefined)
        served.headers["Location"] = `${Location}${Location.includes("?") ? "&" : "?"}draft`;
      const policy = served.headers["Content-Security-Policy"];
      if (isIndex(path) && policy !== undefined && pages.live?.website !== undefined)
        served.headers["Content-Security-Policy"] = `${policy}; frame-src ${pages.live.website}`;
      return forOrigin(served, isOwn && isIndex(path) ? undefined : guarded.origin);
    };
    const reply = async (): Promise<void> => {
      const served = await found();
      if (follows) pages.live?.tell(response.writeHead(served.status, served.headers));
      else send(served, method, response);
    };
    // For example a source without read permission, which the build reports.
    reply().catch(() => void response.writeHead(500).end());
  });
  await once(server.listen({ port, host, exclusive: true }), "listening");
  return server;
}

/** Splits a request that includes drafts with `?draft`: Wagtail's lists have no such parameter. */
function withoutDraft(target: string, live: LivePage | undefined) {
  const path = pathIn(target);
  const query = new URLSearchParams(target.slice(path.length));
  if (!query.has("draft")) return { target, drafts: undefined };
  query.delete("draft");
  return { target: query.size === 0 ? path : `${path}?${query.toString()}`, drafts: live };
}

/** The index of the built pages, and of drafts if they are given. */
const indexOf = ({ root, isReady }: ServedPages, drafts: LivePage | undefined): ListSource => ({
  read: async (path) => {
    if (!(await isReady()) || !existsSync(join(root, INDEX_FILE))) return undefined;
    const text = await readFile(join(root, path), "utf8").catch(() => undefined);
    return drafts === undefined ? text : drafts.withDrafts(path, text, (file) => readBytes(join(root, file)));
  },
  page: async (id) =>
    (await drafts?.draft(id))?.toString() ??
    ((await isReady())
      ? await readFile(join(root, API, `${id}`, "index.json"), "utf8").catch(() => undefined)
      : undefined),
});

/** The files for websites, and the bulk download. */
const FOR_WEBSITES =
  /^\/(?:index\/(?:index|changed|pages\/\d{1,16}(?:-\d+)?|lists\/[\w.-]+|addresses\/[\da-f]{1,4})\.json|bulk\/(?:index\.json|shards\/[\da-f]{64}\.zip))$/;

const NOT_READY = '{"message": "The sources have errors, so there is no page yet."}';

/** The response for a file of the browse UI, of the contract or for websites, or for an image. */
async function fileOf(
  pages: ServedPages,
  path: string,
  headers: Record<string, string>,
): Promise<HostResponse | undefined> {
  const file = path === "/" ? INDEX : (fileOfPath(path) ?? "");
  const isPart =
    file === INDEX || (file.startsWith(`${FOLDER}/`) && isOwnName(file.slice(FOLDER.length + 1)));
  const isContract = CONTRACT_FILES.includes(file);
  const isImage = file.startsWith(`${MEDIA}/`);
  if (!isPart && !isContract && !isImage && !FOR_WEBSITES.test(path)) return undefined;
  const found = await bodyOf(pages, file, { "Content-Type": contentType(file), ...headers });
  return file === OPENAPI && found?.status === 200 && found.body !== undefined
    ? { ...found, body: ofPreview(found.body.toString()) }
    : found;
}

/** The description of the API, with the header that a preview has only for websites on this machine. */
function ofPreview(openapi: string): string {
  const described = JSON.parse(openapi) as OpenApi;
  const name = "Access-Control-Allow-Origin";
  if (described.components.headers[name] !== undefined)
    described.components.headers[name] = {
      description: "The origin of the request, if it is a website on this machine; otherwise missing.",
      required: false,
      schema: { type: "string" },
    };
  return JSON.stringify(described, null, 2);
}

async function bodyOf(
  { root, isReady }: ServedPages,
  file: string,
  headers: Record<string, string>,
): Promise<HostResponse | undefined> {
  if (!(await isReady())) return { status: 503, headers, body: NOT_READY };
  try {
    return { status: 200, headers, body: await readFile(join(root, file)) };
  } catch {
    return undefined;
  }
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
