import { API } from "../../base/api.ts";

/** The functions of the module for clients, which request pages and the files for websites. */
export const FUNCTIONS = `/** A page in a list. */
export interface ListedPage {
  id: number;
  title: string;
  meta: {
    type: PageType;
    detail_url: string;
    html_url: string;
    slug: string;
    show_in_menus: boolean;
    first_published_at: string | null;
  };
}

export interface RequestOptions {
  /** An AbortSignal. */
  signal?: { readonly aborted: boolean } | null | undefined;
  /** Whether to include drafts, which only a preview (\`npx page-api dev\`) has. */
  draft?: boolean | undefined;
}

/**
 * Requests the page with an id. Returns undefined if no such page is published. Like all these functions, it throws if
 * the API cannot be reached, if it responds with anything else, or if \`signal\` aborts the request.
 *
 * @param baseUrl the URL in front of ${API}, such as https://api.example.org
 */
export async function fetchPage(
  baseUrl: string,
  id: number,
  options: RequestOptions = {},
): Promise<Page | undefined> {
  return (await request(baseUrl, \`${API}\${id}/\`, options)) as Page | undefined;
}

/**
 * Requests the page at an address of the website, such as /visit/; at an old address, the page that replaces it, so
 * compare its \`meta.html_url\`. Returns undefined if there is none. Like the functions below, it needs "index": true in
 * _site.json. It needs \`crypto.subtle\`, which browsers have at https:// and on localhost.
 */
export async function fetchPageAt(
  baseUrl: string,
  path: string,
  options: RequestOptions = {},
): Promise<Page | undefined> {
  const found = await destination(baseUrl, path, options);
  const current = typeof found === "object" ? await destination(baseUrl, found.to, options) : found;
  return typeof current === "number" ? fetchPage(baseUrl, current, options) : undefined;
}

/** Requests the address that replaces an old address of the website: a path, or a URL of another website. */
export async function fetchRedirect(
  baseUrl: string,
  path: string,
  options: RequestOptions = {},
): Promise<string | undefined> {
  const found = await destination(baseUrl, path, options);
  return typeof found === "object" ? found.to : undefined;
}

/** Requests the pages directly below a page, in the order of menus; none if there is no such page. */
export async function fetchChildren(
  baseUrl: string,
  id: number,
  options: RequestOptions = {},
): Promise<ListedPage[]> {
  const found = await request(baseUrl, \`/index/pages/\${id}.json\`, options);
  if (found === undefined) return [];
  const { children, more = [] } = found as { children: ListedPage[]; more?: string[] };
  // At most 1,000 pages are in a file.
  for (const name of more) {
    const part = (await request(baseUrl, \`/index/pages/\${name}\`, options)) as { children: ListedPage[] } | undefined;
    children.push(...(part?.children ?? []));
  }
  return children;
}

/** Requests the list of all pages: each is before its subpages, and the home page is first. */
export async function fetchAllPages(baseUrl: string, options: RequestOptions = {}): Promise<ListedPage[]> {
  const { digits, root } = await requestIndex(baseUrl, options);
  const home = await fetchPage(baseUrl, root, options);
  if (home === undefined) return [];
  const names = Array.from({ length: 16 ** digits }, (_, k) => k.toString(16).padStart(digits, "0"));
  const ids = new Map<string, number>();
  await inTurn(names, async (name) => {
    for (const [path, found] of Object.entries(await requestAddresses(baseUrl, name, options)))
      if (typeof found === "number") ids.set(path.replace(/\\/$/, ""), found);
  });
  // A page without subpages has no list, so it is not requested.
  const parents = new Set(Array.from(ids.keys(), (path) => ids.get(path.slice(0, path.lastIndexOf("/"))) ?? root));
  const below = new Map<number, ListedPage[]>();
  await inTurn(Array.from(parents), async (id) => {
    below.set(id, await fetchChildren(baseUrl, id, options));
  });
  const { type, detail_url, html_url, slug, show_in_menus, first_published_at } = home.meta;
  const pages: ListedPage[] = [];
  const waiting: ListedPage[] = [
    { id: root, title: home.title, meta: { type, detail_url, html_url, slug, show_in_menus, first_published_at } },
  ];
  for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
    pages.push(page);
    for (const child of (below.get(page.id) ?? []).slice().reverse()) waiting.push(child);
  }
  return pages;
}

/** The id of the page at an address, or the address that replaces it. The last slash does not matter. */
async function destination(baseUrl: string, path: string, options: RequestOptions): Promise<number | { to: string } | undefined> {
  const { crypto, TextEncoder } = globalThis as unknown as Globals;
  const { digits } = await requestIndex(baseUrl, options);
  const written = path.replace(/[?#].*$/, "").replace(/[^!-~]+/g, encodeURIComponent);
  const start = written.replace(/\\/+$/, "");
  for (const address of [\`\${start}/\`, start]) {
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(address));
    const hex = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const found = (await requestAddresses(baseUrl, hex.slice(0, digits), options))[address];
    if (found !== undefined) return found;
  }
  return undefined;
}

async function requestIndex(baseUrl: string, options: RequestOptions): Promise<{ digits: number; root: number }> {
  const found = await request(baseUrl, "/index/index.json", options);
  if (found === undefined) throw new Error(\`\${baseUrl}: this site has no "index": true in _site.json\`);
  return found as { digits: number; root: number };
}

async function requestAddresses(
  baseUrl: string,
  name: string,
  options: RequestOptions,
): Promise<Record<string, number | { to: string } | undefined>> {
  return ((await request(baseUrl, \`/index/addresses/\${name}.json\`, options)) ?? {}) as Record<string, number | { to: string } | undefined>;
}

/** The value in a JSON file; undefined if there is no such file. */
async function request(baseUrl: string, path: string, { signal = null, draft = false }: RequestOptions): Promise<unknown> {
  const address = \`\${baseUrl.replace(/\\/+$/, "")}\${path}\${draft ? "?draft" : ""}\`;
  const response = await (globalThis as unknown as Globals).fetch(address, { signal });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(\`\${address}: \${response.status}\`);
  return response.json();
}

/** Does the same for each value, for eight of them at a time. */
async function inTurn<Value>(values: Value[], work: (value: Value) => Promise<void>): Promise<void> {
  for (let k = 0; k < values.length; k += 8) await Promise.all(values.slice(k, k + 8).map(work));
}

/** The used parts of the global objects, because not every project has types for them. */
interface Globals {
  fetch: (
    url: string,
    init: { signal: { readonly aborted: boolean } | null },
  ) => Promise<{ ok: boolean; status: number; json: () => Promise<unknown> }>;
  crypto: { subtle: { digest: (algorithm: string, data: unknown) => Promise<ArrayBuffer> } };
  TextEncoder: new () => { encode: (text: string) => unknown };
}
`;
