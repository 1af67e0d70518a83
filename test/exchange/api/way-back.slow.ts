import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { summary } from "../../../build/exchange/api/report.ts";
import { filesBelow } from "../../files.ts";
import { FIXTURE_SITE } from "../../fixtures.ts";
import { built, expectWayBack, imported, place, type Place } from "./site.ts";
import { pagesOf, startWagtail, type WagtailOptions } from "./wagtail.ts";

/** Removes choices of editors: grouping folders, and folders of pages without subpages. */
const places = (folder: string): string[] =>
  filesBelow(folder)
    .filter((path) => path === "_site.json" || !/(^|\/)_[^/]*$|^_media\//.test(path))
    .map((path) => path.replace(/(^|\/)_[^/]+\//g, "$1").replace(/\/index\.json$/, ".json"))
    .sort();

describe("a whole site, imported", () => {
  const origin = place();
  let out = "";
  beforeAll(async () => void (out = await built(origin, FIXTURE_SITE, join(origin.folder, "public"))));

  let at: Place;
  beforeEach(() => void (at = place()));
  const start = (options: WagtailOptions) =>
    startWagtail(pagesOf(out), { images: join(out, "media"), ...options });

  it("from its output, builds to the same bytes", async () => {
    const report = await imported(at, out);
    expect(report.left).toEqual([]);
    expect([...report.fields]).toEqual([]);
    await expectWayBack(at, out);
  });

  it("has the same paths, except for grouping folders that small families do not need", async () => {
    await imported(at, out);
    expect(places(at.content)).toEqual(places(FIXTURE_SITE));
  });

  it("from a host without a list endpoint, by the ids of some pages and of their ancestors", async () => {
    const { url, asked } = await start({ locale: false });
    const all = [...pagesOf(out).values()];
    const above = new Set(all.map(({ meta }) => (meta["parent"] as { id?: number } | null)?.id));
    const ids = all.filter(({ id }) => !above.has(id)).map(({ id }) => ({ from: id, to: id }));
    const report = await imported(at, url, { ids });
    expect(report.left).toEqual([]);
    expect(asked.every((path) => !path.includes("?"))).toBe(true);
    await expectWayBack(at, out);
  });

  it("from a list endpoint, twenty pages a request, with fields that the API does not have", async () => {
    const { url, asked } = await start({ cap: 20 });
    const report = await imported(at, url);
    expect(report.left).toEqual([]);
    expect([...report.fields]).toEqual([["meta.locale", pagesOf(out).size]]);
    expect(report.added.size).toBe(0);
    expect(summary(report)).toContain("meta.locale");
    // Wagtail formats its responses on several lines, which the report also mentions.
    expect([report.reordered, report.respelt]).toEqual([0, pagesOf(out).size]);
    // Two readings of 69 pages, of six types and of all types, and the first refusal.
    expect(asked.filter((path) => !path.includes("child_of")).length).toBeLessThan(20);
    expect(asked.some((path) => path.includes("format"))).toBe(false);
    await expectWayBack(at, out);
  });

  it.each([1, 2, 3, 4, 5, 6])("from a list endpoint of a host that fails at random (%i)", async (seed) => {
    const { url, most } = await start({ cap: 7, unkind: 30, seed });
    const report = await imported(at, url);
    expect(report.left).toEqual([]);
    expect(most()).toBeLessThanOrEqual(4);
    await expectWayBack(at, out);
  });

  it.each([11, 12, 13])("page by page from a host that fails at random (%i)", async (seed) => {
    const { url } = await start({ unkind: 30, seed });
    const ids = [...pagesOf(out).keys()].map((id) => ({ from: id, to: id }));
    const report = await imported(at, url, { ids });
    expect(report.left).toEqual([]);
    await expectWayBack(at, out);
  });
});
