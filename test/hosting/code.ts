import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import worker from "../../build/hosting/cloudflare/worker.ts";
import { NOT_FOUND } from "../../build/hosting/paths.ts";
import { respond } from "../../build/hosting/responder.ts";
import { readerOf, type MemoryBucket } from "../release/memory.ts";

/** The hosts with code, without servers. Each gets the path and query of a request. */

/** The text of a published file by its path; undefined if there is none. */
type Read = (path: string) => string | undefined;

export const filesOf =
  ({ out }: { out: string }): Read =>
  (path) =>
    existsSync(join(out, path)) ? readFileSync(join(out, path), "utf8") : undefined;

const pagePath = (id: number | string): string => `api/v2/pages/${id}/index.json`;

export interface Responded {
  status: number;
  /** By names in lowercase. */
  headers: Record<string, string>;
  body: string;
}

const responded = (status: number, headers: object, body: Uint8Array | string = ""): Responded => ({
  status,
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  ),
  body: Buffer.from(body).toString(),
});

export const inNode =
  (read: Read) =>
  async (target: string, method = "GET"): Promise<Responded> => {
    const { status, headers, body } = await respond({ method, target }, [], {
      page: (id) => {
        const text = read(pagePath(id));
        return Promise.resolve(text === undefined ? undefined : { status: 200, headers: {}, body: text });
      },
      file: () => Promise.resolve(undefined),
      index: { read: async (path) => read(path), page: async (id) => read(pagePath(id)) },
    });
    return responded(status, headers, body);
  };

export function inWorker(read: Read) {
  const fetch = ({ url }: Request): Promise<Response> => {
    const path = new URL(url).pathname.slice(1).replace(/\d\/$/, "$&index.json");
    const body = path.endsWith("/") ? undefined : read(path);
    const status = body === undefined ? 404 : 200;
    return Promise.resolve(new Response(body ?? NOT_FOUND, { status, headers: { "X-From": "_headers" } }));
  };
  return async (target: string): Promise<Responded> => {
    const found = await worker.fetch(new Request(`https://a.example${target}`), { ASSETS: { fetch } });
    return responded(found.status, Object.fromEntries(found.headers), await found.text());
  };
}

export const inBucket = (bucket: MemoryBucket) => {
  const reader = readerOf(bucket);
  return async (target: string): Promise<Responded> => {
    const { status, headers, body } = await reader.respond({
      method: "GET",
      target,
      header: () => undefined,
    });
    return responded(status, headers, body);
  };
};
