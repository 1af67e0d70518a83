import { beforeAll, describe, expect, it } from "vitest";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { agree, against, compareHosts, type AgainstOptions } from "../../build/verify/against.ts";
import { readJson } from "../files.ts";
import { built, place } from "../exchange/api/site.ts";
import { HEADERS, pagesOf, startWagtail, type Page, type WagtailOptions } from "../exchange/api/wagtail.ts";
import { SITE, write, writeSite } from "../site/site.ts";

const changeSome = (pages: Map<number, Page>): void => {
  pages.set(2, { ...(pages.get(2) as Page), title: "About us" });
  pages.delete(11);
  const { id, title, ...rest } = pages.get(12) as Page;
  pages.set(12, { title, id, ...rest });
};

const spoil: WagtailOptions["before"] = (path, _, response) => {
  if (path === "/api/v2/pages/2/") response.setHeader("Cache-Control", "max-age=60");
  if (!path.includes("9007199254740991")) return false;
  response.writeHead(404, { "Content-Type": "text/html" }).end("<h1>Not Found</h1>");
  return true;
};

/** Replaces the response for page 12. */
const responding =
  (text: string): NonNullable<WagtailOptions["before"]> =>
  (path, _, response) => {
    if (path !== "/api/v2/pages/12/") return false;
    response.writeHead(200, HEADERS).end(text);
    return true;
  };

const DEEP = `{"id":12,"x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;

describe("an old API and the new one, side by side", () => {
  const at = place();
  let out = "";
  beforeAll(async () => {
    writeSite(join(at.folder, "sources"));
    out = await built(at, join(at.folder, "sources"), join(at.folder, "public"));
  });
  const start = async (options: WagtailOptions = {}, change?: (pages: Map<number, Page>) => void) => {
    const pages = pagesOf(out);
    change?.(pages);
    return (await startWagtail(pages, { locale: false, ...options })).url;
  };
  const compared = async (old: URL, now: URL, more: Partial<AgainstOptions> = {}) =>
    compareHosts(old, { against: now, out, all: true, ...more });

  it("have no differences if they respond in the same way", async () => {
    const report = await compared(await start(), await start());
    expect(report.differences).toEqual([]);
    expect(agree(report)).toBe(true);
    expect(report.same).toBe(pagesOf(out).size);
  });

  it("every difference has a name, a count and an example", async () => {
    const report = await compared(await start({ locale: true }), await start({}, changeSome));
    const named = Object.fromEntries(report.differences.map(({ name, count }) => [name, count]));
    expect(named).toEqual({
      "meta.locale": pagesOf(out).size - 1,
      "order of the fields": 1,
      status: 1,
      title: 1,
    } satisfies Record<string, number>);
    expect(report.differences.find(({ name }) => name === "title")).toMatchObject({
      question: "GET /api/v2/pages/2/",
      old: '"About"',
      new: '"About us"',
    });
    const text = against(report);
    for (const { name } of report.differences) expect(text).toContain(name);
    expect(agree(report)).toBe(false);
  });

  it("includes pages that the old API has published since, by its own list endpoint", async () => {
    const old = await start({ cap: 3 }, (pages) => {
      pages.set(77, { ...(pages.get(12) as Page), id: 77 });
      pages.set(78, { ...(pages.get(12) as Page), id: 78, meta: { type: "news.NewsPage" } });
    });
    const report = await compared(old, await start());
    expect(report.pages).toBe(pagesOf(out).size + 1);
    expect(report.differences).toMatchObject([
      { name: "status", count: 1, question: "GET /api/v2/pages/77/", old: "200", new: "404" },
    ]);
    // If ids are given, only these pages are compared.
    expect((await compared(old, await start(), { ids: [12] })).differences).toEqual([]);
  });

  it("compares the pages below each page with the new API's files for websites", async () => {
    const sources = join(at.folder, "with-index");
    writeSite(sources);
    write(sources, "_site.json", { ...SITE, index: true });
    const now = await built(at, sources, join(at.folder, "with-index-public"));
    // The small server does not send these headers.
    const accept = ["Cache-Control", "Expires", "status"];
    const compareTo = async (change?: (pages: Map<number, Page>) => void) => {
      const report = await compareHosts(await start({ cap: 2 }, change), {
        against: now,
        out: now,
        all: true,
        accept,
      });
      return { ...report, differences: report.differences.filter(({ accepted }) => !accepted) };
    };
    const same = await compareTo();
    expect(same.differences).toEqual([]);
    expect(same.lists).toBe(readdirSync(join(now, "index/pages")).length);
    // A large section is in several files.
    const { id, children } = readJson(now, "index/pages/10.json") as { id: number; children: object[] };
    write(now, "index/pages/10.json", { id, total: 3, more: ["10-2.json"], children: children.slice(0, 1) });
    write(now, "index/pages/10-2.json", { id, children: children.slice(1) });
    expect((await compareTo()).differences).toEqual([]);
    const { differences } = await compareTo((pages) => {
      const page = pages.get(11) as Page;
      pages.set(11, { ...page, meta: { ...page.meta, slug: "other" } });
      pages.set(77, { ...page, id: 77, meta: { ...page.meta, type: "news.NewsPage" } });
    });
    expect(differences.map(({ name, count }) => [name, count])).toEqual([
      ["items[]", 1],
      ["items[].meta.slug", 1],
      ["meta.slug", 1],
    ]);
    expect(differences[0]).toMatchObject({ old: "77" });
    const { url } = await startWagtail(pagesOf(now), { cap: 2, locale: false, order: [13, 11] });
    const sorted = await compareHosts(url, { against: now, out: now, all: true, accept });
    expect(sorted.differences.filter(({ accepted }) => !accepted)).toMatchObject([
      { name: "order of the items", old: "13, 11, 12", new: "11, 12, 13" },
    ]);
  });

  it.each([
    ["a number that is rounded when it is read", "9007199254740993", "9007199254740992"],
    ["a key twice", '1,"x":2', "2"],
    ["minus zero", "-0", "0"],
  ])("%s is not the same", async (_, old, now) => {
    const report = await compared(
      await start({ before: responding(`{"id":12,"x":${old}}`) }),
      await start({ before: responding(`{"id":12,"x":${now}}`) }),
    );
    expect(report.differences.map(({ name }) => name)).toEqual(["strict JSON"]);
  });

  it("a deeply nested response counts as a difference", async () => {
    const report = await compared(await start({ before: responding(DEEP) }), await start());
    expect(report.differences.map(({ name }) => name)).toEqual(["body"]);
  });

  it("known differences can be accepted by name", async () => {
    const report = await compared(await start({ locale: true }), await start(), { accept: ["meta.locale"] });
    expect(report.differences).toMatchObject([{ name: "meta.locale", accepted: true }]);
    expect(agree(report)).toBe(true);
  });

  it("compares significant headers, and the 404", async () => {
    const report = await compared(await start(), await start({ before: spoil }));
    expect(report.differences.map(({ name }) => name).sort()).toEqual([
      "Cache-Control",
      "Content-Type",
      "body of a 404",
    ]);
  });

  it("uses only safe methods, and waits if the host requires it", async () => {
    const methods = new Set<string>();
    const before: WagtailOptions["before"] = (path, count, response) => {
      methods.add(response.req.method ?? "");
      if (count !== 4 || path === "") return false;
      response.writeHead(429, { "Retry-After": "0" }).end();
      return true;
    };
    const report = await compared(await start({ before }), await start());
    expect(report.differences).toEqual([]);
    expect([...methods].sort()).toEqual(["GET", "HEAD", "OPTIONS"]);
  });

  it("repeats a request if the response is truncated or HTML", async () => {
    let times = 0;
    const cut: WagtailOptions["before"] = (path, _, response) => {
      if (path !== "/api/v2/pages/12/" || ++times > 2) return false;
      response.writeHead(200).end(times === 1 ? '{"id":12,"meta":{' : "<!DOCTYPE html>");
      return true;
    };
    const report = await compared(await start({ before: cut }), await start());
    expect(report.differences).toEqual([]);
    expect(times).toBeGreaterThan(2);
  });
});
