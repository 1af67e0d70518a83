import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CMSClient } from "wagtail-js";
import { send } from "../../build/hosting/responder.ts";
import { startPreview } from "../dev/preview.ts";
import { listening } from "../listening.ts";
import { general, page, placeWith, SITE, work } from "../site/site.ts";
import { bucketOf, publishTo, readerOf } from "../release/memory.ts";

/*
 * wagtail-js is a client written for Wagtail's API; the test does not modify it. It requests pages and lists from the two
 * programs that respond for a site with an index.
 */

interface Program {
  base: string;
  close: () => Promise<void>;
}

const dated = (id: number, type: string, title: string, meta: object) => ({
  id,
  meta: { type, ...meta },
  title,
});

const GENERAL = "standardpages.GeneralPage";
const PUBLISHED = { first_published_at: "2026-03-01T09:00:00+01:00" };
const SOURCES = {
  "_site.json": { ...SITE, index: true, bulk: true },
  "_history.json": { moved: [{ id: 10, address: "/plan/" }] },
  "index.json": page(1, "home.HomePage", "Welcome"),
  "visit/index.json": dated(10, GENERAL, "Visit", { show_in_menus: true, ...PUBLISHED }),
  "visit/hours.json": general(11, "Opening hours"),
  "visit/_cafe.json": dated(30, GENERAL, "Café", { order: 1 }),
  "art/index.json": page(20, "artworks.ArtworkIndexPage", "Art"),
  "art/_d/marsh.json": work(21, "Marsh"),
  "art/_d/heath.json": work(22, "Heath"),
};

const place = () => placeWith("wagtail-js", SOURCES);

async function bucketServer(): Promise<Program> {
  const bucket = bucketOf();
  const reader = readerOf(bucket);
  const { url, close } = await listening((request, response) => {
    const { method = "", url: target = "", headers } = request;
    const header = (name: string) => headers[name]?.toString();
    void reader.respond({ method, target, header }).then((made) => send(made, method, response));
  });
  await publishTo(bucket, { ...place(), baseUrl: url.origin });
  return { base: url.origin, close };
}

async function preview(): Promise<Program> {
  const { baseUrl, close } = await startPreview(place());
  return { base: baseUrl, close };
}

describe.each([
  ["the bucket server", bucketServer],
  ["dev", preview],
])("wagtail-js with %s", (name, start) => {
  let program: Program;
  let client: CMSClient;
  const titles = async (query: object): Promise<[number, string[]]> => {
    const { meta, items } = await client.fetchPages({ ...query });
    return [meta.total_count, items.map(({ title }) => title)];
  };

  beforeAll(async () => {
    program = await start();
    client = new CMSClient({ baseURL: program.base, apiPath: "/api/v2", cache: "no-store" });
  });
  afterAll(() => program.close());

  it("fetches a page, with and without query parameters, and finds none for an unknown id", async () => {
    const silenced = (["group", "log"] as const).map((one) => vi.spyOn(console, one).mockReturnValue());
    const visit = { id: 10, title: "Visit", meta: { slug: "visit", parent: { id: 1 }, ...PUBLISHED } };
    expect(await client.fetchPage(10)).toMatchObject(visit);
    expect(await client.fetchPage(10, { fields: ["*"] })).toMatchObject(visit);
    expect(await client.fetchPage(99)).toMatchObject({
      message: "Page not found",
      data: { code: "REQUEST_FAILED" },
    });
    for (const spy of silenced) spy.mockRestore();
  });

  it("lists the pages below a page, with all that it filters by", async () => {
    expect(await titles({ child_of: 1 })).toEqual([2, ["Visit", "Art"]]);
    expect(await titles({ child_of: 20, type: "artworks.ArtworkPage" })).toEqual([2, ["Marsh", "Heath"]]);
    expect(await titles({ child_of: 20, limit: 1, offset: 1 })).toEqual([2, ["Heath"]]);
    expect(await titles({ child_of: 20, slug: "marsh" })).toEqual([1, ["Marsh"]]);
    expect(await titles({ child_of: 1, show_in_menus: true })).toEqual([1, ["Visit"]]);
    const [item] = (await client.fetchPages({ child_of: 1 })).items;
    expect(item).toEqual({
      id: 10,
      title: "Visit",
      meta: {
        type: "standardpages.GeneralPage",
        detail_url: `${program.base}/api/v2/pages/10/`,
        html_url: "https://www.example.org/visit/",
        slug: "visit",
        show_in_menus: true,
        first_published_at: "2026-03-01T09:00:00+01:00",
      },
    });
  });

  it("is refused what Wagtail would refuse, or what needs a database", async () => {
    const silenced = (["group", "log"] as const).map((one) => vi.spyOn(console, one).mockReturnValue());
    for (const query of [
      { child_of: 1, search: "art" },
      { child_of: 1, order: "colour" },
      { type: "home.OtherPage" },
    ])
      await expect(client.fetchPages(query)).rejects.toMatchObject({ code: "REQUEST_FAILED" });
    for (const spy of silenced) spy.mockRestore();
    const response = await fetch(`${program.base}/api/v2/pages/?child_of=1&colour=red`);
    expect([response.status, await response.json()]).toEqual([
      400,
      { message: "query parameter is not an operation or a recognised field: colour" },
    ]);
    expect(response.headers.get("Cache-Control")).toContain("no-store");
  });

  it("is led to the page at an address, with HEAD too", async () => {
    const find = (path: string, method = "GET") =>
      fetch(`${program.base}/api/v2/pages/find/?html_path=${path}`, { method });
    for (const path of ["/visit/", "/visit", "/plan/"])
      expect(await (await find(path)).json()).toMatchObject({ id: 10 });
    expect((await find("/visit/", "HEAD")).url).toBe(`${program.base}/api/v2/pages/10/`);
    const missing = await find("/visit/cafe/");
    expect([missing.status, await missing.json()]).toEqual([404, { message: "not found" }]);
  });

  it("finds the files for websites and the bulk download", async () => {
    for (const path of [
      "index/index.json",
      "index/pages/10.json",
      "index/addresses/0.json",
      "bulk/index.json",
    ])
      expect((await fetch(`${program.base}/${path}`)).status).toBe(200);
    for (const path of ["index/pages/30.json", "index/_site.json", "index/pages/..%2f..%2fapi"])
      expect((await fetch(`${program.base}/${path}`)).status).toBe(404);
  });

  it.runIf(name === "dev")("includes drafts with ?draft", async () => {
    const json = async (path: string) => (await fetch(program.base + path)).json();
    expect(await titles({ child_of: 10 })).toEqual([1, ["Opening hours"]]);
    expect(await titles({ child_of: 10, draft: true })).toEqual([2, ["Café", "Opening hours"]]);
    expect(await titles({ child_of: 11, draft: true })).toEqual([0, []]);
    expect(await json("/api/v2/pages/30/?draft")).toMatchObject({ id: 30, title: "Café" });
    expect(await json("/api/v2/pages/30?draft&x=1")).toMatchObject({ id: 30 });
    expect(await json("/api/v2/pages/find/?html_path=/visit/cafe/&draft")).toMatchObject({ id: 30 });
    expect(((await json("/index/pages/10.json?draft")) as { children: object[] }).children).toHaveLength(2);
    expect((await fetch(`${program.base}/api/v2/pages/30/`)).status).toBe(404);
  });
});
