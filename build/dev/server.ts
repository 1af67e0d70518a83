import { readFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { HeaderRule } from "../hosting/headers.ts";
import { API } from "../hosting/paths.ts";
import { answer, forOrigin, missing, refusal, type Answer } from "./answer.ts";
import { guard } from "./guard.ts";
import type { LivePage } from "./live-page.ts";

export interface PagesServer {
  close: () => Promise<void>;
}

export interface ServedPages {
  /** The output folder of the builds. */
  root: string;
  rules: () => readonly HeaderRule[];
  /** Whether the pages in the folder are those of this run: until then there is nothing to show. */
  isReady: () => boolean;
  /** What a preview has beside them. */
  live?: LivePage;
}

/** Serves built pages on this machine and to it alone, at both of its addresses. */
export async function servePages(pages: ServedPages, port: number): Promise<PagesServer> {
  const servers = [await listen(pages, port, "127.0.0.1")];
  // A machine without IPv6 has no such address.
  const six = await listen(pages, port, "::1").catch(() => undefined);
  if (six !== undefined) servers.push(six);
  return { close: async () => void (await Promise.all(servers.map(close))) };
}

function listen(pages: ServedPages, port: number, host: string): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    const { method = "GET" } = request;
    const asked = guard(request, port);
    const rules = pages.rules();
    const found = async (): Promise<Answer> =>
      asked.refused === undefined
        ? forOrigin(await answer(method, asked.target, rules, pages.live), asked.origin)
        : refusal(asked.refused, asked.target, rules);
    void found().then(
      (one) => respond(pages, one, method, response),
      // A source that nobody may read, say: the build tells of it.
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

const NOT_READY = '{"message": "The sources have errors; nothing has been built yet."}';

async function respond(
  pages: ServedPages,
  found: Answer,
  method: string,
  response: ServerResponse,
): Promise<void> {
  const { status, headers, body } = await withBody(pages, found);
  if (found.follows && method === "GET") {
    response.writeHead(status, headers);
    pages.live?.tell(response);
    return;
  }
  response.writeHead(
    status,
    body === undefined ? headers : { ...headers, "Content-Length": Buffer.byteLength(body) },
  );
  response.end(method === "HEAD" ? undefined : body);
}

async function withBody({ root, isReady }: ServedPages, found: Answer): Promise<Answer> {
  const { page, headers } = found;
  const file = page === undefined ? found.file : join(API, page, "index.json");
  if (file === undefined) return found;
  if (!isReady()) return { status: 503, headers, body: NOT_READY };
  try {
    return { ...found, body: await readFile(join(root, file)) };
  } catch {
    return missing(headers);
  }
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
