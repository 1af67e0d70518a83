import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { formatJson } from "../../../build/source/json/format.ts";
import { runHere } from "../../command.ts";
import { filesBelow, readJson } from "../../files.ts";
import { masterImage, SITE, SMALL_SITE, work, write, writeImage, writeSite } from "../../site/site.ts";
import { built, expectWayBack, place, type Place } from "./site.ts";
import { pagesOf, startWagtail } from "./wagtail.ts";
import { refusal } from "../../refusal.ts";

const command = (...args: string[]) => runHere("import", args);

describe("npx page-api import", () => {
  let at: Place;
  let out = "";
  beforeEach(async () => {
    at = place();
    writeSite(join(at.folder, "sources"), SMALL_SITE);
    out = await built(at, join(at.folder, "sources"), join(at.folder, "public"));
  });

  it("imports a folder: exit status 0, sources in the project's layout, a report", async () => {
    const report = join(at.folder, "report.json");
    const ended = await command(out, "--content", at.content, "--report", report);
    expect(ended).toMatchObject({ status: 0, stderr: "" });
    expect(readJson(report)).toEqual({ written: pagesOf(out).size, left: [], fields: [], guesses: [] });
    const strange = filesBelow(at.content).filter((path) => {
      const text = readFileSync(join(at.content, path), "utf8");
      const source = JSON.parse(text) as { $schema: string };
      return text !== formatJson(source) || !existsSync(join(at.content, path, "..", source.$schema));
    });
    expect(strange).toEqual([]);
    await expectWayBack(at, out);
  });

  it("imports from a URL, and leaves out fields that the API does not have: exit status 1", async () => {
    const pages = pagesOf(out);
    const news = { ...(pages.get(2) as object), id: 99 };
    const meta = { type: "news.NewsPage", html_url: "https://www.example.org/news/", slug: "news" };
    pages.set(99, { ...news, id: 99, title: "News", meta: { ...meta, detail_url: "x", parent: null } });
    const host = await startWagtail(pages, { cap: 20 });
    const report = join(at.folder, "report.json");
    const ended = await command(`${host.url.href}api/v2/pages/`, "--content", at.content, "--report", report);
    expect(ended).toMatchObject({ status: 1, stderr: "" });
    const { written, left, fields } = readJson(report) as {
      written: number;
      left: object[];
      fields: object[];
    };
    expect(written).toBe(pages.size - 1);
    expect(left).toEqual([
      {
        id: 99,
        address: "https://www.example.org/news/",
        reason: expect.stringContaining("news.NewsPage") as string,
      },
    ]);
    expect(fields).toEqual([{ name: "meta.locale", pages: pages.size - 1 }]);
    await expectWayBack(at, out);
  });

  it("imports every type and field with --types: exit status 0, and the guesses in the report", async () => {
    const pages = pagesOf(out);
    const home = pages.get(1)!;
    const meta = { ...home.meta, type: "news.NewsPage", slug: "news", parent: pages.get(2)!.meta["parent"] };
    const addresses = {
      html_url: "https://www.example.org/news/",
      detail_url: "https://api.example.org/api/v2/pages/99/",
    };
    pages.set(99, { id: 99, meta: { ...meta, ...addresses }, title: "News", date: null });
    const host = await startWagtail(pages, { cap: 20 });
    const report = join(at.folder, "report.json");
    const ended = await command(host.url.href, "--types", "--content", at.content, "--report", report);
    expect(ended).toMatchObject({ status: 0, stderr: "" });
    expect(ended.stdout).toContain("Guesses in _types.json");
    expect(readJson(report)).toMatchObject({
      written: pages.size,
      left: [],
      fields: [],
      guesses: [{ field: "news.NewsPage: date" }],
    });
    const { $schema } = readJson(at.content, "_types.json") as {
      $schema: string;
    };
    expect(existsSync(join(at.content, $schema))).toBe(true);
  });

  it("has errors if the images of a copy cannot be reached: exit status 1, and the reason", async () => {
    const site = { ...SITE, base_url: "http://127.0.0.1:1", media_url: "http://127.0.0.1:1/media" };
    writeImage(join(at.folder, "sources"), "a.png");
    write(join(at.folder, "sources"), "_site.json", site);
    write(
      join(at.folder, "sources"),
      "works/_a/marsh.json",
      work(31, "M", { master_images: [masterImage("/a.png")] }),
    );
    await built(at, join(at.folder, "sources"), out);
    rmSync(join(out, "media"), { recursive: true });
    const ended = await command(out, "--content", at.content);
    expect(ended.status).toBe(1);
    expect(ended.stdout).toContain("nothing listens at this address");
    expect(ended.stderr).toContain(`npm run check -- --content ${at.content}`);
  });

  it.each([
    ["no source", []],
    ["two sources", ["a", "b"]],
    ["no folder there", ["nowhere"]],
    ["another protocol", ["ftp://example.org"]],
    ["a file of the disk", ["file:///etc"]],
    ["a password", ["https://a:b@example.org"]],
    ["a query", ["https://example.org/?a=b"]],
    ["ids of a folder", [".", "--ids", "1"]],
    ["ids that are none", ["http://127.0.0.1:9", "--ids", "1-x"]],
    ["ids from high to low", ["http://127.0.0.1:9", "--ids", "5-1"]],
    ["too many ids", ["http://127.0.0.1:9", "--ids", "1-9007199254740991"]],
    ["concurrency 0", ["http://127.0.0.1:9", "--concurrency", "0"]],
    ["an unknown option", [".", "--force"]],
    ["types in no file", [".", "--types", "nowhere.json"]],
    ["a source behind --types", ["--types", "https://example.org"]],
    ["no server", ["http://127.0.0.1:9"]],
  ])("fails with %s: exit status 2, nothing written", async (_, args) => {
    expect(await command(...args, "--content", at.content)).toMatchObject(refusal());
    expect(existsSync(at.content)).toBe(false);
  });

  it("fails if the API has no page: exit status 2, the reasons are listed, and nothing is written", async () => {
    const pages = pagesOf(out);
    const orphan = pages.get(2)!;
    const alone = new Map([[2, { ...orphan, meta: { ...orphan.meta, parent: null } }]]);
    const host = await startWagtail(alone, { cap: 20 });
    const report = join(at.folder, "report.json");
    const some = await command(host.url.href, "--content", at.content, "--report", report);
    expect(some).toMatchObject({ status: 2, stdout: expect.stringContaining("page 2") as string });
    expect(readJson(report)).toMatchObject({ written: 0, left: [{ id: 2 }] });
    expect(existsSync(at.content)).toBe(false);
    const empty = await startWagtail(new Map(), { cap: 20 });
    mkdirSync(at.content);
    expect(await command(empty.url.href, "--content", at.content)).toMatchObject({ status: 2 });
    expect(readdirSync(at.content)).toEqual([]);
  });

  it("keeps the import if the report cannot be written: exit status 2", async () => {
    const ended = await command(out, "--content", at.content, "--report", "/dev/full");
    expect(ended).toMatchObject({ status: 2 });
    expect(ended.stdout).toContain("written");
    await expectWayBack(at, out);
  });

  it("refuses a folder that is not empty, and a report inside the content folder", async () => {
    mkdirSync(at.content);
    expect(await command(out, "--content", at.content, "--report", join(at.content, "r.json"))).toMatchObject(
      refusal(),
    );
    expect(readdirSync(at.content)).toEqual([]);
    writeFileSync(join(at.content, "mine.txt"), "mine");
    expect((await command(out, "--content", at.content)).status).toBe(2);
    expect(readdirSync(at.content)).toEqual(["mine.txt"]);
  });
});
