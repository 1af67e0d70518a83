import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { itemOf, type Item } from "../../build/page/item.ts";
import { build } from "../../build/pipeline/build.ts";
import { filesBelow, treeOf } from "../files.ts";
import { MEMORY } from "../scratch.ts";
import { general, page, SITE, SMALL_SITE, workplace, write, writeSite, type Workplace } from "./site.ts";

// test/cases/files-for-websites has the exact bytes of a small site.

const INDEXED = { ...SITE, index: true };

function siteWith(name: string, files: Record<string, unknown> = {}): Workplace {
  const place = workplace(name, MEMORY);
  writeSite(place.content, { ...SMALL_SITE, "_site.json": INDEXED, ...files });
  return place;
}

const json = ({ out }: Workplace, path: string): unknown =>
  JSON.parse(readFileSync(join(out, path), "utf8")) as unknown;

const filesOf = ({ out }: Workplace): string[] => filesBelow(join(out, "index")).sort();

/** The files that a build wrote again. */
async function writtenBy(place: Workplace): Promise<string[]> {
  const inodeOf = (path: string): number => statSync(join(place.out, "index", path)).ino;
  const before = new Map(filesOf(place).map((path) => [path, inodeOf(path)]));
  const { published } = await build(place);
  expect(published).toBeDefined();
  return filesOf(place).filter((path) => before.get(path) !== inodeOf(path));
}

async function cleanFiles({ content }: Workplace): Promise<Record<string, string>> {
  const clean = workplace("website-clean", MEMORY);
  await build({ ...clean, content });
  return treeOf(join(clean.out, "index"));
}

describe("the files for websites", () => {
  it("list every page with the fields of its response, below its parent and at its address", async () => {
    const place = siteWith("website");
    await build(place);
    const responses = filesBelow(join(place.out, "api"))
      .filter((path) => path.endsWith("index.json"))
      .map((path) => json(place, join("api", path)) as Item & { meta: { parent: { id: number } | null } });
    const listed = filesOf(place)
      .filter((path) => path.startsWith("pages/"))
      .flatMap((path) => {
        const { id, children } = json(place, join("index", path)) as { id: number; children: Item[] };
        return children.map((item) => [id, item]);
      });
    const expected = responses.flatMap((one) => (one.meta.parent ? [[one.meta.parent.id, itemOf(one)]] : []));
    expect(listed).toHaveLength(expected.length);
    expect(listed).toEqual(expect.arrayContaining(expected));
    const addresses = filesOf(place)
      .filter((path) => path.startsWith("addresses/"))
      .flatMap((path) => Object.entries(json(place, join("index", path)) as object));
    expect(Object.fromEntries(addresses)).toEqual(
      Object.fromEntries(responses.map(({ id, meta }) => [meta.html_url.slice(SITE.site_url.length), id])),
    );
    expect(json(place, "index/index.json")).toMatchObject({ format: 1, pages: responses.length, root: 1 });
  });

  it("are written again only if they change", async () => {
    const place = siteWith("website-edits");
    await build(place);
    expect(await writtenBy(place)).toEqual([]);
    const cafe = general(11, "Café");
    write(place.content, "visit/cafe.json", { ...cafe, meta: { ...cafe.meta, seo_title: "Coffee" } });
    expect(await writtenBy(place)).toEqual([]);
    write(place.content, "visit/cafe.json", { ...cafe, title: "Coffee" });
    expect(await writtenBy(place)).toEqual(["pages/10.json"]);
    const shop = general(12, "Shop");
    write(place.content, "visit/_more/shop.json", { ...shop, meta: { ...shop.meta, order: 3 } });
    // The response stays the same.
    expect(await writtenBy(place)).toEqual(["pages/10.json"]);
    expect(json(place, "index/pages/10.json")).toMatchObject({
      children: [{ id: 12 }, { id: 11 }, { id: 13 }],
    });
    expect(treeOf(join(place.out, "index"))).toEqual(await cleanFiles(place));
  });

  it("go with the option, and files of others stay", async () => {
    const place = siteWith("website-off");
    await build(place);
    write(place.out, "index/pages/notes.txt", "x");
    write(place.content, "_site.json", SITE);
    await build(place);
    expect(filesOf(place)).toEqual(["pages/notes.txt"]);
    write(place.out, "index/index.json", { format: 1 });
    write(place.content, "_site.json", INDEXED);
    await expect(build(place)).rejects.toThrow("did not write this file");
    expect(existsSync(join(place.out, "index/addresses"))).toBe(false);
  });
});

it("a page without a position follows those with one, whatever its id", async () => {
  const place = siteWith("website-order", {
    "index.json": page(1, "home.HomePage", "Home"),
    ...Object.fromEntries(
      [5, undefined, -1, 0, 0.5].map((order, k) => {
        const one = general(100 - k, `Page ${k}`);
        return [`p${k}.json`, { ...one, meta: { ...one.meta, order } }];
      }),
    ),
  });
  await build(place);
  const { children } = json(place, "index/pages/1.json") as { children: Item[] };
  expect(children.map(({ id }) => id)).toEqual([98, 97, 96, 100, 2, 10, 20, 30, 99]);
});
