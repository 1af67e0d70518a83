import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { messageOf } from "../../build/findings/finding.ts";
import { folderEntries } from "../../build/source/find.ts";
import { build } from "../../build/site/build.ts";
import { general, page, SITE } from "../site/site.ts";
import { placeOfEachTest } from "../each.ts";

const place = placeOfEachTest("names");
beforeEach(() => {
  place.putAll({
    "_site.json": SITE,
    "index.json": page(1, "home.HomePage", "Home"),
    "visit/index.json": general(10, "Visit"),
    "visit/cafe.json": general(11, "Café"),
    "visit/rooms/index.json": general(12, "Rooms"),
    "visit/rooms/one.json": general(13, "Room one"),
  });
});

const isPublished = (id: number): boolean => existsSync(join(place.out, `api/v2/pages/${id}/index.json`));
const published = (): number[] => [1, 10, 11, 12, 13].filter(isPublished);

it("a section becomes a draft, and part of the site again, by one rename", async () => {
  await build(place);
  expect(published()).toEqual([1, 10, 11, 12, 13]);
  const [index, draft] = [place.file("visit/index.json"), place.file("visit/_index.json")];
  renameSync(index, draft);
  expect((await build(place)).findings).toEqual([]);
  expect(published()).toEqual([1]);
  renameSync(draft, index);
  expect((await build(place)).findings).toEqual([]);
  expect(published()).toEqual([1, 10, 11, 12, 13]);
});

it("errors below a draft section are warnings, also in the next build", async () => {
  renameSync(place.file("visit/index.json"), place.file("visit/_index.json"));
  place.put("visit/rooms/two words.json", general(0, ""));
  place.put("visit/halls/one.json", general(14, "Hall"));
  const codes = ["bad-id", "bad-slug", "empty-field", "index-missing"];
  for (let n = 0; n < 2; n++) {
    const { findings } = await build(place);
    expect([...new Set(findings.map(({ code }) => code))].sort()).toEqual(codes);
    expect([...new Set(findings.map(({ severity }) => severity))]).toEqual(["warning"]);
  }
});

const no = () => false;

it("a FIFO that is named like a source is called one", () => {
  const fifo = { name: "b.json", isDirectory: no, isFile: no, isSymbolicLink: no };
  const stat = { size: 0, mtime: 0, ctime: 0, inode: 0, racy: false };
  const { findings } = folderEntries("", stat, [fifo]);
  expect(findings.map(messageOf)).toEqual([expect.stringContaining("“b.json” is a FIFO")]);
});
