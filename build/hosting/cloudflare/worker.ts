import { API } from "../../base/api.ts";
import { METHOD_NOT_ALLOWED } from "../errors.ts";
import { PAGE_ID } from "../paths.ts";

interface Environment {
  ASSETS: { fetch(request: Request): Promise<Response> };
}

const PAGE = new RegExp(`^${API}${PAGE_ID}(?:/(?:index\\.json)?)?$`);

/**
 * Answers what Cloudflare's assets alone do not: OPTIONS, other methods, and ids that no page has. It names no header
 * itself: it takes them from the assets' answer, to which `_headers` has been applied.
 */
export default {
  async fetch(request: Request, { ASSETS }: Environment): Promise<Response> {
    const url = new URL(request.url);
    const isRead = request.method === "GET" || request.method === "HEAD";
    const asked = isRead && PAGE.test(url.pathname) ? url : new URL(API, url);
    // Conditions and ranges are not passed on: an answer that must not be stored has nothing to be compared with.
    const method = isRead ? request.method : "GET";
    const answer = await ASSETS.fetch(new Request(asked, { method, redirect: "manual" }));
    if (isRead) return answer;
    const { headers } = answer;
    if (request.method === "OPTIONS") return new Response(null, { status: 200, headers });
    return new Response(METHOD_NOT_ALLOWED, { status: 405, headers });
  },
};
