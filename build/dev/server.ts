import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { API } from "../base/api.ts";
import { FOLDER, INDEX, isOwnName } from "../browse/files.ts";
import { MEDIA } from "../page/images.ts";
import type { HeaderRule } from "../hosting/headers.ts";
import { pathIn } from "../hosting/paths.ts";
import { contentType, fileOfPath, isRead, respond, send, type HostResponse } from "../hosting/responder.ts";
import type { AsOf } from "./as-of.ts";
import { isOwnOrigin, type Editing } from "./editing.ts";
import { forOrigin, guard, refusal } from "./guard.ts";
import { isIndex, type LivePage } from "./live-page.ts";

export interface PagesServer {
  close: () => Promise<void>;
}

export interface ServedPages {
  /** The output folder of the builds. */
  root: string;
  rules: () => readonly HeaderRule[];
  /** Whether this run has built the pages in the folder: until then, responses have status 503. */
  isReady: () => boolean;
  live?: LivePage;
  asOf?: AsOf;
  editing?: Editing | undefined;
}

/** Serves built pages at both loopback addresses, so that only this machine can read them. */
export async function servePages(pages: ServedPages, port: number): Promise<PagesServer> {
  const servers = [await listen(pages, port, "127.0.0.1")];
  // Fails on a machine without IPv6.
  const six = await listen(pages, port, "::1").catch(() => undefined);
  if (six !== undefined) servers.push(six);
  return { close: async () => void (await Promise.all(servers.map(close))) };
}

function listen(pages: ServedPages, port: number, host: string): Promise<Server> {
  const server = createServer((request, response) => {
    const { method = "GET" } = request;
    const asked = guard(request, port);
    const isOwn = isOwnOrigin(request);
    const rules = pages.rules();
    let follows = false;
    const file = async (path: string, headers: Record<string, string>): Promise<HostResponse | undefined> => {
      if (!isRead(method)) return undefined;
      const own = await pages.live?.answer(path, isOwn ? pages.editing : undefined);
      if (own === undefined) return fileOf(pages, path, headers);
      follows = own === "changes" && method === "GET";
      const type = own === "changes" ? "text/event-stream" : contentType(own.type);
      const found = { status: 200, headers: { "Content-Type": type, ...headers } };
      return own === "changes" ? found : { ...found, body: own.body };
    };
    const page = (id: string, headers: Record<string, string>): Promise<HostResponse | undefined> =>
      bodyOf(pages, join(API, id, "index.json"), headers);
    const found = async (): Promise<HostResponse> => {
      const path = pathIn(asked.target);
      const edited = asked.refused === undefined ? await pages.editing?.respond(request, path) : undefined;
      const chosen = asked.refused === undefined ? pages.asOf?.respond(request, path) : undefined;
      request.resume();
      if (asked.refused !== undefined) return refusal(asked.refused, asked.target, rules);
      // Only the preview's own page may read sources and the token.
      const own = edited ?? chosen;
      if (own !== undefined) return forOrigin(own, undefined);
      const served = await respond({ method, target: asked.target }, rules, { page, file });
      return forOrigin(served, isOwn && isIndex(path) ? undefined : asked.origin);
    };
    const answer = async (): Promise<void> => {
      const served = await found();
      if (follows) pages.live?.tell(response.writeHead(served.status, served.headers));
      else send(served, method, response);
    };
    // For example a source without read permission, which the build reports.
    answer().catch(() => void response.writeHead(500).end());
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

const NOT_READY = '{"message": "The sources have errors, so there is no page yet."}';

/** The response for a file of the browse UI or of the contract. */
async function fileOf(
  pages: ServedPages,
  path: string,
  headers: Record<string, string>,
): Promise<HostResponse | undefined> {
  const file = path === "/" ? INDEX : (fileOfPath(path) ?? "");
  const isPart =
    file === INDEX || (file.startsWith(`${FOLDER}/`) && isOwnName(file.slice(FOLDER.length + 1)));
  const isContract = file === "openapi.json" || file === "schema/page.json";
  const isImage = file.startsWith(`${MEDIA}/`);
  return isPart || isContract || isImage
    ? bodyOf(pages, file, { "Content-Type": contentType(file), ...headers })
    : undefined;
}

async function bodyOf(
  { root, isReady }: ServedPages,
  file: string,
  headers: Record<string, string>,
): Promise<HostResponse | undefined> {
  if (!isReady()) return { status: 503, headers, body: NOT_READY };
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
