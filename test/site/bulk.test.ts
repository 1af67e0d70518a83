import { randomBytes } from "node:crypto";
import {
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
import { describe, expect, it } from "vitest";
import { build } from "../../build/site/build.ts";
import { messageOf } from "../../build/findings/finding.ts";
import { openShard } from "../../build/outputs/shards/unzip.ts";
import { shardAt, type BulkIndex } from "../../build/outputs/shards/format.ts";
import { BULK_SITE, FITTING_SITE, general, SITE, placeWith, type Workplace } from "./site.ts";

/** A site of 300 pages, which has four shards. */
function largeSite(name: string): Workplace {
  const place = placeWith(name, BULK_SITE);
  for (let id = 1000; id < 1290; id++) place.put(`visit/page-${id}.json`, general(id, `Page ${id}`));
  return place;
}

const indexOf = (place: Workplace): BulkIndex => place.publishedJson("bulk/index.json");

/** The pages of the ZIP files in the index; the hash of each file is compared. */
function pagesOf(place: Workplace): Record<string, string> {
  const index = indexOf(place);
  const pages: Record<string, string> = {};
  for (const remainder of index.shards.keys()) {
    const shard = shardAt(index, remainder);
    if (shard === undefined) continue;
    openShard(readFileSync(join(place.out, "bulk", shard.key)), shard, ({ id, bytes }) => {
      pages[`api/v2/pages/${id}/index.json`] = Buffer.from(bytes).toString("latin1");
    });
  }
  expect(Object.keys(pages)).toHaveLength(index.pages);
  return pages;
}

const published = (place: Workplace) => place.tree(/^api\/.*\/index\.json$/);

const sorted = (pages: Record<string, string>) => Object.entries(pages).sort(([a], [b]) => (a < b ? -1 : 1));

const filesIn = ({ out }: Workplace): string[] => readdirSync(join(out, "bulk/shards")).sort();

const inodes = (place: Workplace): Record<string, number> =>
  Object.fromEntries(
    filesIn(place).map((name) => [name, statSync(join(place.out, "bulk/shards", name)).ino]),
  );

describe("a bulk download", () => {
  it("contains every published page, in as many shards as a release", async () => {
    const place = largeSite("bulk");
    await build(place);
    const index = indexOf(place);
    expect(index).toMatchObject({ format: 1, pages: 306 });
    expect(index.shards).toHaveLength(4);
    expect(sorted(pagesOf(place))).toEqual(sorted(published(place)));
    expect(filesIn(place)).toEqual(index.shards.flatMap((one) => (one ? [`${one[0]}.zip`] : [])).sort());
  });

  it("has only its index and one shard rewritten after an edit", async () => {
    const place = largeSite("bulk-edit");
    await build(place);
    const before = inodes(place);
    place.put("visit/page-1005.json", general(1005, "Another title"));
    await build(place);
    const after = inodes(place);
    const kept = Object.keys(before).filter((name) => after[name] === before[name]);
    expect(kept).toHaveLength(3);
    expect(Object.keys(after)).toHaveLength(4);
    expect(sorted(pagesOf(place))).toEqual(sorted(published(place)));
  });

  it("is not written again by a second build, including a full one", async () => {
    const place = largeSite("bulk-again");
    await build(place);
    const before = { ...inodes(place), index: statSync(join(place.out, "bulk/index.json")).ino };
    await build(place);
    await build({ ...place, full: true });
    expect({ ...inodes(place), index: statSync(join(place.out, "bulk/index.json")).ino }).toEqual(before);
    rmSync(join(place.out, "bulk/shards"), { recursive: true });
    await build(place);
    expect(sorted(pagesOf(place))).toEqual(sorted(published(place)));
  });

  it("is divided again if the number of shards changes, and has no empty shard", async () => {
    const place = largeSite("bulk-divided");
    await build(place);
    for (let id = 1100; id < 1290; id++) place.drop(`visit/page-${id}.json`);
    await build(place);
    expect(indexOf(place).shards).toHaveLength(1);
    expect(sorted(pagesOf(place))).toEqual(sorted(published(place)));
    const even = placeWith("bulk-even", {
      "_site.json": BULK_SITE["_site.json"],
      "index.json": { ...general(2, "Home"), meta: { type: "home.HomePage" } },
    });
    for (let id = 4; id < 300; id += 2) even.put(`page-${id}.json`, general(id, `Page ${id}`));
    await build(even);
    expect(indexOf(even).shards.map((shard) => shard === null)).toEqual([false, true]);
  });

  it("is removed when it is switched off, and no other file is", async () => {
    const place = largeSite("bulk-off");
    await build(place);
    writeFileSync(join(place.out, "bulk/notes.txt"), "mine");
    writeFileSync(join(place.out, "bulk/shards/readme.txt"), "mine");
    await build(place);
    expect(filesIn(place)).toHaveLength(5);
    place.put("_site.json", SITE);
    await build(place);
    expect(Object.keys(place.tree(/^bulk\/.*[^/]$/))).toEqual(["bulk/notes.txt", "bulk/shards/readme.txt"]);
    for (const name of ["bulk/notes.txt", "bulk/shards/readme.txt"]) rmSync(join(place.out, name));
    place.put("_site.json", BULK_SITE["_site.json"]);
    await build(place);
    expect(filesIn(place)).toHaveLength(4);
    await build({ ...place, bulk: false });
    expect(existsSync(join(place.out, "bulk"))).toBe(false);
  });

  it("is refused if third-party files are in its place, and those stay", async () => {
    const place = placeWith("bulk-foreign", BULK_SITE);
    const elsewhere = join(place.folder, "elsewhere");
    mkdirSync(elsewhere);
    mkdirSync(place.out);
    for (const put of [
      () => symlinkSync(elsewhere, join(place.out, "bulk")),
      () => writeFileSync(join(place.out, "bulk"), "mine"),
      () => {
        mkdirSync(join(place.out, "bulk"));
        writeFileSync(join(place.out, "bulk/index.json"), '{"mine": true}');
      },
      () => mkdirSync(join(place.out, "bulk/index.json"), { recursive: true }),
    ]) {
      put();
      const before = place.tree();
      await expect(build(place)).rejects.toThrow(/bulk/);
      expect(place.tree()).toEqual(before);
      rmSync(join(place.out, "bulk"), { recursive: true });
    }
    expect(readdirSync(elsewhere)).toEqual([]);
    await build(place);
    expect(indexOf(place).pages).toBe(16);
  });

  it("leaves third-party files in its folder unchanged if the site has no bulk download", async () => {
    const place = placeWith("bulk-none", FITTING_SITE);
    mkdirSync(join(place.out, "bulk/shards"), { recursive: true });
    writeFileSync(join(place.out, "bulk/index.json"), '{"mine": true}');
    writeFileSync(join(place.out, "bulk/shards/a.zip"), "mine");
    await build(place);
    await build(place);
    expect(place.published("bulk/index.json")).toBe('{"mine": true}');
    expect(filesIn(place)).toEqual(["a.zip"]);
  });

  it("has an error at the largest page of a shard above 25 MiB, and nothing is published", async () => {
    const place = placeWith("bulk-large", BULK_SITE);
    await build(place);
    const before = place.tree();
    for (let id = 100; id < 109; id++)
      place.put(`visit/large-${id}.json`, {
        ...general(id, "Large"),
        // A text that cannot be deflated much.
        meta: {
          type: "standardpages.GeneralPage",
          search_description: randomBytes((id === 105 ? 2.95 : 2.9) * 2 ** 20).toString("base64"),
        },
      });
    // 25.0 MiB of noise and the other pages: slightly more than the maximum of a shard.
    const { findings, published: result } = await build(place);
    expect(result).toBeUndefined();
    expect(findings.filter(({ code }) => code === "bulk-shard-size")).toMatchObject([
      { place: { file: "visit/large-105.json", line: 1, column: 1 } },
    ]);
    expect(messageOf(findings.find(({ code }) => code === "bulk-shard-size") as never)).toContain("id 105");
    expect(place.tree()).toEqual(before);
    place.put("_site.json", SITE);
    expect((await build(place)).published).toMatchObject({ written: 9 });
  });
});
