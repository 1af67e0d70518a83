import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { build } from "../../build/site/build.ts";
import { workplace } from "./site.ts";

const edit = (path: string, from: string, to: string): void =>
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));

const files = (...numbers: number[]): string[] => numbers.map((k) => `artworks/work-${k}.json`);

it("an unlikely reference is found, whether or not a build reads the other pages", async () => {
  const { content, out, cache } = workplace("unlikely-references");
  cpSync("test/cases/unlikely-reference/content", content, { recursive: true });
  const work = (k: number): string => join(content, `artworks/work-${k}.json`);
  const unlikely = async (): Promise<string[]> => {
    const { findings } = await build({ content, out, cache });
    return findings.filter(({ code }) => code === "unlikely-reference").map(({ place: { file } }) => file);
  };
  const all = [20, 21, 22, 24, 25, 26, 27, 28, 32];
  expect(await unlikely()).toEqual(files(...all));
  edit(work(10), "Marsh", "Reeds");
  expect(await unlikely()).toEqual(files(...all));
  // It moves with its source, although all pages still refer to the same things.
  edit(work(20), "{", "{\n\n");
  const { findings: moved } = await build({ content, out, cache });
  const { findings: clean } = await build({ content, out, cache: `${cache}-full`, full: true });
  expect(moved).toEqual(clean);
  expect(moved.filter(({ place: { file } }) => file === files(20)[0])).toHaveLength(1);
  edit(work(20), "1131", "1113");
  edit(work(21), "tuner", "turner");
  edit(work(22), '"id": 113,', '"id": 1113,');
  expect(await unlikely()).toEqual(files(24, 25, 26, 27, 28, 32));
  for (const k of [24, 25]) edit(work(k), "1112", "1113");
  edit(work(26), "4700", "1113");
  // Another spelling of a name under the same id is another finding.
  edit(work(32), "4800", "1113");
  edit(work(27), "61", "5");
  edit(work(28), "someone-else", "turner");
  expect(await unlikely()).toEqual([]);
  edit(work(11), "/turner/", "/turnre/");
  expect(await unlikely()).toEqual(files(11));
  // Nine pages are not enough.
  for (const k of [12, 13, 14, 15, 16, 17, 18, 19, 20]) edit(work(k), "/turner/", "/joseph/");
  expect(await unlikely()).toEqual([]);
});
