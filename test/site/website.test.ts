import { cpSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { itemOf, type Item } from "../../build/model/item.ts";
import { isError } from "../../build/findings/finding.ts";
import { build } from "../../build/site/build.ts";
import { foldersOf } from "../../build/site/folders.ts";
import { removeFiles, WEBSITE } from "../../build/site/output/own-files.ts";
import { commit, init } from "../change/diff/repository.ts";
import { interrupt, withFaults } from "../faults.ts";
import { filesBelow } from "../files.ts";
import { MEMORY } from "../scratch.ts";
import { cleanTree } from "./clean.ts";
import { general, page, SITE, SMALL_SITE, placeWith, write, type Workplace } from "./site.ts";

// test/cases/files-for-websites has the exact bytes of a small site.

withFaults();

const INDEXED = { ...SITE, index: true };

const siteWith = (name: string, files: Record<string, unknown> = {}) =>
  placeWith(name, { ...SMALL_SITE, "_site.json": INDEXED, ...files }, MEMORY);

const filesOf = ({ out }: Workplace): string[] => filesBelow(join(out, "index")).sort();

/** The files that a build wrote again. */
async function writtenBy(place: Workplace): Promise<string[]> {
  const inodeOf = (path: string): number => statSync(join(place.out, "index", path)).ino;
  const before = new Map(filesOf(place).map((path) => [path, inodeOf(path)]));
  const { published } = await build(place);
  expect(published).toBeDefined();
  return filesOf(place).filter((path) => before.get(path) !== inodeOf(path));
}

const filesIn = (place: Workplace) => place.tree(/^index\//);
const cleanFiles = ({ content }: Workplace) => cleanTree(content, {}, /^index\//);

describe("the files for websites", () => {
  it("have percent-encoded addresses of slugs in any script, in the form NFC", async () => {
    const place = siteWith("scripts", {
      ["caf\u0065\u0301/index.json"]: general(50, "Café"),
      ["caf\u0065\u0301/日本.json"]: general(51, "Japan"),
      "%5Fnew_/index.json": general(54, "New"),
      "%5Fnew_/%5F.json": general(55, "Newer"),
      "%5Fnew_/_%5Fdraft.json": general(56, "Not yet"),
      "_history.json": { retired: [], moved: [{ id: 51, address: "/théâtre/" }] },
    });
    const { findings } = await build(place);
    expect(findings.filter(isError)).toEqual([]);
    const { meta } = place.publishedJson("api/v2/pages/51/index.json") as Item;
    expect(meta).toMatchObject({
      html_url: "https://www.example.org/caf%C3%A9/%E6%97%A5%E6%9C%AC/",
      slug: "日本",
    });
    expect((place.publishedJson("api/v2/pages/55/index.json") as Item).meta).toMatchObject({
      html_url: "https://www.example.org/_new_/_/",
      slug: "_",
    });
    expect(existsSync(join(place.out, "api/v2/pages/56"))).toBe(false);
    expect((place.publishedJson("api/v2/pages/50/index.json") as Item).meta.slug).toBe("caf\u00e9");
    const texts = filesIn(place);
    const addresses = Object.entries(texts).flatMap(([path, text]) =>
      path.includes("addresses/") ? Object.entries(JSON.parse(text) as object) : [],
    );
    expect(addresses).toContainEqual(["/caf%C3%A9/%E6%97%A5%E6%9C%AC/", 51]);
    expect(addresses).toContainEqual(["/_new_/_/", 55]);
    expect(addresses).toContainEqual(["/th%C3%A9%C3%A2tre/", { to: "/caf%C3%A9/%E6%97%A5%E6%9C%AC/" }]);
    place.put("CAF\u00c9.json", general(52, "Café"));
    place.put("caf\u00e9.json", general(53, "Café"));
    const clashes = (await build(place)).findings.filter(({ code }) => code === "slug-clash");
    expect(clashes).toHaveLength(3);
  });

  it("list every page with the fields of its response, below its parent and at its address", async () => {
    const place = siteWith("website");
    await build(place);
    const responses = filesBelow(join(place.out, "api"))
      .filter((path) => path.endsWith("index.json"))
      .map(
        (path) =>
          place.publishedJson(join("api", path)) as Item & { meta: { parent: { id: number } | null } },
      );
    const listed = filesOf(place)
      .filter((path) => path.startsWith("pages/"))
      .flatMap((path) => {
        const { id, children } = place.publishedJson(join("index", path)) as { id: number; children: Item[] };
        return children.map((item) => [id, item]);
      });
    const expected = responses.flatMap((one) => (one.meta.parent ? [[one.meta.parent.id, itemOf(one)]] : []));
    expect(listed).toHaveLength(expected.length);
    expect(listed).toEqual(expect.arrayContaining(expected));
    const addresses = filesOf(place)
      .filter((path) => path.startsWith("addresses/"))
      .flatMap((path) => Object.entries(place.publishedJson(join("index", path)) as object));
    expect(Object.fromEntries(addresses)).toEqual(
      Object.fromEntries(responses.map(({ id, meta }) => [meta.html_url.slice(SITE.site_url.length), id])),
    );
    expect(place.publishedJson("index/index.json")).toMatchObject({
      format: 1,
      pages: responses.length,
      root: 1,
    });
  });

  it("are written again only if they change", async () => {
    const place = siteWith("website-edits");
    await build(place);
    expect(await writtenBy(place)).toEqual([]);
    const cafe = general(11, "Café");
    place.put("visit/cafe.json", { ...cafe, meta: { ...cafe.meta, seo_title: "Coffee" } });
    expect(await writtenBy(place)).toEqual([]);
    place.put("visit/cafe.json", { ...cafe, title: "Coffee" });
    expect(await writtenBy(place)).toEqual(["lists/title.json", "pages/10.json"]);
    const shop = general(12, "Shop");
    place.put("visit/_more/shop.json", { ...shop, meta: { ...shop.meta, order: 3 } });
    // The response stays the same.
    expect(await writtenBy(place)).toEqual(["lists/pages.json", "pages/10.json"]);
    expect(place.publishedJson("index/pages/10.json")).toMatchObject({
      children: [{ id: 12 }, { id: 11 }, { id: 13 }],
    });
    place.put("_site.json", { ...SITE, index: { limit: 50 } });
    expect(await writtenBy(place)).toEqual(["index.json", "lists/pages.json"]);
    expect(filesIn(place)).toEqual(await cleanFiles(place));
  });

  it("go with the option, and foreign files stay", async () => {
    const place = siteWith("website-off");
    await build(place);
    write(place.out, "index/pages/notes.txt", "x");
    place.put("_site.json", SITE);
    await build(place);
    expect(filesOf(place)).toEqual(["pages/notes.txt"]);
    write(place.out, "index/index.json", { format: 1 });
    place.put("_site.json", INDEXED);
    await expect(build(place)).rejects.toThrow("did not write this file");
    expect(existsSync(join(place.out, "index/addresses"))).toBe(false);
  });

  it("go with the next build if a build is killed while it removes them", async () => {
    const place = siteWith("website-killed");
    await build(place);
    const { layout } = foldersOf(place);
    const [index, saved] = [join(place.out, "index"), join(place.folder, "saved")];
    cpSync(index, saved, { recursive: true });
    let calls = 0;
    for (let fails = 0; calls >= fails; fails++) {
      cpSync(saved, index, { recursive: true });
      calls = interrupt(() => removeFiles(layout, WEBSITE), fails, true).length;
      removeFiles(layout, WEBSITE);
      expect(place.tree(/^index\/.*[^/]$/)).toEqual({});
    }
    expect(calls).toBeGreaterThan(10);
  });
});

it("show what the own type of a page names", async () => {
  const shown = { line: "place", image: "image.url" };
  const fields = { place: "text", image: { fields: { url: "text" } } };
  const type = "events.Event";
  const place = siteWith("website-shown", {
    "_types.json": {
      types: { [type]: { label: "Event", parents: ["standardpages.GeneralPage"], fields, shown } },
    },
    "visit/event.json": { ...page(70, type, "Walk"), place: "Quay", image: { url: "/a.jpg" } },
  });
  await build(place);
  const { children } = place.publishedJson("index/pages/10.json") as { children: Item[] };
  expect(children.flatMap((item) => item.shown ?? [])).toEqual([{ line: "Quay", image: "/a.jpg" }]);
  place.put("visit/event.json", {
    ...page(70, type, "Walk"),
    place: "Dock",
    image: { url: "/a.jpg" },
  });
  expect(await writtenBy(place)).toEqual(["pages/10.json"]);
});

it("old addresses follow the settings of the site", async () => {
  const retired = [{ id: 900, address: "/old/", to: "/shop/" }];
  const place = siteWith("website-settings", { "_history.json": { retired, moved: [] } });
  for (const owned_paths of [["/"], ["/visit/"], ["/"]]) {
    place.put("_site.json", { ...INDEXED, owned_paths });
    await build(place);
    expect(filesIn(place)).toEqual(await cleanFiles(place));
  }
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
  const { children } = place.publishedJson("index/pages/1.json") as { children: Item[] };
  expect(children.map(({ id }) => id)).toEqual([98, 97, 96, 100, 2, 10, 20, 30, 99]);
});

describe("the times of changes", () => {
  it("are those of the last commits, whatever is not committed", async () => {
    const place = siteWith("website-commits");
    let day = 0;
    const commitNext = (): void => {
      if (day === 0) init(place.content);
      commit(place.content, `2026-01-0${++day}T10:00:00+02:00`);
    };
    const times = async (): Promise<unknown> => {
      await build(place);
      const incremental = filesIn(place);
      expect(incremental).toEqual(await cleanFiles(place));
      const file = incremental["index/changed.json"];
      return file === undefined ? undefined : (JSON.parse(file) as { changed: unknown }).changed;
    };
    const others = [1, 2, 10, 11, 12, 13, 14, 15, 20, 21, 22, 30, 31, 32, 33, 34];
    const [first, second, third] = ["2026-01-01T08:00:00Z", "2026-01-02T08:00:00Z", "2026-01-03T08:00:00Z"];
    expect(await times()).toBeUndefined();
    expect(place.publishedJson("index/index.json")).toMatchObject({ changed: null });
    commitNext();
    expect(await times()).toEqual([[first, others]]);
    place.put("visit/cafe.json", general(11, "Coffee"));
    expect(await times()).toEqual([[first, others]]);
    place.drop("about.json");
    commitNext();
    expect(await times()).toEqual([
      [second, [11]],
      [first, others.filter((id) => ![2, 11].includes(id))],
    ]);
    expect(place.publishedJson("index/index.json")).toMatchObject({ changed: second });
    // The same path as before, but not committed again.
    place.put("about.json", general(2, "About"));
    place.put("new.json", general(5, "New"));
    expect(await times()).toEqual([
      [second, [2, 11]],
      [first, expect.any(Array)],
    ]);
    commitNext();
    expect(await times()).toEqual([
      [third, [2, 5]],
      [second, [11]],
      [first, expect.any(Array)],
    ]);
    place.drop(".git");
    expect(await times()).toBeUndefined();
  });

  it("are those at which pages go live, if these are later", async () => {
    const later = general(40, "Later");
    const place = siteWith("website-live", {
      "later.json": { ...later, meta: { ...later.meta, go_live_at: "2026-05-01T09:00:00+01:00" } },
    });
    init(place.content);
    commit(place.content, "2026-01-01T10:00:00Z");
    await build(place);
    expect(place.publishedJson("index/changed.json")).toMatchObject({
      changed: [
        ["2026-05-01T08:00:00Z", [40]],
        ["2026-01-01T10:00:00Z", expect.any(Array)],
      ],
    });
  });
});

it("list items have a language that the site declares", async () => {
  const cafe = general(11, "Caffi");
  const place = siteWith("website-locale", {
    "_types.json": { every: { meta: { locale: { kind: "text", default: "en" } } } },
    "visit/cafe.json": { ...cafe, meta: { ...cafe.meta, locale: "cy" } },
  });
  await build(place);
  const { children } = place.publishedJson("index/pages/10.json") as { children: Item[] };
  expect(children.map(({ id, meta }) => [id, meta.locale])).toContainEqual([11, "cy"]);
  expect(new Set(children.map(({ meta }) => meta.locale))).toEqual(new Set(["en", "cy"]));
});
