import { cpSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isError } from "../../build/findings/finding.ts";
import { PROGRAM_HEADERS } from "../../build/base/folders.ts";
import { build } from "../../build/site/build.ts";
import { WatchBuild } from "../../build/site/watch-build.ts";
import type { Built } from "../../build/site/outcome.ts";
import { SourceMissing } from "../../build/source/read.ts";
import { treeOf } from "../files.ts";
import { MEMORY } from "../scratch.ts";
import { cleanTree } from "./clean.ts";
import { general, page, SITE, write, writeSite } from "./site.ts";
import { placeOfEachTest } from "../each.ts";

const place = placeOfEachTest("live", undefined, MEMORY);
let live: WatchBuild;
let headersFile: string;
beforeEach(async () => {
  headersFile = join(place.folder, "_headers");
  cpSync(PROGRAM_HEADERS, headersFile);
  writeSite(place.content);
  live = new WatchBuild({ ...place, headersFile });
  await live.update();
});
afterEach(() => {
  live.close();
  place.remove();
});

const source = (path: string): string => join(place.content, path);
const update = (...paths: string[]): Promise<Built> => live.update(new Set(paths.map(source)));

/** The output without the lock of the running build. */
function published(): Record<string, string> {
  const { ".building/lock": _, ...tree } = treeOf(place.out);
  return tree;
}

const expectClean = async (): Promise<void> =>
  expect(published()).toEqual(await cleanTree(place.content, { headersFile }));

describe("a running build", () => {
  it("publishes the named sources, and reads no others", async () => {
    write(place.content, "about.json", general(2, "Named"));
    write(place.content, "visit/cafe.json", general(11, "Not named"));
    expect((await update("about.json")).published).toEqual({ written: 1, removed: 0, unchanged: 15 });
    expect((await update("visit/cafe.json")).published).toMatchObject({ written: 1 });
    await expectClean();
  });

  it("reads no section again whose parent has the same data for subpages", async () => {
    write(place.content, "index.json", page(1, "home.HomePage", "Another home"));
    writeFileSync(source("visit/rooms/index.json"), "{");
    expect((await update("index.json")).published).toMatchObject({ written: 5 });
    expect((await update("visit/rooms/index.json")).findings.filter(isError)).toHaveLength(1);
  });

  it("reads a page again when it gets its first subpage", async () => {
    write(place.content, "projects/wet/more/index.json", general(23, "More"));
    await update("projects/wet/more");
    write(place.content, "projects/wet/more/index.json", general(23, "Not named"));
    write(place.content, "projects/wet/more/page.json", general(24, "A page"));
    expect((await update("projects/wet/more/page.json")).published).toMatchObject({ written: 2 });
    await expectClean();
  });

  it("renders thousands of subpages of a page with a new title, with a second thread", async () => {
    const many = 2500;
    for (let i = 0; i < many; i++)
      write(place.content, `visit/_rooms/room-${i}.json`, general(1000 + i, "Room"));
    await update("visit/_rooms", "visit");
    write(place.content, "visit/index.json", general(10, "Welcome"));
    expect((await update("visit/index.json")).published).toMatchObject({ written: many + 4 });
    await expectClean();
  });

  it("follows a folder that is moved or replaced, even if only the folder is named", async () => {
    renameSync(source("visit"), source("come"));
    expect((await update("visit", "come")).published).toMatchObject({ written: 6 });
    await expectClean();
    cpSync(source("come"), source("other"), { recursive: true });
    write(place.content, "other/cafe.json", general(11, "Of the other folder"));
    rmSync(source("come"), { recursive: true });
    renameSync(source("other"), source("come"));
    await update("come");
    await expectClean();
  });

  it.each([
    ["the site", () => write(place.content, "_site.json", { ...SITE, append_slash: false })],
    ["the headers", () => writeFileSync(headersFile, "\n# Another line\n", { flag: "a" })],
    ["the published pages", () => rmSync(join(place.out, "api/v2/pages/2"), { recursive: true })],
    ["the whole output", () => rmSync(place.out, { recursive: true })],
    ["the manifest", () => rmSync(place.cache, { recursive: true, force: true })],
  ])("finds by itself a change of %s", async (_, change) => {
    change();
    expect((await update("visit/cafe.json")).published).toBeDefined();
    await expectClean();
  });

  it("compares everything without a result if nothing has changed, also while a source has an error", async () => {
    // The sources are so new that the first comparison reads them again.
    await expect(live.compare()).resolves.toBeUndefined();
    await expect(live.compare()).resolves.toBeUndefined();
    writeFileSync(source("about.json"), "{");
    expect((await live.compare())?.findings.filter(isError)).toHaveLength(1);
    await expect(live.compare()).resolves.toBeUndefined();
    write(place.content, "about.json", general(2, "Not reported"));
    await expect(live.compare()).resolves.toMatchObject({ published: { written: 1 } });
    await expectClean();
  });

  it("keeps the last valid pages until the last error is fixed, and then publishes all saved changes", async () => {
    const before = published();
    writeFileSync(source("about.json"), "{");
    expect((await update("about.json")).findings.filter(isError)).toHaveLength(1);
    write(place.content, "visit/cafe.json", general(11, "Sound"));
    expect((await update("visit/cafe.json")).findings.filter(isError)).toHaveLength(1);
    expect(published()).toEqual(before);
    write(place.content, "about.json", general(2, "Mended"));
    expect((await update("about.json")).published).toMatchObject({ written: 2 });
    await expectClean();
  });

  it("loses no change if a source vanishes before that is reported", async () => {
    write(place.content, "visit/cafe.json", general(11, "Saved"));
    rmSync(source("about.json"));
    write(place.content, "_site.json", { ...SITE, append_slash: false });
    await expect(update("visit/cafe.json")).rejects.toBeInstanceOf(SourceMissing);
    expect((await update("about.json")).published).toMatchObject({ removed: 1 });
    await expectClean();
  });

  it("includes files saved during a step in the next step", async () => {
    let isSaved = false;
    live.close();
    const progress = (): void => {
      if (isSaved) return;
      isSaved = true;
      write(place.content, "about.json", general(2, "Saved meanwhile"));
      write(place.content, "visit/cafe.json", general(11, "This too"));
    };
    live = new WatchBuild({ ...place, headersFile, progress });
    write(place.content, "_site.json", { ...SITE, append_slash: false });
    await live.update();
    expect(isSaved).toBe(true);
    await update("about.json", "visit/cafe.json");
    await expectClean();
  });

  it("handles a burst of files", async () => {
    const paths = Array.from({ length: 2100 }, (_, k) => `visit/_burst/page-${k}.json`);
    for (const [k, path] of paths.entries()) write(place.content, path, general(1000 + k, "Burst"));
    expect((await update(...paths.slice(0, 1000))).published).toMatchObject({ written: 2100 });
    for (const [k, path] of paths.entries()) write(place.content, path, general(1000 + k, "Again"));
    expect((await update(...paths.slice(0, 1000))).published).toMatchObject({ written: 1000 });
    // Some of the named files may be missing in a large burst.
    expect((await update(...paths.slice(0, 2050))).published).toMatchObject({ written: 1100 });
    await expectClean();
  });

  it("leaves nothing to do for a later build, and after a crash only the changes since its last save", async () => {
    live.close();
    cpSync(place.cache, `${place.cache}-before`, { recursive: true });
    const saved = await build({ ...place, headersFile });
    expect(saved.published).toEqual({ written: 0, removed: 0, unchanged: 16 });
    live = new WatchBuild({ ...place, headersFile });
    write(place.content, "about.json", general(2, "Before the crash"));
    rmSync(source("visit/cafe.json"));
    write(place.content, "added.json", general(90, "Added"));
    await live.update();
    live.close();
    rmSync(place.cache, { recursive: true });
    renameSync(`${place.cache}-before`, place.cache);
    write(place.content, "about.json", general(2, "After the crash"));
    expect((await build({ ...place, headersFile })).published).toMatchObject({ written: 1, removed: 0 });
    await expectClean();
  });
});
