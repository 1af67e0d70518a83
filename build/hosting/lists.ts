import { API, pathOf } from "../base/api.ts";
import { addressesPath, childrenPath, INDEX_FILE } from "../base/website.ts";
import type { Item } from "../model/item.ts";
import { pathIn } from "./paths.ts";

/** The two requests of Wagtail's clients that need a program (“Pages for a website” in docs/reference.md). */

/** The index of the published pages, as a host reads it. */
export interface ListSource {
  /** The text of a file of the index; undefined if there is no such file, or if the site has no index. */
  read: (path: string) => Promise<string | undefined>;
  isPublished: (id: number) => Promise<boolean>;
}

interface ListResponse {
  status: number;
  headers: Record<string, string>;
  body?: string;
}

const FIND = `${API}find/`;

/** Maximum number of pages in a response, and their number if a request has no `limit`: Wagtail's. */
const MAX_LISTED = 20;

/**
 * Responds to `find/` and to lists as Wagtail does, with its messages; undefined for any other request, and if the site
 * has no index.
 *
 * @param target the path and query of the request.
 * @param headers of every response below the pages' folder.
 */
export async function respondList(
  target: string,
  headers: Record<string, string>,
  index: ListSource,
): Promise<ListResponse | undefined> {
  const path = pathIn(target);
  // As in Wagtail, the last of several equal names counts.
  const parameters = Object.fromEntries(new URLSearchParams(target.slice(path.length)));
  if (path !== FIND && (path !== API || Object.keys(parameters).length === 0)) return undefined;
  const about = await readJson<IndexFile | undefined>(index, INDEX_FILE, undefined);
  if (about === undefined) return undefined;
  const message = (status: number, text: string): ListResponse => ({
    status,
    headers,
    body: JSON.stringify({ message: text }),
  });
  if (path === FIND) {
    const id = await find(index, about, parameters["html_path"]);
    return id === undefined
      ? message(404, "not found")
      : { status: 302, headers: { ...headers, Location: pathOf(id) } };
  }
  const found = await list(index, about, parameters);
  return typeof found === "string"
    ? message(400, found)
    : { status: 200, headers, body: JSON.stringify(found) };
}

/** The id of the page at an address, or at the address that replaces it. As in Wagtail, the last slash does not matter. */
async function find(
  index: ListSource,
  { digits }: IndexFile,
  address: string | undefined,
): Promise<number | undefined> {
  if (address === undefined) return undefined;
  const at = async (one: string): Promise<number | { to: string } | undefined> => {
    const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(one));
    const hex = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const path = addressesPath(hex.slice(0, digits));
    return (await readJson<Record<string, number | { to: string }>>(index, path, {}))[one];
  };
  const names = address.split("/").filter((name) => name !== "");
  const way = names.length === 0 ? "" : new URL(`https://path/${names.join("/")}`).pathname;
  const entry = (await at(`${way}/`)) ?? (await at(way));
  const current = typeof entry === "object" ? await at(entry.to.replace(/[?#].*$/s, "")) : entry;
  return typeof current === "number" ? current : undefined;
}

const NUMBER = /^\d{1,15}$/;
const BOOLEANS = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** The response with a list, or the message of the query's mistake. */
async function list(
  index: ListSource,
  { root }: IndexFile,
  parameters: Record<string, string>,
): Promise<object | string> {
  const { type, show_in_menus: menus, slug, child_of: parent, ...paging } = parameters;
  const { offset = "0", limit = `${MAX_LISTED}`, ...others } = paging;
  const types = type?.toLowerCase().split(",");
  if (types?.every((one) => /^\w+\.\w+$/.test(one)) === false) return "type doesn't exist";
  const unknown = Object.keys(others).sort();
  if (unknown.length > 0)
    return `query parameter is not an operation or a recognised field: ${unknown.join(", ")}`;
  const isInMenus = BOOLEANS.get(menus ?? "");
  if (menus !== undefined && isInMenus === undefined)
    return `field filter error. '${menus}' is not a valid value for show_in_menus (expected 'true' or 'false', got '${menus}')`;
  // Wagtail would list all pages, which no file contains.
  if (parent === undefined) return "listing pages without child_of is not supported";
  if (parent !== "root" && !NUMBER.test(parent)) return "child_of must be a positive integer";
  if (!NUMBER.test(offset)) return "offset must be a positive integer";
  if (NUMBER.test(limit) && Number(limit) > MAX_LISTED) return `limit cannot be higher than ${MAX_LISTED}`;
  if (!NUMBER.test(limit)) return "limit must be a positive integer";
  const id = parent === "root" ? root : Number(parent);
  const { children } = await readJson<{ children?: Item[] }>(index, childrenPath(id), {});
  if (children === undefined && !(await index.isPublished(id))) return "parent page doesn't exist";
  const wanted = (children ?? []).filter(
    ({ meta }) =>
      (types?.some((one) => one === meta.type.toLowerCase() || one === "wagtailcore.page") ?? true) &&
      (slug ?? meta.slug) === meta.slug &&
      (isInMenus ?? meta.show_in_menus) === meta.show_in_menus,
  );
  const items = wanted.slice(Number(offset), Number(offset) + Number(limit));
  return { meta: { total_count: wanted.length }, items };
}

interface IndexFile {
  /** The digits in the name of a file of addresses. */
  digits: number;
  /** The id of the home page. */
  root: number;
}

/** @param otherwise the value if there is no such file. */
async function readJson<T>(index: ListSource, path: string, otherwise: T): Promise<T> {
  const text = await index.read(path);
  return text === undefined ? otherwise : (JSON.parse(text) as T);
}
