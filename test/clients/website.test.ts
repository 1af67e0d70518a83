import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { build } from "../../build/site/build.ts";
import { runHere } from "../command.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { listening, type Listening } from "../listening.ts";
import { scratch } from "../scratch.ts";

/** The functions for websites, on a host that only sends files. */

const folder = scratch("website");
const [content, out] = [join(folder, "content"), join(folder, "out")];
const requested: string[] = [];
let host: Listening;
let base = "";

interface ListedPage {
  id: number;
  title: string;
  meta: { html_url: string };
  shown?: object;
}
let functions: {
  fetchPage: (base: string, id: unknown, options?: object) => Promise<ListedPage | undefined>;
  isPage: (page: unknown, type: string) => boolean;
  fetchPageAt: (base: string, path: string, options?: object) => Promise<ListedPage | undefined>;
  fetchRedirect: (base: string, path: string) => Promise<string | undefined>;
  fetchChildren: (base: string, id: number) => Promise<ListedPage[]>;
  fetchAllPages: (base: string) => Promise<(ListedPage & { parent: number | null })[]>;
  fetchRedirects: (base: string) => Promise<{ from: string; to: string }[]>;
  fetchPages: (base: string, options?: object) => AsyncIterable<ListedPage>;
  withAddresses: (html: string, addressOf: (id: number) => string | undefined) => string;
};

const realFetch = fetch;
/** What lists show of home pages, with a label of a choice, and the first element of a list. */
const TYPES = {
  types: {
    "home.HomePage": {
      fields: {
        season: { kind: "text", choices: { w: "Winter" }, default: "w" },
        pictures: { list: { fields: { file: "text" } } },
      },
      shown: { line: "season", image: "pictures.file" },
    },
  },
};
const printed = (id: number, type: string, title: string): string =>
  JSON.stringify({ id, meta: { type, first_published_at: "2026-01-01T00:00:00Z" }, title });
const read = (path: string): ListedPage => JSON.parse(readFileSync(path, "utf8")) as ListedPage;

beforeAll(async () => {
  cpSync(FIXTURE_SITE, content, { recursive: true });
  const site = join(content, "_site.json");
  const locales = { en: "English", cy: "Cymraeg" };
  writeFileSync(site, JSON.stringify({ ...read(site), index: true, bulk: true, locales }));
  writeFileSync(join(content, "_types.json"), JSON.stringify(TYPES));
  mkdirSync(join(content, "cy"));
  writeFileSync(join(content, "cy/index.json"), printed(77001, "home.HomePage", "Hafan"));
  writeFileSync(join(content, "cy/visit.json"), printed(77002, "standardpages.GeneralPage", "Ymweld"));
  const history = {
    moved: [
      { id: 10, address: "/plan-your-visit/" },
      { id: 10, address: "/caf%C3%A9/" },
    ],
    retired: [{ id: 9000, address: "/shop/", to: "https://shop.example.org/" }],
  };
  writeFileSync(join(content, "_history.json"), JSON.stringify(history));
  host = await listening(({ url = "" }, response) => {
    requested.push(url);
    const [path = ""] = url.split("?");
    const file = join(out, path.endsWith("/") ? `${path}index.json` : path);
    response
      .writeHead(url.endsWith("/999500/") ? 500 : existsSync(file) ? 200 : 404)
      .end(existsSync(file) ? readFileSync(file) : "");
  });
  base = host.url.origin;
  const { findings } = await build({ content, out, cache: join(folder, "cache"), baseUrl: base });
  if (findings.length > 0) throw new Error(JSON.stringify(findings));
  await runHere("types", ["--out", join(folder, "pages.ts"), "--content", content]);
  functions = (await import(pathToFileURL(join(folder, "pages.ts")).href)) as typeof functions;
});

afterAll(() => host.close());

const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;

async function collected<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

describe("the functions for pages", () => {
  it("return the page with an id, none for an unknown id, and throw otherwise", async () => {
    const { fetchPage, isPage } = functions;
    const home = await fetchPage(base, 3);
    expect(home).toEqual(read(join(out, "api/v2/pages/3/index.json")));
    expect(await fetchPage(`${base}/`, 999_999)).toBe(undefined);
    await expect(fetchPage(base, 999_500)).rejects.toThrow("500");
    await expect(fetchPage(base, 3, { signal: AbortSignal.abort() })).rejects.toThrow("abort");
    expect(isPage(home, "home.HomePage")).toBe(true);
    for (const other of [await fetchPage(base, 10), undefined, null, 1, {}, { meta: null }])
      expect(isPage(other, "home.HomePage")).toBe(false);
  });
});

describe("the functions for websites", () => {
  it.each([
    ["/", 3],
    ["/visit/", 10],
    ["/visit?from=menu#hours", 10],
    ["/plan-your-visit/", 10],
    ["/café", 10],
    ["/cafe\u0301/", 10],
    ["/caf%c3%a9/", 10],
    ["/caf%C3%A9/", 10],
    ["/shop/", undefined],
    ["/nothing/", undefined],
  ])("find the page at %s", async (path, id) => {
    expect((await functions.fetchPageAt(`${base}/`, path))?.id).toBe(id);
  });

  it("return the address that replaces an old one", async () => {
    expect(await functions.fetchRedirect(base, "/plan-your-visit")).toBe("/visit/");
    expect(await functions.fetchRedirect(base, "/shop/")).toBe("https://shop.example.org/");
    expect(await functions.fetchRedirect(base, "/visit/")).toBe(undefined);
  });

  it("list all old addresses", async () => {
    expect((await functions.fetchRedirects(base)).sort((a, b) => (a.from < b.from ? -1 : 1))).toEqual([
      { from: "/caf%C3%A9/", to: "/visit/" },
      { from: "/plan-your-visit/", to: "/visit/" },
      { from: "/shop/", to: "https://shop.example.org/" },
    ]);
  });

  it("read all pages from the bulk download, or the wanted fields of some types", async () => {
    const folders = readdirSync(join(out, "api/v2/pages")).filter((name) => /^\d+$/.test(name));
    const every = folders.map((id) => read(join(out, "api/v2/pages", id, "index.json")));
    requested.length = 0;
    const all = await collected(functions.fetchPages(`${base}/`));
    expect(all.sort(byId)).toEqual(every.sort(byId));
    expect(requested.length).toBeLessThan(10);
    const type = "artworks.ArtworkPage";
    const works = await collected(functions.fetchPages(base, { type, fields: ["title"] }));
    const expected = every.filter(({ meta }) => (meta as unknown as { type: string }).type === type);
    expect(works.length).toBeGreaterThan(10);
    expect(works.sort(byId)).toEqual(expected.map(({ id, meta, title }) => ({ id, meta, title })));
    await expect(functions.fetchPages(`${base}/nothing`)[Symbol.asyncIterator]().next()).rejects.toThrow(
      '"bulk": true',
    );
  });

  it("read each page once if another release is published meanwhile", async () => {
    const index = read(join(out, "bulk/index.json")) as unknown as { shards: unknown[] };
    const old = { ...index, shards: [...index.shards, ["gone", 1]] };
    let isFirst = true;
    const fetched = vi.spyOn(globalThis, "fetch").mockImplementation((...request) => {
      if (!(request[0] as string).endsWith("/bulk/index.json") || !isFirst) return realFetch(...request);
      isFirst = false;
      return Promise.resolve(Response.json(old));
    });
    const ids = (await collected(functions.fetchPages(base))).map(({ id }) => id);
    fetched.mockRestore();
    const folders = readdirSync(join(out, "api/v2/pages")).filter((name) => /^\d+$/.test(name));
    expect([isFirst, new Set(ids).size]).toEqual([false, folders.length]);
  });

  it("replace links to pages in rich text by addresses", () => {
    const written =
      '<p><a id="10" linktype="page">A</a> <a linktype="page" id="9" class="b">B</a> <a href="/c/">C</a></p>';
    expect(functions.withAddresses(written, (id) => (id === 10 ? "/visit/?a&b" : undefined))).toBe(
      '<p><a href="/visit/?a&amp;b">A</a> <a class="b">B</a> <a href="/c/">C</a></p>',
    );
  });

  it("list each page once, before its subpages and behind its parent", async () => {
    requested.length = 0;
    const all = await functions.fetchAllPages(base);
    expect(
      requested.filter((path) => path.startsWith("/index/pages/") && !existsSync(join(out, path))),
    ).toEqual([]);
    const ids = readdirSync(join(out, "api/v2/pages")).filter((name) => /^\d+$/.test(name));
    expect(all.map(({ id }) => String(id)).sort()).toEqual(ids.sort());
    const addresses = all.map(({ meta }) => meta.html_url);
    for (const [i, one] of addresses.entries()) {
      const above = addresses.indexOf(one.replace(/[^/]+\/$/, ""));
      expect(i === 0 || (above !== -1 && above < i)).toBe(true);
    }
    const [home] = all;
    const [child] = await functions.fetchChildren(base, 3);
    expect(all.slice(0, 2)).toEqual([
      { ...home, parent: null },
      { ...child, parent: 3 },
    ]);
    const homes = all.filter(({ parent }) => parent === null);
    expect(homes.map(({ shown }) => shown)).toEqual(homes.map(() => ({ line: "Winter", image: "" })));
    expect(Object.keys(home?.meta ?? {})).toEqual(Object.keys(child?.meta ?? {}));
    expect(await functions.fetchChildren(base, 11)).toEqual([]);
  });

  it("request drafts from a preview, and report a site without index", async () => {
    requested.length = 0;
    await functions.fetchPageAt(base, "/visit/", { draft: true });
    expect(requested.every((url) => url.endsWith("?draft"))).toBe(true);
    await expect(functions.fetchPageAt(`${base}/elsewhere`, "/")).rejects.toThrow('no "index": true');
  });
});
