import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { pathOf } from "../../../build/base/api.ts";
import { Failure } from "../../../build/base/failure.ts";
import { ResponseCache, openApiClient } from "../../../build/exchange/api/client.ts";
import { summary, type ImportReport } from "../../../build/exchange/api/report.ts";
import { runHere } from "../../command.ts";
import { filesBelow, readJson, treeOf } from "../../files.ts";
import { masterImage, SITE, work, write, writeImage, writeSite } from "../../site/site.ts";
import { built, expectWayBack, imported, place, type Place } from "./site.ts";
import { pagesOf, startWagtail, type Page, type WagtailOptions } from "./wagtail.ts";

const failureOf = async (importing: Promise<unknown>): Promise<string> => {
  const cause: unknown = await importing.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(cause).toBeInstanceOf(Failure);
  return (cause as Failure).message;
};

type Respond = NonNullable<WagtailOptions["before"]>;

/** Sends another response to some requests. */
const instead =
  (
    isMeant: (path: string, count: number) => boolean,
    respond: (...of: Parameters<Respond>) => void,
  ): Respond =>
  (...request) => {
    if (!isMeant(request[0], request[1])) return false;
    respond(...request);
    return true;
  };

const sends =
  (code: number, headers: Record<string, string> = {}, body = ""): Respond =>
  (_, __, response) =>
    void response.writeHead(code, headers).end(body);

/** The ids of the pages that are not written, with the reasons. */
const leftIn = ({ left }: ImportReport) => left.map(({ id, code }) => [id, code]);

const moved = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll("www.example.org/visit/", "www.example.org/your-visit/")
      .replace('"slug":"visit"', '"slug":"your-visit"'),
  ) as T;

describe("a crawl", () => {
  let at: Place;
  let out = "";
  let pages = new Map<number, Page>();
  beforeEach(async () => {
    at = place();
    writeSite(join(at.folder, "sources"));
    // An output contains no drafts.
    out = await built(at, join(at.folder, "sources"), join(at.folder, "public"));
    pages = pagesOf(out);
  });
  const start = (options: WagtailOptions) => startWagtail(pages, options);
  const every = (): { from: number; to: number }[] => [...pages.keys()].map((id) => ({ from: id, to: id }));

  it("writes meta.order for pages that the host lists in another order than that of ids", async () => {
    const sources = join(at.folder, "sources");
    write(sources, "_site.json", { ...SITE, index: true });
    await built(at, sources, out);
    const { url } = await start({ cap: 2, order: [13, 11, 31] });
    expect((await imported(at, url)).left).toEqual([]);
    const orders = filesBelow(at.content).flatMap((path) => {
      const { meta } = readJson(at.content, path) as { meta?: { order?: number } };
      return meta?.order === undefined ? [] : [[path, meta.order]];
    });
    expect(orders).toEqual([["visit/rooms/index.json", 1]]);
    // From an output with files for websites, too.
    write(at.content, "_site.json", { ...SITE, index: true });
    await built(at, at.content, at.again);
    const again = { ...at, content: join(at.folder, "twice") };
    await imported(again, at.again);
    expect(treeOf(again.content)["visit/rooms/index.json"]).toBe(
      treeOf(at.content)["visit/rooms/index.json"],
    );
  });

  it("learns the list endpoint's maximum from a host that returns fewer pages than requested", async () => {
    const { url } = await start({ cap: 5, clamps: true });
    const report = await imported(at, url);
    expect(report.left).toEqual([]);
    await expectWayBack(at, out);
  });

  it("lists the pages that the list endpoint counts but does not return, with exit status 1", async () => {
    const { url } = await start({
      cap: 20,
      before: instead(
        (path) => path.includes("?") && !path.includes("type="),
        (_, __, response) => {
          const { id, meta, title } = pages.get(2) as Page;
          response.end(JSON.stringify({ meta: { total_count: 90 }, items: [{ id, meta, title }] }));
        },
      ),
    });
    const report = await imported(at, url);
    expect(leftIn(report)).toContainEqual([null, "unavailable"]);
  });

  it("reports the response of a host that refuses its list endpoint", async () => {
    const { url } = await start({
      cap: 20,
      before: instead(() => true, sends(403, {}, JSON.stringify({ detail: "Not you." }))),
    });
    const why = await failureOf(imported(at, url));
    expect(why).toContain("403");
    expect(why).toContain("Not you.");
  });

  it("continues after an interruption, and requests no page twice", async () => {
    let isDown = true;
    const { url, asked } = await start({
      before: (_, count, response) => {
        if (!isDown || count <= 6) return false;
        response.destroy();
        return true;
      },
    });
    const why = await failureOf(imported(at, url, { ids: every(), concurrency: 1 }));
    expect(why).toContain("continues where it stopped");
    expect(existsSync(at.content)).toBe(false);
    const before = new Set(asked.slice(0, 6));
    isDown = false;
    asked.length = 0;
    const report = await imported(at, url, { ids: every() });
    expect(report.left).toEqual([]);
    expect(asked.filter((path) => before.has(path))).toEqual([]);
    expect(asked.length).toBe(pages.size - 6);
    await expectWayBack(at, out);
    expect(readdirSync(join(at.folder, "answers"))).toEqual([]);
  });

  it("gives up on pages whose responses never end, and on no others", async () => {
    const { url: address } = await start({ before: (path) => /\/(11|12)\/$/.test(path) });
    const cache = new ResponseCache(join(at.folder, "answers"));
    const client = openApiClient({
      address,
      cache,
      concurrency: 1,
      timeout: 300,
      wait: () => Promise.resolve(),
    });
    const kinds: string[] = [];
    for (const id of [11, 12, 13]) kinds.push((await client.request(pathOf(id))).kind);
    client.close();
    expect(kinds).toEqual(["failed", "failed", "found"]);
  });

  it("lists a page that the host never returns, with its subpages, and writes the others", async () => {
    const error = sends(500, {}, "<h1>Server Error</h1>");
    const { url } = await start({ before: instead((path) => path === "/api/v2/pages/13/", error) });
    const report = await imported(at, url, { ids: every() });
    expect(leftIn(report)).toEqual([
      [13, "unavailable"],
      [14, "unpublished"],
      [15, "unpublished"],
    ]);
    expect(report.written).toBe(pages.size - 3);
  });

  it("distinguishes many broken pages from a host that is down", async () => {
    const broken = [11, 12, 13, 14, 15, 22, 31, 32, 33, 34];
    const isBroken = (path: string): boolean => broken.some((id) => path.endsWith(`/${id}/`));
    const { url } = await start({ before: instead(isBroken, sends(500)) });
    const report = await imported(at, url, { ids: every() });
    expect(report.left.map(({ id }) => id).sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(broken);
    expect(report.written).toBe(pages.size - broken.length);
  });

  it("ends, even if a list is endless or every parent page has a parent page", async () => {
    const endless = await start({
      cap: 20,
      before: instead(
        (path) => path.includes("?"),
        (_, __, response) => response.end(JSON.stringify({ meta: { total_count: 1e15 }, items: [] })),
      ),
    });
    expect(await failureOf(imported(at, endless.url))).toContain("--ids");
    const tower = await start({
      before: instead(
        () => true,
        (path, _, response) => {
          const id = Number(/(\d+)\/$/.exec(path)?.[1]);
          const meta = { type: "standardpages.GeneralPage", slug: `p${id}`, parent: { id: id + 1 } };
          response.end(JSON.stringify({ id, meta, title: "x" }));
        },
      ),
    });
    const report = await imported(at, tower.url, { ids: [{ from: 1, to: 1 }] });
    expect(report.written).toBe(0);
  });

  it("requests pages by id if a list request fails", async () => {
    const { url, asked } = await start({
      cap: 4,
      before: instead((path) => path.includes("artworks.ArtworkPage"), sends(500)),
    });
    const report = await imported(at, url);
    expect(report.left).toEqual([]);
    const single = asked.flatMap((path) => /\/(\d+)\/$/.exec(path)?.[1] ?? []);
    expect(single.sort()).toEqual(["31", "32", "33", "34"]);
    await expectWayBack(at, out);
  });

  it("pages that are added and removed while a list is read, and a draft with subpages", async () => {
    const [bog, fen] = [pages.get(33) as Page, pages.get(34) as Page];
    pages.delete(34);
    const { url } = await start({
      cap: 3,
      before: (path) => {
        // After the list of works.
        if (!path.includes("type=artworks.ArtworkIndexPage")) return;
        pages.set(fen.id, fen);
        pages.delete(bog.id);
        pages.delete(21);
      },
    });
    const report = await imported(at, url);
    expect(leftIn(report)).toEqual([
      [33, "missing"],
      [22, "unpublished"],
    ]);
    await built(at, at.content, at.again);
    expect(new Set(pagesOf(at.again).keys())).toEqual(new Set([...pages.keys()].filter((id) => id !== 22)));
  });

  it("a section that moves during the import has its latest address", async () => {
    let isMoved = false;
    const { url } = await start({
      cap: 100,
      // After the list of sections.
      before: (path) => {
        if (!path.includes("type=home.HomePage") || isMoved) return;
        isMoved = true;
        for (const [id, page] of pages) pages.set(id, { ...page, meta: moved(page.meta) });
        pages.set(12, { ...(pages.get(12) as Page), title: "The new shop" });
      },
    });
    const report = await imported(at, url);
    expect(report.left).toEqual([]);
    await built(at, at.content, at.again);
    expect(pagesOf(at.again)).toEqual(pages);
  });

  it("requests pages that redirect elsewhere once, and ends if the first five pages do", async () => {
    const { url, asked } = await start({
      cap: 20,
      before: (path, ...more) => {
        sends(301, { Location: `https://other.example/cms${path}` })(path, ...more);
        return true;
      },
    });
    const ids = [{ from: 1, to: 5000 }];
    for (const options of [{ ids, concurrency: 1 }, {}]) {
      const why = await failureOf(imported(at, url, options));
      expect(why).toContain("Give this URL instead: https://other.example/cms");
    }
    // Five pages, then the list.
    expect(asked).toHaveLength(6);
    expect(new Set(asked).size).toBe(6);
    const login = sends(302, { Location: "https://login.example/?next=/" });
    const elsewhere = await start({ before: instead(() => true, login) });
    expect(await failureOf(imported(at, elsewhere.url, { ids }))).toContain("in front of /api/v2/pages/");
  });

  it("requests smaller lists at once if a list is too large, and remembers the size", async () => {
    const { url, asked } = await start({
      cap: 100,
      before: instead(
        (path) => path.includes("fields=*") && Number(/limit=(\d+)/.exec(path)?.[1]) > 10,
        (_, __, response) => response.end(Buffer.alloc(4 * 2 ** 20 + 1, " ")),
      ),
    });
    const report = await imported(at, url, { concurrency: 1 });
    expect(report.left).toEqual([]);
    await expectWayBack(at, out);
    const large = asked.map((path) => Number(/limit=(\d+)/.exec(path)?.[1])).filter((limit) => limit > 10);
    expect(large).toEqual([100, 100, 50, 25, 12]);
  });

  /** Imports from a host with the API, the website and the media. */
  const importedFromOne = async (path: string, media: string) => {
    const images = [masterImage("/a/b%20c.png"), masterImage("/d.png")];
    write(join(at.folder, "sources"), "works/_a/marsh.json", work(31, "Marsh", { master_images: images }));
    await built(at, join(at.folder, "sources"), out);
    const [, below = ""] = /\/media(\/.*)$/.exec(media) ?? [];
    for (const name of ["a/b c.png", "d.png"]) writeImage(at.folder, join(below, name));
    const text = JSON.stringify([...pagesOf(out)])
      .replaceAll("https://api.example.org", `https://www.example.org${path}`)
      .replaceAll("https://media.example.org", `https://www.example.org${media}`);
    pages = new Map(JSON.parse(text) as [number, Page][]);
    const { url } = await start({ cap: 20, prefix: path, images: join(at.folder, "_media") });
    return runHere("import", [`${url.origin}${path}/api/v2/pages/`, "--content", at.content]);
  };

  it.each([
    ["", "/media"],
    ["/cms", "/media"],
    ["/cms", "/cms/media"],
    ["/api/cms", "/api/cms/media"],
    ["", "/media/images"],
  ])("imports an API at “%s” and media at %s of the website's host", async (path, media) => {
    expect(await importedFromOne(path, media)).toMatchObject({ status: 0, stderr: "" });
    await built(at, at.content, at.again);
    expect(pagesOf(at.again)).toEqual(pages);
  });

  it("reports images of the API's host that a build cannot publish at their addresses", async () => {
    const { status, stdout, stderr } = await importedFromOne("", "/uploads");
    expect(status).toBe(1);
    expect(stdout).toContain("not the address of an image below https://www.example.org/media/");
    expect(stderr).toMatch(/The sources have \d+ errors/);
  });

  it("has errors if images of its own host are missing or are no images: exit status 1", async () => {
    const images = ["a.png", "b.png"].map((name) => masterImage(`https://api.example.org/media/${name}`));
    pages.set(31, Object.assign({}, pages.get(31), { master_images: images }));
    const { url } = await start({
      cap: 20,
      before: (path, _, response) => {
        if (path === "/media/a.png") response.end("<!doctype html>");
        else if (path === "/media/b.png") response.writeHead(404).end();
        return path.startsWith("/media/");
      },
    });
    const ended = await runHere("import", [url.href, "--content", at.content]);
    expect(ended).toMatchObject({ status: 1, stderr: expect.stringContaining("npm run check") as string });
    expect(ended.stdout).toContain(
      "2 not copied, such as https://api.example.org/media/a.png: it is an HTML page",
    );
    expect(ended.stdout).not.toContain("not written");
    expect(ended.stderr).toContain("The sources have 4 errors");
  });

  it("reports that a host without a list endpoint needs ids, and that a host does not respond", async () => {
    const host = await start({});
    expect(await failureOf(imported(at, host.url))).toContain("--ids");
    await host.close();
    expect(await failureOf(imported(at, host.url))).toContain(host.url.origin);
    expect(existsSync(at.content)).toBe(false);
  });

  it("missing ids: single ones are listed, those of ranges are counted", async () => {
    const { url } = await start({});
    const report = await imported(at, url, {
      ids: [
        { from: 1, to: 40 },
        { from: 77, to: 77 },
      ],
    });
    expect(leftIn(report)).toEqual([[77, "missing"]]);
    expect(report.notes).toContain(`${40 - pages.size} of the requested ids have no page.`);
    expect(summary(report)).toContain("1  not written: the host has no such page\n");
  });
});
