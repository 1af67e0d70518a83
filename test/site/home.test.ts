import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { instantAt, instantOf, type Instant } from "../../build/base/instant.ts";
import { build } from "../../build/site/build.ts";
import type { PageType } from "../../build/model/page-types.ts";
import { general, masterImage, page, SITE, work } from "./site.ts";
import { programModel } from "../../build/model/program-model.ts";
import { placeOfEachTest } from "../each.ts";

type Entry = [id: number, published: string | null, row: unknown[]];

const FILE = "browse/home.json";
const AT = instantAt(Date.UTC(2025, 0));

const place = placeOfEachTest("home");
beforeEach(() => {
  place.put("_site.json", SITE);
  place.put("index.json", page(1, "home.HomePage", "Home"));
  place.put("works/index.json", page(2, "artworks.ArtworkIndexPage", "Works"));
});

const run = async (at = AT, full = false) => {
  const { published } = await build({ ...place, browse: true, at, full });
  expect(published).toBeDefined();
};

/** The data after a build, which equal those of a full build. */
async function home(at = AT): Promise<{ types: number[]; newest: Entry[]; pictures: Entry[] }> {
  await run(at);
  const text = place.published(FILE);
  await run(at, true);
  expect(place.published(FILE)).toBe(text);
  return JSON.parse(text) as Awaited<ReturnType<typeof home>>;
}

const ids = (entries: Entry[]): number[] => entries.map(([id]) => id);
const lists = async (at?: Instant) => {
  const { newest, pictures } = await home(at);
  return { newest: ids(newest), pictures: ids(pictures) };
};
const count = ({ types }: { types: number[] }, type: PageType) => types[programModel.names.indexOf(type)];

const newestAt = async (at: Instant): Promise<number[]> => (await lists(at)).newest;

/** A page with dates, such as `{ first_published_at: "2024-01-01T00:00:00Z" }`. */
const dated = (id: number, dates: object) => {
  const { meta, ...rest } = general(id, `Page ${id}`);
  return { ...rest, meta: { ...meta, ...dates } };
};
const since = (id: number, day: string) => dated(id, { first_published_at: `2024-01-${day}T00:00:00Z` });

function pictured(id: number, dates: object = {}) {
  const { meta, ...rest } = work(id, `Work ${id}`, { master_images: [masterImage(`/work-${id}.jpg`)] });
  return { ...rest, meta: { ...meta, ...dates } };
}

describe("the pages of each type on the home view", () => {
  it("are counted without drafts and pages that are not live, and after every save", async () => {
    place.put("about.json", general(10, "About"));
    place.put("_draft.json", general(11, "Draft"));
    place.put("later/index.json", dated(12, { go_live_at: "2025-06-01T00:00:00Z" }));
    place.put("later/below.json", general(13, "Below"));
    place.put("works/_a/one.json", work(20, "One"));
    const first = await home();
    expect(first.types).toHaveLength(programModel.names.length);
    expect(count(first, "home.HomePage")).toBe(1);
    expect(count(first, "standardpages.GeneralPage")).toBe(1);
    expect(count(first, "artworks.ArtworkPage")).toBe(1);
    expect(count(first, "projects.ProjectPage")).toBe(0);
    expect(count(await home(instantAt(Date.UTC(2025, 5))), "standardpages.GeneralPage")).toBe(3);
    place.put("works/_a/two.json", work(21, "Two"));
    place.drop("about.json");
    const later = await home();
    expect(count(later, "standardpages.GeneralPage")).toBe(0);
    expect(count(later, "artworks.ArtworkPage")).toBe(2);
  });
});

describe("the newest pages on the home view", () => {
  it("are the six that were published last; of the same date, those with the smaller ids", async () => {
    for (let id = 15; id >= 10; id--) place.put(`p${id}.json`, since(id, "05"));
    expect(ids((await home()).newest)).toEqual([10, 11, 12, 13, 14, 15]);
    place.put("p9.json", since(9, "05"));
    expect(ids((await home()).newest)).toEqual([9, 10, 11, 12, 13, 14]);
    place.put("p30.json", since(30, "06"));
    place.put("p8.json", since(8, "04"));
    expect(ids((await home()).newest)).toEqual([30, 9, 10, 11, 12, 13]);
    place.drop("p30.json");
    place.drop("p12.json");
    expect(ids((await home()).newest)).toEqual([9, 10, 11, 13, 14, 15]);
    place.drop("p11.json");
    expect(ids((await home()).newest)).toEqual([9, 10, 13, 14, 15, 8]);
  });

  it("have their dates and entries, as these change", async () => {
    place.put("p10.json", since(10, "05"));
    place.put("p11.json", dated(11, { first_published_at: "2024-01-05T01:00:00+02:00" }));
    const [one, other] = (await home()).newest;
    expect(one?.slice(0, 2)).toEqual([10, "2024-01-05T00:00:00Z"]);
    expect(one?.[2]).toContain("Page 10");
    // 23:00 of the day before in UTC.
    expect(other?.slice(0, 2)).toEqual([11, "2024-01-05T01:00:00+02:00"]);
    place.put("p11.json", { ...since(11, "06"), title: "Renamed" });
    const [now] = (await home()).newest;
    expect(now?.slice(0, 2)).toEqual([11, "2024-01-06T00:00:00Z"]);
    expect(now?.[2]).toContain("Renamed");
  });

  it("leave out pages without a date and works with a picture, and are none if nothing is left", async () => {
    place.put("p10.json", general(10, "Undated"));
    place.put("p11.json", dated(11, { first_published_at: null, go_live_at: "2024-01-01T00:00:00Z" }));
    place.put("works/p12.json", pictured(12, { first_published_at: "2024-01-01T00:00:00Z" }));
    expect(await lists()).toEqual({ newest: [], pictures: [12] });
  });

  it("contain a page from the instant at which it goes live until it expires", async () => {
    const [from, until] = ["2025-03-01T00:00:00Z", "2025-09-01T00:00:00Z"];
    place.put("p10.json", since(10, "05"));
    place.put("p11.json", dated(11, { go_live_at: from, expire_at: until }));
    place.put("_p12.json", since(12, "06"));
    const instant = instantOf(from);
    expect(await newestAt(instantOf("2025-02-28T23:59:59.999999Z"))).toEqual([10]);
    expect(await newestAt(instant)).toEqual([11, 10]);
    // Without a date of its own, a page was first published when it went live.
    expect((await home(instant)).newest[0]?.[1]).toBe(from);
    expect(await newestAt(instantOf("2025-08-31T23:59:59.999999Z"))).toEqual([11, 10]);
    expect(await newestAt(instantOf(until))).toEqual([10]);
  });
});

describe("the works with pictures on the home view", () => {
  it("are the six that were published last, and those without a date at the end, by their ids", async () => {
    for (const id of [25, 24, 23, 22, 21]) place.put(`works/w${id}.json`, pictured(id));
    place.put("works/w26.json", work(26, "No picture", { master_images: [] }));
    expect((await lists()).pictures).toEqual([21, 22, 23, 24, 25]);
    place.put("works/w20.json", pictured(20));
    place.put("works/w28.json", pictured(28, { first_published_at: "2024-01-01T00:00:00Z" }));
    place.put("works/w27.json", pictured(27, { first_published_at: "2024-01-02T00:00:00Z" }));
    expect((await lists()).pictures).toEqual([27, 28, 20, 21, 22, 23]);
    place.put("works/w27.json", work(27, "No picture any more"));
    place.put("works/w21.json", pictured(21, { expire_at: "2024-12-31T00:00:00Z" }));
    expect((await lists()).pictures).toEqual([28, 20, 22, 23, 24, 25]);
  });
});

describe("the file of the home view", () => {
  it("is written again only if it changes, and removed with the browse UI", async () => {
    place.put("p10.json", since(10, "05"));
    place.put("works/w20.json", work(20, "Work"));
    await run();
    const inode = (): number => statSync(join(place.out, FILE)).ino;
    const before = inode();
    place.put("works/w20.json", work(20, "Another title"));
    await run();
    expect(inode()).toBe(before);
    place.put("p10.json", { ...since(10, "05"), title: "Another title" });
    await run();
    expect(inode()).not.toBe(before);
    await build({ ...place, at: AT });
    expect(existsSync(join(place.out, FILE))).toBe(false);
  });
});
