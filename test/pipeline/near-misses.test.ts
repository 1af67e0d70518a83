import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { build } from "../../build/pipeline/build.ts";
import { workplace } from "./site.ts";

const edit = (path: string, from: string, to: string): void =>
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));

it("what one page alone speaks of is found by a build that reads no other, and by one that reads it not", async () => {
  const { content, out, cache } = workplace("near-misses");
  cpSync("test/cases/references-that-no-other-page-has/content", content, { recursive: true });
  const work = (k: number): string => join(content, `artworks/work-${k}.json`);
  const unlikely = async (): Promise<string[]> => {
    const { findings } = await build({ content, out, cache });
    return findings.filter(({ code }) => code === "unlikely-reference").map(({ place: { file } }) => file);
  };
  const [a, b, c] = [20, 21, 22].map((k) => `artworks/work-${k}.json`);
  expect(await unlikely()).toEqual([a, b, c]);
  edit(work(10), "Marsh", "Reeds");
  expect(await unlikely()).toEqual([a, b, c]);
  edit(work(20), "1131", "1113");
  edit(work(21), "tuner", "turner");
  edit(work(22), '"id": 113,', '"id": 1113,');
  expect(await unlikely()).toEqual([]);
  edit(work(11), "/turner/", "/turnre/");
  expect(await unlikely()).toEqual(["artworks/work-11.json"]);
  // Nine pages are not many.
  for (const k of [20, 21, 22, 12, 13]) edit(work(k), '"id": 1113', '"id": 3111');
  expect(await unlikely()).toEqual(["artworks/work-11.json"]);
});
