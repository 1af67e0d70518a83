import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { check } from "../../build/pipeline/check.ts";
import { accessionNumber, slugOfText } from "../../scripts/bench/input/artwork.ts";
import { random } from "../../scripts/bench/input/random.ts";
import { resized, sourcePaths } from "../../scripts/bench/input/resize.ts";
import { generatedSite, writeSources, type GeneratedSource } from "../../scripts/bench/input/site.ts";
import { scratch } from "../scratch.ts";

const isPage = ({ path }: GeneratedSource): boolean => path !== "_site.json";

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
    expect(site.filter(isPage)).toHaveLength(500);
    expect([...generatedSite(500)]).toEqual(site);
    expect([...generatedSite(600)].slice(0, site.length)).toEqual(site);
  });

  it("has no duplicate id, address or accession number", () => {
    const pages = site.filter(isPage);
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

  it("makes ASCII slugs", () => {
    expect(slugOfText("  Évreux, J. M. W. (2)")).toBe("evreux-j-m-w-2");
  });
});

describe("a site resized", () => {
  let folder: string;

  beforeEach(() => {
    folder = scratch("bench");
    writeSources(join(folder, "content"), generatedSite(50));
  });

  const resize = (pages: number): GeneratedSource[] => [...resized(join(folder, "content"), pages)];

  it("keeps the pages that have subpages when it leaves out works", () => {
    const few = resize(10);
    expect(few.filter(isPage)).toHaveLength(10);
    expect(few.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["_site.json", "index.json", "art/index.json", "art/artworks/index.json"]),
    );
  });

  it("has no findings, generated or repeated", async () => {
    writeSources(join(folder, "repeated"), resize(120));
    for (const name of ["content", "repeated"]) {
      const { pages, findings } = await check({ content: join(folder, name) });
      expect(findings).toEqual([]);
      expect(pages).toBe(name === "repeated" ? 120 : 50);
    }
  });

  it("has the same content if the size does not change", () => {
    const paths = sourcePaths(join(folder, "content"));
    const same = resize(50);
    expect(same.map(({ path }) => path).sort()).toEqual(paths.sort());
    for (const { path, text } of same) expect(text).toBe(readFileSync(join(folder, "content", path), "utf8"));
  });

  it("repeats works with new ids, addresses and accession numbers", () => {
    const pages = resize(333).filter(isPage);
    expect(pages).toHaveLength(333);
    expect(unique(pages.map((page) => read(page).id))).toBe(333);
    expect(unique(slugs(pages))).toBe(333);
    expect(unique(pages.flatMap((page) => read(page).acno ?? []))).toBe(330);
  });
});
