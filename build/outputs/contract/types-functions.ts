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
    /** If the site has languages. */
    locale?: string;
  };
  /** The values of the fields that the type names in \`shown\` of _types.json. */
  shown?: { line?: string; date?: string; image?: string };
}

/** A page in the list of all pages. */
export interface SitePage extends ListedPage {
  /** The id of the page above it; null for a home page. */
  parent: number | null;
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

/** Requests the list of all pages: each is before its subpages, and the home page of each language before its pages. */
export async function fetchAllPages(baseUrl: string, options: RequestOptions = {}): Promise<SitePage[]> {
  const { root, roots = { main: root } } = await requestIndex(baseUrl, options);
  const ids = new Map<string, number>();
  for (const [path, found] of await requestAllAddresses(baseUrl, options))
    if (typeof found === "number") ids.set(path.replace(/\\/$/, ""), found);
  // A page without subpages has no list, so it is not requested.
  const parents = new Set(Array.from(ids.keys(), (path) => ids.get(path.slice(0, path.lastIndexOf("/"))) ?? root));
  const below = new Map<number, ListedPage[]>();
  await inTurn(Array.from(parents), async (id) => {
    below.set(id, await fetchChildren(baseUrl, id, options));
  });
  const pages: SitePage[] = [];
  for (const id of Object.values(roots)) {
    const home = await fetchPage(baseUrl, id, options);
    if (home === undefined) continue;
    const { type, detail_url, html_url, slug, show_in_menus, first_published_at } = home.meta;
    const locale = (home.meta as { locale?: string }).locale;
    const meta = { type, detail_url, html_url, slug, show_in_menus, first_published_at };
    const shown = cardOf(home);
    const waiting: SitePage[] = [
      { id, title: home.title, meta: locale === undefined ? meta : { ...meta, locale }, ...(shown && { shown }), parent: null },
    ];
    for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
      pages.push(page);
      for (const child of (below.get(page.id) ?? []).slice().reverse()) waiting.push({ ...child, parent: page.id });
    }
  }
  return pages;
}

/** What the type of a home page names in \`shown\`: home pages are in no list of subpages. */
function cardOf(home: Page): ListedPage["shown"] {
  const shown = Object.entries(SHOWN[home.meta.type] ?? {}).map(([name, [path, labels]]) => {
    let value: unknown = home;
    for (const step of path.split(".")) {
      if (Array.isArray(value) && !/^\\d+$/.test(step)) value = value[0];
      value = (value as Record<string, unknown> | null | undefined)?.[step];
    }
    const [first] = [value].flat();
    const text = typeof first === "string" || typeof first === "number" ? String(first) : "";
    return [name, labels?.[text] ?? text];
  });
  return shown.length === 0 ? undefined : (Object.fromEntries(shown) as ListedPage["shown"]);
}

/** Requests all old addresses of the website, each with the address that replaces it. */
export async function fetchRedirects(
  baseUrl: string,
  options: RequestOptions = {},
): Promise<{ from: string; to: string }[]> {
  const all = await requestAllAddresses(baseUrl, options);
  return all.flatMap(([from, found]) => (typeof found === "object" ? [{ from, to: found.to }] : []));
}

/** A page with only these fields, its id and its \`meta\`; with all fields, if none are named. */
export type PageWith<Type extends PageType, Field extends string> = [Field] extends [never]
  ? PageByType[Type]
  : { [Key in Type]: Pick<PageByType[Key], Extract<keyof PageByType[Key], Field | "id" | "meta">> }[Type];

/**
 * Requests all pages, or all of some types, from the bulk download, in a few large requests for a whole site. It needs
 * "bulk": true in _site.json, and has no drafts.
 *
 * @param fields the fields that are wanted besides \`id\` and \`meta\`
 */
export async function* fetchPages<
  Type extends PageType = PageType,
  Field extends { [Key in Type]: Extract<keyof PageByType[Key], string> }[Type] = never,
>(
  baseUrl: string,
  { type, fields, ...options }: Omit<RequestOptions, "draft"> & { type?: Type | readonly Type[]; fields?: readonly Field[] } = {},
): AsyncGenerator<PageWith<Type, Field>, undefined> {
  const types = type === undefined ? undefined : new Set<string>([type].flat());
  const wanted = fields === undefined ? undefined : new Set<string>(["id", "meta", ...fields]);
  // The shards of former releases that were read: a page is in the one whose number is its id modulo their number.
  const done: [count: number, read: number][] = [];
  let shards = await requestShards(baseUrl, options);
  let ahead: Promise<ArrayBuffer | null | undefined>[] = [];
  for (let k = 0; k < shards.length; k++) {
    // A few are requested while one is read, so that memory does not grow with the site.
    while (ahead.length < 4 && k + ahead.length < shards.length) {
      const next = requestShard(baseUrl, shards[k + ahead.length], options);
      next.catch(() => undefined);
      ahead.push(next);
    }
    const file = await ahead.shift();
    if (file === undefined) {
      // Another release was published in the meantime.
      if (done.push([shards.length, k]) > 3) throw new Error(\`\${baseUrl}: its bulk download has a file missing\`);
      shards = await requestShards(baseUrl, options);
      ahead = [];
      k = -1;
    } else if (file !== null)
      for await (const page of pagesInZip(file)) {
        if (done.some(([count, read]) => page.id % count < read)) continue;
        if (types !== undefined && !types.has(page.meta.type)) continue;
        const shown = Object.entries(page).filter(([name]) => wanted === undefined || wanted.has(name));
        yield Object.fromEntries(shown) as PageWith<Type, Field>;
      }
  }
}

type Shard = [name: string, bytes: number] | null | undefined;

/** A file of the bulk download; null if it has no pages, undefined if it is missing. */
async function requestShard(baseUrl: string, shard: Shard, options: RequestOptions): Promise<ArrayBuffer | null | undefined> {
  if (!shard) return null;
  return (await fetchFrom(baseUrl, \`/bulk/shards/\${shard[0]}.zip\`, options))?.arrayBuffer();
}

async function requestShards(baseUrl: string, options: RequestOptions): Promise<Shard[]> {
  const found = (await request(baseUrl, "/bulk/index.json", options)) as
    | { format: number; shards: Shard[] }
    | undefined;
  if (found?.format !== 1) throw new Error(\`\${baseUrl}: this site has no "bulk": true in _site.json\`);
  return found.shards;
}

/** Each entry is a header of 30 bytes, its name, and the deflated page; the directory follows the last one. */
async function* pagesInZip(file: ArrayBuffer): AsyncGenerator<Page, undefined> {
  const { Blob, DecompressionStream, Response, process } = globalThis as unknown as Globals;
  // On Node, a stream for each page takes several times as long.
  const zlib = process?.getBuiltinModule?.("node:zlib");
  const view = new DataView(file);
  const pages: Promise<Page>[] = [];
  for (let at = 0; view.getUint32(at, true) === 0x04034b50; ) {
    const from = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    const to = from + view.getUint32(at + 18, true);
    const bytes = new Uint8Array(file, from, to - from);
    at = to;
    if (zlib !== undefined) {
      yield JSON.parse(zlib.inflateRawSync(bytes).toString()) as Page;
      continue;
    }
    const stream = new Blob([bytes]).stream();
    pages.push(new Response(stream.pipeThrough(new DecompressionStream("deflate-raw"))).json() as Promise<Page>);
    // Side by side, because each waits for a thread.
    if (pages.length === 32) yield* await Promise.all(pages.splice(0));
  }
  yield* await Promise.all(pages);
}

/**
 * Rich text of a field with "raw": true, with addresses in place of Wagtail's links to pages (\`<a linktype="page" id="3">\`).
 * A link to an unknown page loses its address.
 *
 * @param addressOf the address of the page with an id, such as from \`fetchAllPages\`
 */
export function withAddresses(html: string, addressOf: (id: number) => string | undefined): string {
  return html.replace(/<a\\b[^>]*>/g, (tag) => {
    if (!/\\slinktype="page"/.test(tag)) return tag;
    const address = addressOf(Number(/\\sid="(\\d+)"/.exec(tag)?.[1]));
    const rest = tag.replace(/\\s(?:linktype|id)="[^"]*"/g, "");
    const href = (address ?? "").replace(/&/g, "&amp;").replace(/"/g, "&quot;");
    return address === undefined ? rest : rest.replace("<a", () => \`<a href="\${href}"\`);
  });
}

/** The id of the page at an address, or the address that replaces it. The last slash does not matter. */
async function destination(baseUrl: string, path: string, options: RequestOptions): Promise<number | { to: string } | undefined> {
  const { crypto, TextEncoder } = globalThis as unknown as Globals;
  const { digits } = await requestIndex(baseUrl, options);
  const plain = path.replace(/[?#].*$/, "").normalize("NFC");
  const written = plain.replace(/[^!-~]+/g, encodeURIComponent).replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
  const start = written.replace(/\\/+$/, "");
  for (const address of [\`\${start}/\`, start]) {
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(address));
    const hex = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const found = (await requestAddresses(baseUrl, hex.slice(0, digits), options))[address];
    if (found !== undefined) return found;
  }
  return undefined;
}

async function requestIndex(baseUrl: string, options: RequestOptions): Promise<{ digits: number; root: number; roots?: Record<string, number> }> {
  const found = await request(baseUrl, "/index/index.json", options);
  if (found === undefined) throw new Error(\`\${baseUrl}: this site has no "index": true in _site.json\`);
  return found as Awaited<ReturnType<typeof requestIndex>>;
}

async function requestAllAddresses(baseUrl: string, options: RequestOptions): Promise<[string, number | { to: string }][]> {
  const { digits } = await requestIndex(baseUrl, options);
  const names = Array.from({ length: 16 ** digits }, (_, k) => k.toString(16).padStart(digits, "0"));
  const all: [string, number | { to: string }][] = [];
  await inTurn(names, async (name) => {
    for (const [path, found] of Object.entries(await requestAddresses(baseUrl, name, options)))
      if (found !== undefined) all.push([path, found]);
  });
  return all;
}

async function requestAddresses(
  baseUrl: string,
  name: string,
  options: RequestOptions,
): Promise<Record<string, number | { to: string } | undefined>> {
  return ((await request(baseUrl, \`/index/addresses/\${name}.json\`, options)) ?? {}) as Record<string, number | { to: string } | undefined>;
}

/** The value in a JSON file; undefined if there is no such file. */
async function request(baseUrl: string, path: string, options: RequestOptions): Promise<unknown> {
  return (await fetchFrom(baseUrl, path, options))?.json();
}

async function fetchFrom(baseUrl: string, path: string, { signal = null, draft = false }: RequestOptions): Promise<Fetched | undefined> {
  const address = \`\${baseUrl.replace(/\\/+$/, "")}\${path}\${draft ? "?draft" : ""}\`;
  const response = await (globalThis as unknown as Globals).fetch(address, { signal });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(\`\${address}: \${response.status}\`);
  return response;
}

/** Does the same for each value, for eight of them at a time. */
async function inTurn<Value>(values: Value[], work: (value: Value) => Promise<void>): Promise<void> {
  for (let k = 0; k < values.length; k += 8) await Promise.all(values.slice(k, k + 8).map(work));
}

/** The used parts of the global objects, because not every project has types for them. */
interface Globals {
  fetch: (url: string, init: { signal: { readonly aborted: boolean } | null }) => Promise<Fetched>;
  crypto: { subtle: { digest: (algorithm: string, data: unknown) => Promise<ArrayBuffer> } };
  TextEncoder: new () => { encode: (text: string) => unknown };
  Blob: new (parts: Uint8Array[]) => { stream: () => { pipeThrough: (stream: unknown) => unknown } };
  DecompressionStream: new (format: string) => unknown;
  process?: { getBuiltinModule?: (name: string) => { inflateRawSync: (bytes: Uint8Array) => { toString: () => string } } };
  Response: new (body: unknown) => { json: () => Promise<unknown> };
}

interface Fetched {
  ok: boolean;
  status: number;
  json: () => Promise<unknown>;
  arrayBuffer: () => Promise<ArrayBuffer>;
}
`;
