import type { ServerResponse } from "node:http";
import { API } from "../base/api.ts";
import { isImageName, MEDIA } from "../source/image-kinds.ts";
import { IMAGE_TYPES } from "./config/host.ts";
import { isUnended, respondList, type ListSource } from "./lists.ts";
import { METHOD_NOT_ALLOWED, NOT_FOUND, PAGE_ID, pathIn } from "./paths.ts";
import type { HeaderRule } from "./headers.ts";

export interface HostResponse {
  status: number;
  headers: Record<string, string>;
  /** Left out if there is none; not sent for HEAD. */
  body?: Uint8Array | string;
}

/** The pages and files of a host; undefined for those that it does not have. */
export interface HostFiles {
  page: (id: string, headers: Record<string, string>) => Promise<HostResponse | undefined>;
  /** @param path any path that is not below the pages' folder. */
  file: (path: string, headers: Record<string, string>) => Promise<HostResponse | undefined>;
  index?: ListSource;
}

const PAGE = new RegExp(`^${API}(${PAGE_ID})(/?)$`);

/**
 * The response that the API contract requires for a request. Requests and responses are plain data, so that
 * it works in Node and in a Worker.
 *
 * @param target the path and query of the request, exactly as sent. No address of the API contains encoded
 *   characters, so no spelling leads elsewhere.
 */
export async function respond(
  { method, target }: { method: string; target: string },
  rules: readonly HeaderRule[],
  { page, file, index }: HostFiles,
): Promise<HostResponse> {
  const path = pathIn(target);
  const headers = headersFor(path, rules);
  if (!path.startsWith(API)) {
    const isList = index !== undefined && isUnended(path) && isRead(method);
    const listed = isList ? await respondList(target, headersFor(API, rules), index) : undefined;
    return listed ?? (await file(path, headers)) ?? missing(path, headers);
  }
  if (method === "OPTIONS") return { status: 204, headers };
  if (!isRead(method)) return { status: 405, headers, body: METHOD_NOT_ALLOWED };
  const [, id, slash] = PAGE.exec(path) ?? [];
  if (id === undefined)
    return (index && (await respondList(target, headers, index))) ?? missing(path, headers);
  if (slash === "")
    return { status: 301, headers: { ...headers, Location: `${path}/${target.slice(path.length)}` } };
  return (await page(id, headers)) ?? missing(path, headers);
}

export const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

export function headersFor(path: string, rules: readonly HeaderRule[]): Record<string, string> {
  const rule = rules.find(({ path: of }) =>
    of.endsWith("*") ? path.startsWith(of.slice(0, -1)) : path === of,
  );
  return Object.fromEntries((rule?.headers ?? []).map(({ name, value }) => [name, value]));
}

/** The headers of an error with a JSON body. It is not cached, even if the file at the path may be. */
export const errorHeaders = (path: string, headers: Record<string, string>): Record<string, string> => ({
  ...headers,
  "Content-Type": "application/json",
  "Cache-Control": (path.startsWith(API) ? headers["Cache-Control"] : undefined) ?? "no-store",
});

const missing = (path: string, headers: Record<string, string>): HostResponse => ({
  status: 404,
  headers: errorHeaders(path, headers),
  body: NOT_FOUND,
});

const TYPES: Record<string, string> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
  zip: "application/zip",
  ...Object.fromEntries(IMAGE_TYPES),
  ico: "image/x-icon",
  txt: "text/plain; charset=utf-8",
};

export const contentType = (path: string): string =>
  TYPES[/\.(\w+)$/.exec(path)?.[1] ?? ""] ?? "application/octet-stream";

/** The file of a request's path. Only names of images may contain encoded characters. */
export function fileOfPath(path: string): string | undefined {
  if (!path.startsWith(`/${MEDIA}/`)) return path.slice(1);
  try {
    const names = path.slice(1).split("/").map(decodeURIComponent);
    return names.every(isImageName) ? names.join("/") : undefined;
  } catch {
    return undefined;
  }
}

export function send(
  { status, headers, body = "" }: HostResponse,
  method: string,
  response: ServerResponse,
): void {
  const hasBody = status !== 204 && status !== 304;
  const length = hasBody ? { "Content-Length": `${Buffer.byteLength(body)}` } : {};
  response.writeHead(status, { ...headers, ...length });
  response.end(hasBody && method !== "HEAD" ? body : undefined);
}
