import { createHash } from "node:crypto";
import { itemOf, type Item } from "../../build/page/item.ts";
import { BLOCK, type Defect, type Draft } from "./good-host.ts";
import { siteFor } from "./site.ts";

type Placed = Item & { meta: { parent: { id: number } | null } };

const pagesFor = (base: string): Placed[] => [...siteFor(base).values()] as unknown as Placed[];
const addressOf = ({ meta }: Placed): string => meta.html_url.slice("https://www.example.org".length);
const belowOf = (pages: Placed[], id: number): Item[] =>
  pages.filter(({ meta }) => meta.parent?.id === id).map(itemOf);

/** A file for websites of the small site. */
function fileAt(path: string, pages: Placed[]): object | undefined {
  if (path === "/index/index.json")
    return { format: 1, pages: pages.length, digits: 1, root: 2, changed: null };
  const [, folder, name = ""] = /^\/index\/(pages|addresses)\/(\w+)\.json$/.exec(path) ?? [];
  const children = belowOf(pages, Number(name));
  if (folder === "pages") return children.length > 0 ? { id: Number(name), children } : undefined;
  if (folder !== "addresses") return undefined;
  const isOwn = (page: Placed) => createHash("sha256").update(addressOf(page)).digest("hex")[0] === name;
  return Object.fromEntries(pages.filter(isOwn).map((page) => [addressOf(page), page.id]));
}

/** Wagtail's response to a request that needs a program. */
function listResponse(path: string, query: URLSearchParams, pages: Placed[]): Partial<Draft> | undefined {
  if (path === "/api/v2/pages/find/") {
    const found = pages.find((page) => addressOf(page) === query.get("html_path"));
    if (found === undefined) return { status: 404, body: '{"message": "not found"}' };
    return { status: 302, headers: { ...BLOCK, Location: found.meta.detail_url }, body: "" };
  }
  if (path !== "/api/v2/pages/" || query.size === 0) return undefined;
  const [limit, offset] = [Number(query.get("limit") ?? 20), Number(query.get("offset") ?? 0)];
  const message = query.has("unknown")
    ? "query parameter is not an operation or a recognised field: unknown"
    : "limit cannot be higher than 20";
  if (limit > 20 || query.has("unknown")) return { status: 400, body: JSON.stringify({ message }) };
  const items = belowOf(pages, Number(query.get("child_of"))).filter(
    ({ meta }) =>
      (query.get("slug") ?? meta.slug) === meta.slug && (!query.has("show_in_menus") || meta.show_in_menus),
  );
  const list = { meta: { total_count: items.length }, items: items.slice(offset, offset + limit) };
  return { status: 200, body: JSON.stringify(list) };
}

/** A host with files for websites, and with a program that responds to lists; `defect` can change any response. */
export const withIndex =
  (defect: Defect = () => undefined): Defect =>
  (draft, received, response) => {
    const { path, query, base } = received;
    const pages = pagesFor(base);
    const file = fileAt(path, pages);
    const headers = { ...BLOCK, "Cache-Control": "no-store" };
    if (file !== undefined) Object.assign(draft, { status: 200, headers, body: JSON.stringify(file) });
    else Object.assign(draft, listResponse(path, new URLSearchParams(query), pages));
    return defect(draft, received, response);
  };
