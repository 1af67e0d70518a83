import type { HeaderRule } from "../hosting/headers.ts";
import { METHOD_NOT_ALLOWED, NOT_FOUND } from "../hosting/errors.ts";
import { prefixOf } from "../hosting/hosts/parts.ts";
import { API, PAGE_ID } from "../hosting/paths.ts";

/** What is to be sent: a page's file, or a text. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** The id of the page whose file is the body. */
  page?: string;
  body?: string;
}

const PAGE = new RegExp(`^${API}(${PAGE_ID})(/?)$`);

/** How a host answers (DESIGN, section 5), whether or not there is such a page. `target` is as it was asked. */
export function answer(method: string, target: string, rules: readonly HeaderRule[]): Answer {
  // As it was sent: nothing that is encoded is an address of ours, so no spelling leads elsewhere.
  const query = target.indexOf("?");
  const path = query === -1 ? target : target.slice(0, query);
  const headers = headersOf(path, rules);
  if (!path.startsWith(API)) return missing(headers);
  if (method === "OPTIONS") return { status: 204, headers };
  if (method !== "GET" && method !== "HEAD") return { status: 405, headers, body: METHOD_NOT_ALLOWED };
  const [, id, slash] = PAGE.exec(path) ?? [];
  if (id === undefined) return missing(headers);
  if (slash === "")
    return {
      status: 301,
      headers: { ...headers, Location: `${path}/${query === -1 ? "" : target.slice(query)}` },
    };
  return { status: 200, headers, page: id };
}

export const missing = (headers: Record<string, string>): Answer => ({
  status: 404,
  headers: { "Content-Type": "application/json", ...headers },
  body: NOT_FOUND,
});

function headersOf(path: string, rules: readonly HeaderRule[]): Record<string, string> {
  const rule = rules.find((one) => {
    const at = prefixOf(one);
    return "exact" in at ? path === at.exact : path.startsWith(at.prefix);
  });
  return Object.fromEntries((rule?.headers ?? []).map(({ name, value }) => [name, value]));
}
