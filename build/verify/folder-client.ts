import { join, resolve } from "node:path";
import { PAGES } from "../base/api.ts";
import { Failure } from "../base/failure.ts";
import { readBytes } from "../base/file.ts";
import { isFolder } from "../base/stat.ts";
import type { Client } from "../http/client.ts";
import type { HttpRequest, Reply } from "../http/reply.ts";
import type { HeaderRule } from "../hosting/headers.ts";
import { respond } from "../hosting/responder.ts";

/**
 * A folder of responses (a mirror or an output) that is used like a host: it responds with its pages as the API
 * contract requires.
 *
 * @throws Failure if it has no pages.
 */
export function openFolder(folder: string, rules: readonly HeaderRule[]): Client {
  const pages = join(resolve(folder), PAGES);
  if (!isFolder(pages)) throw new Failure(`${pages}: there is no such folder.`);
  let requests = 0;
  const send = async (request: HttpRequest): Promise<Reply> => {
    requests++;
    const { method = "GET", path } = request;
    const { status, headers, body } = await respond({ method, target: path }, rules, {
      page: (id, own) => {
        const bytes = readBytes(join(pages, id, "index.json"));
        return Promise.resolve(bytes && { status: 200, headers: own, body: bytes });
      },
      file: () => Promise.resolve(undefined),
    });
    return {
      kind: "response",
      request,
      status,
      headers: new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]])),
      body: method === "HEAD" ? Buffer.alloc(0) : Buffer.from(body ?? ""),
    };
  };
  return {
    base: folder,
    send,
    sendAlone: send,
    sendBare: send,
    requests: () => requests,
    close: () => undefined,
  };
}
