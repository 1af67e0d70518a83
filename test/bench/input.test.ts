import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { check } from "../../build/site/check.ts";
import { random } from "../../scripts/bench/input/random.ts";
import { isPage, reduced, sourcePaths } from "../../scripts/bench/input/resize.ts";
import {
  accessionNumber,
  generatedSite,
  writeSources,
  type GeneratedSource,
} from "../../scripts/bench/input/site.ts";
import { scratch } from "../scratch.ts";

const pagesOf = (sources: GeneratedSource[]): GeneratedSource[] => sources.filter(({ path }) => isPage(path));

const read = ({ text }: GeneratedSource): { id: number; acno?: string } =>
  JSON.parse(text) as { id: number; acno?: string };

const slugs = (sources: readonly GeneratedSource[]): string[] =>
  sources.map(({ path }) => path.replaceAll(/(^|\/)_[^/]*(?=\/)/g, ""));

const unique = (values: readonly unknown[]): number => new Set(values).size;

const drawn = (seed: number): number[] => {
  const r = random(seed);
  return Array.from({ length: 200 }, () => r.below(5));
};

it("random numbers are the same for the same seed, differ for another, and are below their limit", () => {
  expect(drawn(7)).toEqual(drawn(7));
  expect(drawn(7)).not.toEqual(drawn(8));
  expect(new Set(drawn(1))).toEqual(new Set([0, 1, 2, 3, 4]));
  expect(random(1).some([1, 2, 3], 2)).toHaveLength(2);
});

describe("a generated site", () => {
  const site = [...generatedSite(500)];

  it("has exactly the requested number of pages, the same each time, and starts like a larger site", () => {
    expect(pagesOf(site)).toHaveLength(500);
    expect([...generatedSite(500)]).toEqual(site);
    expect([...generatedSite(600)].slice(0, site.length)).toEqual(site);
  });

  it("has no duplicate id, address or accession number", () => {
    const pages = pagesOf(site);
    expect(unique(pages.map((page) => read(page).id))).toBe(500);
    expect(unique(slugs(pages))).toBe(500);
    expect(unique(pages.slice(3).map((page) => read(page).acno))).toBe(497);
  });

  it("numbers works with a letter and five digits, however many works there are", () => {
    for (const index of [0, 99_998, 99_999, 1_000_000, 2_599_998]) {
      expect(accessionNumber(index)).toMatch(/^[A-Z]\d{5}$/);
    }
    expect(accessionNumber(0)).toBe("D00001");
    expect(accessionNumber(99_999)).toBe("E00000");
  });

  it("has no findings", async () => {
    const content = join(scratch("bench"), "content");
    writeSources(content, site);
    expect(await check({ content })).toMatchObject({ pages: 500, findings: [] });
  });
});

describe("a reduced site", () => {
  let content: string;
  beforeEach(() => {
    content = join(scratch("bench"), "content");
    writeSources(content, generatedSite(50));
  });

  it("keeps the pages that have subpages", () => {
    const few = [...reduced(content, 10)];
    expect(pagesOf(few)).toHaveLength(10);
    expect(few.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["_site.json", "index.json", "art/index.json", "art/artworks/index.json"]),
    );
  });

  it.each([50, 70])("is the same site with %d pages, of 50", (pages) => {
    const same = [...reduced(content, pages)];
    expect(same.map(({ path }) => path).sort()).toEqual(sourcePaths(content));
    for (const { path, text } of same) expect(text).toBe(readFileSync(join(content, path), "utf8"));
  });
});
