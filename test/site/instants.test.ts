import { beforeEach, describe, expect, it } from "vitest";
import { instantAt, instantOf, printInstant, type Instant } from "../../build/base/instant.ts";
import { check } from "../../build/site/check.ts";
import { build } from "../../build/site/build.ts";
import { dated, general, page, SITE, work, placeWith, type Workplace } from "./site.ts";

const day = (n: number): Instant => instantAt(Date.UTC(2027, 0, n));
/** A microsecond before a day. */
const before = (n: number): Instant =>
  instantOf(new Date(Date.UTC(2027, 0, n) - 1).toISOString().replace("Z", "999Z"));
const iso = (n: number): string => printInstant(day(n));

const WORKS = Object.fromEntries(
  Array.from({ length: 20 }, (_, k) => [`works/work-${k}.json`, work(100 + k, `Work ${k}`)]),
);

const DATED_SITE = {
  ...WORKS,
  "_site.json": SITE,
  "index.json": page(1, "home.HomePage", "Home"),
  "works/index.json": page(2, "artworks.ArtworkIndexPage", "Works"),
  "visit/index.json": general(3, "Visit"),
  "visit/fair.json": dated(4, "Fair", { go_live_at: iso(3), expire_at: iso(7) }),
  "show/index.json": dated(5, "A section", { go_live_at: iso(5) }),
  "show/rooms/index.json": general(6, "Rooms"),
  "show/rooms/one.json": general(7, "One"),
  "show/rooms/early.json": dated(8, "Early", { go_live_at: iso(2), expire_at: iso(6) }),
};

let place: Workplace;

/** Builds, and returns the number of sources that the build read. */
async function built(at: Instant) {
  let read = 0;
  const result = await build({ ...place, at, browse: true, progress: (_, of) => (read = of) });
  return { read, published: result.published, pages: result.pages, tree: place.tree() };
}

/** Ids of the published pages that have dates or are below such a page. */
async function ids(at: Instant): Promise<number[]> {
  const { tree, pages } = await built(at);
  const found = Object.keys(tree).flatMap((path) => /^api\/v2\/pages\/(\d+)\/index/.exec(path)?.[1] ?? []);
  expect(found).toHaveLength(pages);
  return found.map(Number).filter((id) => id > 3 && id < 100);
}

beforeEach(async () => {
  place?.remove();
  place = placeWith("instants", DATED_SITE);
  // A source that is read earlier is racy: the next build would read it again.
  await new Promise((resolve) => setTimeout(resolve, 100));
});

describe("a page with dates", () => {
  it("is published from its first date until before its second, with its ancestors", async () => {
    expect(await ids(day(1))).toEqual([]);
    expect(await ids(before(3))).toEqual([]);
    expect(await ids(day(3))).toEqual([4]);
    expect(await ids(before(5))).toEqual([4]);
    expect(await ids(day(5))).toEqual([4, 5, 6, 7, 8]);
    expect(await ids(day(6))).toEqual([4, 5, 6, 7]);
    expect(await ids(day(7))).toEqual([5, 6, 7]);
    expect(await ids(day(4))).toEqual([4]);
  });

  it("leaves no trace in the output before its date: no file has its title", async () => {
    const { tree } = await built(day(1));
    expect(Object.entries(tree).filter(([, text]) => /Fair|A section|"One|fair/.test(text))).toEqual([]);
  });

  it("has the same bytes at two instants between two changes", async () => {
    const one = await built(day(3));
    place.remove();
    place.putAll(DATED_SITE);
    const other = await built(before(5));
    expect(other.tree).toEqual(one.tree);
  });
});

describe("a later build", () => {
  it("reads only the pages that change at an instant, and their subpages", async () => {
    expect((await built(day(1))).read).toBe(28);
    expect(await built(before(2))).toMatchObject({ read: 0, published: { written: 0, removed: 0 } });
    expect(await built(day(3))).toMatchObject({ read: 2, published: { written: 1, removed: 0 } });
    expect(await built(day(4))).toMatchObject({ read: 0, published: { written: 0, removed: 0 } });
    expect(await built(day(5))).toMatchObject({ read: 4, published: { written: 4, removed: 0 } });
    expect(await built(day(8))).toMatchObject({ read: 2, published: { written: 0, removed: 2 } });
  });

  it.each(["works/work-3.json", "works/_draft.json"])(
    "reads %s again if an instant changes its finding",
    async (file) => {
      place.drop("works/work-3.json");
      place.put(file, work(103, "Work 3", { acquisitionYear: 2028 }));
      const first = await build({ ...place, at: day(1) });
      expect(first.findings.map(({ code }) => code)).toEqual(["future-acquisition"]);
      const later = await build({ ...place, at: instantAt(Date.UTC(2028, 0)) });
      expect(later.findings).toEqual([]);
      const earlier = await build({ ...place, at: instantOf("2027-12-31T23:59:59.999999Z") });
      expect(earlier.findings.map(({ code }) => code)).toEqual(["future-acquisition"]);
    },
  );

  it("decides by the instant as it was written, although it is between two milliseconds", async () => {
    const [from, until] = ["2027-01-05T00:00:00.123456Z", "2027-01-05T00:00:00.1239+00:00"];
    place.put("visit/fair.json", dated(4, "Fair", { go_live_at: from, expire_at: until }));
    const pagesAt = async (at: string) => (await check({ ...place, at: instantOf(at) })).pages;
    const others = await pagesAt("2027-01-05T00:00:00.1234Z");
    expect(await pagesAt(from)).toBe(others + 1);
    expect(await pagesAt("2027-01-05T00:00:00.12389999Z")).toBe(others + 1);
    expect(await pagesAt("2027-01-05T00:00:00.123900Z")).toBe(others);
  });

  it("can build any earlier instant since the first, and reads as little", async () => {
    const start = await built(day(1));
    await built(day(9));
    const back = await built(day(4));
    expect(back).toMatchObject({ read: 5, published: { written: 1, removed: 3 } });
    expect((await built(day(1))).tree).toEqual(start.tree);
  });

  it("reads everything for an instant before the first one, because the manifest has no facts about it", async () => {
    await built(day(9));
    expect(await built(day(8))).toMatchObject({ read: 28 });
  });
});
