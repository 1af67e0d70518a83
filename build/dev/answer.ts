import { FOLDER, INDEX, isOwnName } from "../browse/files.ts";
import type { HeaderRule } from "../hosting/headers.ts";
import { METHOD_NOT_ALLOWED, NOT_FOUND } from "../hosting/errors.ts";
import { prefixOf } from "../hosting/config/parts.ts";
import { API, PAGE_ID } from "../hosting/paths.ts";
import type { LivePage } from "./live-page.ts";

/** What is to be sent: a page's file, or a text. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** The id of the page whose file is the body. */
  page?: string;
  /** The path of another file that is the body, relative to the output. */
  file?: string;
  body?: string | Buffer;
  /** Goes on with every build. */
  follows?: true;
}

const PAGE = new RegExp(`^${API}(${PAGE_ID})(/?)$`);

/**
 * How a host answers (DESIGN, section 5), whether or not there is such a page. `target` is as it was asked.
 *
 * @param live what a preview has beside what is built.
 */
export async function answer(
  method: string,
  target: string,
  rules: readonly HeaderRule[],
  live?: LivePage,
): Promise<Answer> {
  // As it was sent: nothing that is encoded is an address of ours, so no spelling leads elsewhere.
  const path = pathOf(target);
  const headers = headersOf(path, rules);
  if (!path.startsWith(API)) {
    const own = ["GET", "HEAD"].includes(method) ? await live?.answer(path) : undefined;
    if (own === undefined) return ofThePage(method, path, headers);
    const type = own === "changes" ? "text/event-stream" : (TYPES[own.type] ?? "");
    const found = { status: 200, headers: { "Content-Type": type, ...headers } };
    return own === "changes" ? { ...found, follows: true } : { ...found, body: own.body };
  }
  if (method === "OPTIONS") return { status: 204, headers };
  if (method !== "GET" && method !== "HEAD") return { status: 405, headers, body: METHOD_NOT_ALLOWED };
  const [, id, slash] = PAGE.exec(path) ?? [];
  if (id === undefined) return missing(headers);
  if (slash === "")
    return { status: 301, headers: { ...headers, Location: `${path}/${target.slice(path.length)}` } };
  return { status: 200, headers, page: id };
}

/** The page to look at, whose parts have plain names. */
function ofThePage(method: string, path: string, headers: Record<string, string>): Answer {
  const file = path === "/" ? INDEX : path.slice(1);
  const type = TYPES[file.slice(file.lastIndexOf("."))];
  const isPart =
    file === INDEX || (file.startsWith(`${FOLDER}/`) && isOwnName(file.slice(FOLDER.length + 1)));
  const isContract = file === "openapi.json" || file === "schema/page.json";
  if (type === undefined || !(isPart || isContract) || !["GET", "HEAD"].includes(method))
    return missing(headers);
  return { status: 200, headers: { "Content-Type": type, ...headers }, file };
}

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

const pathOf = (target: string): string => target.split("?", 1)[0] ?? "";

export const missing = (headers: Record<string, string>): Answer => ({
  status: 404,
  headers: { "Content-Type": "application/json", ...headers },
  body: NOT_FOUND,
});

/** What is said to those who may not ask (DESIGN, section 5). */
const REFUSALS = {
  421: "This preview answers at http://localhost, http://127.0.0.1 and http://[::1] with its port, and under no other name.",
  403: "This preview answers on behalf of no other website.",
};

export const refusal = (status: 421 | 403, target: string, rules: readonly HeaderRule[]): Answer =>
  forOrigin(
    {
      status,
      headers: { ...headersOf(pathOf(target), rules), "Content-Type": "application/json" },
      body: JSON.stringify({ message: REFUSALS[status] }),
    },
    undefined,
  );

/** `_headers` lets every website read what is published; a preview is read by those of this machine alone. */
export function forOrigin(found: Answer, origin: string | undefined): Answer {
  const headers: Record<string, string> = {};
  let vary = "";
  for (const [name, value] of Object.entries(found.headers))
    if (/^vary$/i.test(name)) vary = `${value}, `;
    else if (!/^access-control-allow-origin$/i.test(name)) headers[name] = value;
  headers["Vary"] = `${vary}Origin`;
  if (origin !== undefined) headers["Access-Control-Allow-Origin"] = origin;
  return { ...found, headers };
}

function headersOf(path: string, rules: readonly HeaderRule[]): Record<string, string> {
  const rule = rules.find((one) => {
    const at = prefixOf(one);
    return "exact" in at ? path === at.exact : path.startsWith(at.prefix);
  });
  return Object.fromEntries((rule?.headers ?? []).map(({ name, value }) => [name, value]));
}
