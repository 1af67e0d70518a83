import { API } from "../../base/api.ts";
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
    if (isRead) return response;
    const { headers } = response;
    if (request.method === "OPTIONS") return new Response(null, { status: 200, headers });
    return new Response(METHOD_NOT_ALLOWED, { status: 405, headers });
  },
};
