import { API, pathOf } from "../../base/api.ts";
import { respondList } from "../lists.ts";
import { METHOD_NOT_ALLOWED, PAGE_ID } from "../paths.ts";

interface Environment {
  ASSETS: { fetch(request: Request): Promise<Response> };
}

const PAGE = new RegExp(`^${API}${PAGE_ID}(?:/(?:index\\.json)?)?$`);

/**
 * Responds to requests that Cloudflare's assets would not handle correctly: OPTIONS, other methods and
 * malformed ids. It sets no headers itself: a response of the assets has the headers in `_headers`.
 */
export default {
  async fetch(request: Request, { ASSETS }: Environment): Promise<Response> {
    const url = new URL(request.url);
    const isRead = request.method === "GET" || request.method === "HEAD";
    const target = isRead && PAGE.test(url.pathname) ? url : new URL(API, url);
    // Conditions and ranges are not passed on, because clients must not store responses.
    const method = isRead ? request.method : "GET";
    const response = await ASSETS.fetch(new Request(target, { method, redirect: "manual" }));
    const { headers } = response;
    if (isRead) {
      const found = response.status === 404 ? await listed(url, headers, ASSETS) : undefined;
      return found ?? response;
    }
    if (request.method === "OPTIONS") return new Response(null, { status: 200, headers });
    return new Response(METHOD_NOT_ALLOWED, { status: 405, headers });
  },
};

/** Maximum number of requests to the assets for a response: those of a Worker of the free plan. */
const MAX_REQUESTS = 50;

/** The response to `find/` or to a list. */
async function listed(
  url: URL,
  headers: Headers,
  ASSETS: Environment["ASSETS"],
): Promise<Response | undefined> {
  const read = async (path: string): Promise<string | undefined> => {
    const file = await ASSETS.fetch(new Request(new URL(path, url), { redirect: "manual" }));
    return file.ok ? file.text() : undefined;
  };
  const found = await respondList(url.pathname + url.search, Object.fromEntries(headers), {
    read: (path) => read(`/${path}`),
    page: (id) => read(pathOf(id)),
    // One was for the address itself.
    maxReads: MAX_REQUESTS - 1,
  });
  return found && new Response(found.body ?? null, found);
}
