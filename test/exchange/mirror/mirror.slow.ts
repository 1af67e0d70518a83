import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { takeLock } from "../../../build/base/lock.ts";
import { mirror, type MirrorOptions, type MirrorReport } from "../../../build/exchange/mirror.ts";
import { build } from "../../../build/site/build.ts";
import type { BulkIndex } from "../../../build/outputs/shards/format.ts";
import { nameOf, zip } from "../../../build/outputs/shards/zip.ts";
import { runHere } from "../../command.ts";
import { treeOf } from "../../files.ts";
import { apply, editsOf, SOURCE_KINDS } from "../../site/edits.ts";
import { BULK_SITE, general } from "../../site/site.ts";
import { serveFolder, type FolderHost } from "./host.ts";
import { runsOf, seedOf } from "../../runs.ts";
import { placeOfEachTest } from "../../each.ts";

/** With four pages in a shard, a small site has several shards. */
vi.mock(import("../../../build/outputs/shards/format.ts"), async (original) => ({
  ...(await original()),
  shardCount: (pages) => 2 ** Math.max(0, Math.ceil(Math.log2(pages / 4))),
}));

const place = placeOfEachTest("mirror", BULK_SITE);
let host: FolderHost;
let copy: string;
beforeEach(async () => {
  copy = join(place.folder, "copy");
  await build(place);
  host = await serveFolder(place.out);
});

afterEach(async () => {
  await host.close();
  place.remove();
});

const run = (options: Partial<MirrorOptions> = {}): Promise<MirrorReport> =>
  mirror({ url: host.url, folder: copy, concurrency: 2, wait: () => Promise.resolve(), ...options });

const pagesIn = (folder: string) => treeOf(folder, /^api\/v2\/pages\/\d+\/index\.json$/);

const expectEqual = (): void => expect(pagesIn(copy)).toEqual(pagesIn(place.out));
const indexOf = (): BulkIndex => place.publishedJson("bulk/index.json") as BulkIndex;
const shardPaths = (): string[] => host.requested.filter((path) => path.endsWith(".zip"));

describe("a mirror", () => {
  it("has every page, and if no page has changed downloads only the index", async () => {
    const report = await run();
    expect(report).toMatchObject({ pages: 16, removed: [], damaged: [] });
    expect(report.written).toHaveLength(16);
    expectEqual();
    host.requested.length = 0;
    expect(await run()).toMatchObject({ pages: 16, written: [], removed: [], damaged: [], requests: 1 });
    expect(host.requested).toEqual(["/bulk/index.json"]);
  });

  it("downloads only the shard of a changed page, and rewrites only this page", async () => {
    await run();
    const before = statSync(join(copy, "api/v2/pages/11/index.json")).ino;
    place.put("about.json", general(2, "Another title"));
    await build(place);
    host.requested.length = 0;
    expect(await run()).toMatchObject({ written: [2], removed: [] });
    expect(shardPaths()).toHaveLength(1);
    expectEqual();
    expect(statSync(join(copy, "api/v2/pages/11/index.json")).ino).toBe(before);
  });

  it("removes pages that no longer exist, and keeps third-party files beside them", async () => {
    await run();
    writeFileSync(join(copy, "api/v2/pages/2/notes.txt"), "mine");
    place.drop("about.json");
    place.drop("works/_b/bog.json");
    await build(place);
    expect(await run()).toMatchObject({ pages: 14, written: [], removed: [2, 33] });
    expectEqual();
    expect(readFileSync(join(copy, "api/v2/pages/2/notes.txt"), "utf8")).toBe("mine");
    expect(existsSync(join(copy, "api/v2/pages/33"))).toBe(false);
  });

  it("equals the release after random edits", async () => {
    // The others write another `_site.json`, without the bulk download.
    const kinds = SOURCE_KINDS.filter((kind) => !["site", "breakSite", "restore"].includes(kind));
    const rounds = fc.array(editsOf([kinds], { minLength: 1, maxLength: 4 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(rounds, async (all) => {
        rmSync(place.content, { recursive: true });
        place.putAll(BULK_SITE);
        for (const edits of all) {
          for (const one of edits) apply(place, one);
          await build(place);
          expect((await run()).damaged).toEqual([]);
          expectEqual();
        }
      }),
      { numRuns: runsOf(12), seed: seedOf(1) },
    );
  });

  it("repairs local damage", async () => {
    await run();
    writeFileSync(join(copy, "api/v2/pages/11/index.json"), "{}");
    rmSync(join(copy, "api/v2/pages/12"), { recursive: true });
    mkdirSync(join(copy, "api/v2/pages/77"));
    writeFileSync(join(copy, "api/v2/pages/77/index.json"), "{}");
    expect(await run({ isCheck: true })).toMatchObject({ written: [11, 12], removed: [77] });
    expect(readFileSync(join(copy, "api/v2/pages/11/index.json"), "utf8")).toBe("{}");
    expect(await run()).toMatchObject({ written: [11, 12], removed: [77] });
    expectEqual();
  });

  it("continues an interrupted run with the missing shards", async () => {
    let shards = 0;
    host.lie = (path, response) => {
      if (!path.endsWith(".zip") || ++shards <= 2) return false;
      response.statusCode = 403;
      response.destroy();
      return true;
    };
    await expect(run({ concurrency: 1 })).rejects.toThrow(/Run the same command again/);
    const some = Object.keys(pagesIn(copy)).length;
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(16);
    host.lie = () => false;
    host.requested.length = 0;
    expect((await run()).damaged).toEqual([]);
    expect(shardPaths()).toHaveLength(indexOf().shards.filter((shard) => shard !== null).length - 2);
    expectEqual();
  });

  it("reads the index again if a shard is missing because another release was published", async () => {
    const old = readFileSync(join(place.out, "bulk/index.json"));
    place.put("about.json", general(2, "Another title"));
    await build(place);
    let readings = 0;
    host.lie = (path, response) => {
      if (path !== "/bulk/index.json" || ++readings > 2) return false;
      response.end(old);
      return true;
    };
    expect(await run()).toMatchObject({ pages: 16, damaged: [] });
    expect(readings).toBe(3);
    expectEqual();
  });

  it("lists a shard as missing after five readings of the index", async () => {
    const [name = ""] = indexOf().shards.find((shard) => shard !== null) ?? [];
    rmSync(join(place.out, `bulk/shards/${name}.zip`));
    expect((await run()).damaged).toEqual([
      `bulk/shards/${name}.zip: the index names it, but the host does not have it`,
    ]);
    expect(host.requested.filter((path) => path === "/bulk/index.json")).toHaveLength(5);
  });

  it("requests pages one by one with --ids, and does not change other pages", async () => {
    const ids = [{ from: 1, to: 14 }];
    expect(await run({ ids })).toMatchObject({ pages: 7, removed: [] });
    expect(host.requested.filter((path) => path.startsWith("/bulk"))).toEqual([]);
    place.drop("about.json");
    await build(place);
    expect(await run({ ids: [{ from: 1, to: 12 }] })).toMatchObject({ pages: 4, written: [], removed: [2] });
    expect(existsSync(join(copy, "api/v2/pages/13/index.json"))).toBe(true);
  });

  it("does not accept another server's 404 as a removed page, or another page as the requested one", async () => {
    await run();
    host.lie = (path, response) => {
      if (path === "/api/v2/pages/2/")
        response.setHeader("Content-Type", "text/html").writeHead(404).end("<h1>");
      else if (path === "/api/v2/pages/1/") response.end('{"id": 9}');
      else if (path === "/api/v2/pages/10/")
        response.end(Buffer.from('{"id": 10, "title": "caf\xe9"}', "latin1"));
      else return false;
      return true;
    };
    const { damaged, written, removed } = await run({ ids: [{ from: 1, to: 10 }] });
    expect(damaged).toHaveLength(3);
    expect(damaged).toContain("/api/v2/pages/10/: the response is not UTF-8");
    expect([...written, ...removed]).toEqual([]);
    expectEqual();
  });

  it("refuses a folder with third-party pages, a link in its place, and a second mirror", async () => {
    cpSync(place.out, copy, { recursive: true });
    await expect(run()).rejects.toThrow(/that no mirror wrote/);
    expect((await run({ isCheck: true })).written).toEqual([]);
    rmSync(copy, { recursive: true });
    mkdirSync(join(copy, "api"), { recursive: true });
    symlinkSync(place.out, join(copy, "api/v2"));
    await expect(run()).rejects.toThrow(/expected a folder/);
    rmSync(copy, { recursive: true });
    await run();
    const unlock = takeLock(join(copy, ".mirror/lock"));
    await expect(run()).rejects.toThrow(/another mirror/);
    unlock();
    await run();
    const mark = join(copy, ".mirror/mirror.json");
    rmSync(mark);
    mkdirSync(mark);
    await expect(run()).rejects.toThrow("EISDIR");
    rmSync(mark, { recursive: true });
    writeFileSync(mark, "{}\n");
    await run();
    await expect(run({ folder: join(copy, "none"), isCheck: true })).rejects.toThrow(/no such folder/);
  });

  it("refuses a host without a bulk download, and writes nothing", async () => {
    rmSync(join(place.out, "bulk"), { recursive: true });
    await expect(run()).rejects.toThrow(/--ids/);
    expect(existsSync(copy)).toBe(false);
  });
});

const url = (): string => host.url.origin;

/** Serves an index and one shard. */
const serve = (index: unknown, shard: Buffer): void => {
  host.lie = (path, response) => {
    if (path === "/bulk/index.json") response.end(typeof index === "string" ? index : JSON.stringify(index));
    else if (path.endsWith(".zip")) response.end(shard);
    else return false;
    return true;
  };
};
const indexWith = (name: string, bytes: number) => ({ format: 1, pages: 1, shards: [[name, bytes]] });

/** A shard with these pages, and an index with only this shard. */
const shardOf = (pages: { id: number; bytes: Buffer }[]) => {
  const bytes = pages.reduce((sum, page) => sum + page.bytes.length, 0);
  return { name: nameOf(pages), bytes, zip: zip(pages) };
};

describe("a hostile host", () => {
  const valid = shardOf([{ id: 1, bytes: Buffer.from('{"id":1}') }]);

  it.each([
    ["nonsense", "<html>"],
    ["another object", '{"format": 1}'],
    ["a newer format", '{"format": 2, "pages": 1, "shards": [null]}'],
    ["a name that is a path", '{"format": 1, "pages": 1, "shards": [["../../x", 1]]}'],
    ["a negative size", `{"format": 1, "pages": 1, "shards": [["${"a".repeat(64)}", -1]]}`],
    ["no shard", '{"format": 1, "pages": 0, "shards": []}'],
  ])("has an index with %s: nothing is written", async (_, index) => {
    serve(index, valid.zip);
    await expect(run()).rejects.toThrow(/this is not the index/);
    expect(existsSync(copy)).toBe(false);
  });

  it("has an index with a wrong number of pages", async () => {
    serve({ format: 1, pages: 2, shards: [[valid.name, valid.bytes]] }, valid.zip);
    expect((await run()).damaged).toEqual(["bulk/index.json: it promises 2 pages, and its shards have 1"]);
  });

  it.each([
    ["other pages", shardOf([{ id: 1, bytes: Buffer.from('{"id":2}') }]).zip],
    ["a page with another id", shardOf([{ id: 2, bytes: Buffer.from('{"id":1}') }]).zip],
    ["half of its bytes", valid.zip.subarray(0, 60)],
    ["nothing", Buffer.alloc(0)],
    ["a path as a name", Buffer.from(valid.zip.toString("latin1").replaceAll("1.json", "../../"), "latin1")],
    ["bytes that do not inflate", Buffer.from(valid.zip).fill(0xff, 36, 40)],
  ])("has a shard with %s: it is listed, and no page of it is written", async (_, shard) => {
    serve(indexWith(valid.name, valid.bytes), shard);
    const { damaged, written } = await run();
    expect(damaged).toHaveLength(1);
    expect(damaged[0]).toContain(`bulk/shards/${valid.name}.zip: `);
    expect(written).toEqual([]);
    expect(pagesIn(copy)).toEqual({});
    expect(shardPaths()).toHaveLength(2);
  });

  it("has a shard that is larger than the index says once it is inflated", async () => {
    const large = shardOf([{ id: 1, bytes: Buffer.alloc(2 ** 24, 32) }]);
    expect(deflateRawSync(Buffer.alloc(2 ** 24, 32)).length).toBeLessThan(2 ** 16);
    serve(indexWith(large.name, 100), large.zip);
    expect((await run()).damaged).toHaveLength(1);
  });

  it("redirects to another host, which gets no request", async () => {
    const other = await serveFolder(place.out);
    host.lie = (path, response) => {
      response.writeHead(302, { Location: `${other.url.origin}${path}` }).end();
      return true;
    };
    try {
      await expect(run()).rejects.toThrow(/redirects to another host.* Give this URL instead: http/);
      expect(other.requested).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it("redirects within the host: five redirects are followed", async () => {
    host.lie = (path, response) => {
      const [, hops = "", rest = ""] = /^\/r(\d)(\/.*)$/.exec(path) ?? [];
      if (hops === "0" || (rest === "" && !path.startsWith("/bulk/index"))) return false;
      const next = hops === "" ? `/r4${path}` : hops === "1" ? rest : `/r${Number(hops) - 1}${rest}`;
      if (hops === "" && host.requested.filter((one) => one === path).length > 1) return false;
      response.writeHead(307, { Location: next }).end();
      return true;
    };
    expect((await run()).pages).toBe(16);
    host.lie = (path, response) => {
      response.writeHead(307, { Location: path }).end();
      return true;
    };
    await expect(run()).rejects.toThrow(/in a circle/);
  });
});

describe("npx page-api mirror", () => {
  it("exits with 0 if the folder equals the release, 1 with --check if it differs, and 2 if it could not finish", async () => {
    expect(await runHere("mirror", [url(), copy])).toMatchObject({ status: 0, stderr: "" });
    expect(await runHere("mirror", [url(), copy, "--check"])).toMatchObject({ status: 0 });
    writeFileSync(join(copy, "api/v2/pages/11/index.json"), "{}");
    const checked = await runHere("mirror", [url(), copy, "--check"]);
    expect(checked.status).toBe(1);
    expect(checked.stdout).toContain("page 11 differs or is missing");
    expect(await runHere("mirror", [url(), copy, "--bulk", "--ids", "1"])).toMatchObject({ status: 2 });
    expect(await runHere("mirror", [url()])).toMatchObject({ status: 2 });
    expect(await runHere("mirror", ["file:///x", copy])).toMatchObject({ status: 2 });
    const [file = ""] = readdirSync(join(place.out, "bulk/shards"));
    const path = join(place.out, "bulk/shards", file);
    writeFileSync(path, readFileSync(path).fill(0, 30, 50));
    rmSync(copy, { recursive: true });
    const damaged = await runHere("mirror", [url(), copy]);
    expect(damaged.status).toBe(1);
    expect(damaged.stderr).toContain(`damaged: bulk/shards/${file}`);
    rmSync(join(place.out, "bulk/index.json"));
    expect(await runHere("mirror", [url(), copy])).toMatchObject({ status: 2 });
  });
});
