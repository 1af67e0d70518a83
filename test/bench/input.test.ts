import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { check } from "../../build/pipeline/check.ts";
import { accessionNumber, artwork, slugOfText } from "../../scripts/bench/input/artwork.ts";
import { random } from "../../scripts/bench/input/random.ts";
import { evenly, repeatedPath, resized, sourcePaths } from "../../scripts/bench/input/resize.ts";
import { museumLike } from "../../scripts/bench/input/museum.ts";
import { generatedSite, writeSources, type GeneratedSource } from "../../scripts/bench/input/site.ts";
import { scratch } from "../scratch.ts";

const isPage = ({ path }: GeneratedSource): boolean => path !== "_site.json";

const read = ({ text }: GeneratedSource): { id: number; acno?: string } =>
  JSON.parse(text) as { id: number; acno?: string };

const slugs = (sources: readonly GeneratedSource[]): string[] =>
  sources.map(({ path }) => path.replaceAll(/(^|\/)_[^/]*(?=\/)/g, ""));

const unique = (values: readonly unknown[]): number => new Set(values).size;

function draw(seed: number): number[] {
  const r = random(seed);
  return Array.from({ length: 20 }, () => r.below(1_000));
}

describe("random", () => {
  it("gives the same numbers for the same seed, and different numbers for another", () => {
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  it("reaches every member of a small list, and no index beyond it", () => {
    const r = random(1);
    const drawn = new Set(Array.from({ length: 200 }, () => r.below(5)));
    expect(drawn).toEqual(new Set([0, 1, 2, 3, 4]));
    expect(r.some([1, 2, 3], 2)).toHaveLength(2);
    expect(r.some([1, 2, 3], 9)).toEqual([1, 2, 3]);
  });
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

  it("gives each subject its ancestors before it", () => {
    const { subjects } = artwork(3).source as {
      subjects: { id: number; level: number; parent_id: number }[];
    };
    const seen = new Set([1]);
    for (const { id, parent_id } of subjects) {
      expect(seen).toContain(parent_id);
      seen.add(id);
    }
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
    writeSources(join(folder, "museum"), museumLike(generatedSite(50)));
    for (const name of ["content", "repeated", "museum"]) {
      const { pages, findings } = await check({ content: join(folder, name) });
      expect(findings).toEqual([]);
      expect(pages).toBe(name === "repeated" ? 120 : 50);
    }
  });

  it("has a link to a page in each work of a museum's site", async () => {
    const sources = [...museumLike(generatedSite(50))];
    const dead = sources.map(({ path, text }) => ({ path, text: text.replaceAll('<a href=\\"', "$&/art") }));
    expect(dead.filter(({ text }, k) => text !== sources[k]?.text)).toHaveLength(47);
    writeSources(join(folder, "dead"), dead);
    const { findings } = await check({ content: join(folder, "dead") });
    expect(findings.map(({ code }) => code)).toEqual(Array.from({ length: 47 }, () => "dead-link"));
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

  it("puts a repeated work below the same parent", () => {
    expect(repeatedPath("art/works/_d00/mill.json", 2)).toBe("art/works/_repeated-2/_d00/mill-2.json");
    expect(repeatedPath("art/works/mill.json", 1)).toBe("art/works/_repeated-1/mill-1.json");
  });
});

it("takes members evenly", () => {
  expect(evenly([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 5)).toEqual([0, 2, 4, 6, 8]);
  expect(evenly([1, 2], 5)).toEqual([1, 2]);
  expect(evenly([1, 2], 0)).toEqual([]);
  expect(evenly([1, 2], -1)).toEqual([]);
});
