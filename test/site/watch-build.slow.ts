import { cpSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isError } from "../../build/findings/finding.ts";
import { PROGRAM_HEADERS } from "../../build/base/folders.ts";
import { build } from "../../build/site/build.ts";
import { WatchBuild } from "../../build/site/watch-build.ts";
import type { Built } from "../../build/site/outcome.ts";
import { SourceMissing } from "../../build/source/read.ts";
import { MEMORY } from "../scratch.ts";
import { cleanTree } from "./clean.ts";
import { general, page, SITE } from "./site.ts";
import { placeOfEachTest } from "../each.ts";

const place = placeOfEachTest("live", undefined, MEMORY);
let live: WatchBuild;
let headersFile: string;
beforeEach(async () => {
  headersFile = join(place.folder, "_headers");
  cpSync(PROGRAM_HEADERS, headersFile);
  place.putAll();
  live = new WatchBuild({ ...place, headersFile });
  await live.update();
});
afterEach(() => {
  live.close();
  place.remove();
});

const update = (...paths: string[]): Promise<Built> => live.update(new Set(paths.map(place.file)));

/** The output without the lock of the running build. */
function published(): Record<string, string> {
  const { ".building/lock": _, ...tree } = place.tree();
  return tree;
}

const expectClean = async () => expect(published()).toEqual(await cleanTree(place.content, { headersFile }));

describe("a running build", () => {
  it("publishes the named sources, and reads no others", async () => {
    place.put("about.json", general(2, "Named"));
    place.put("visit/cafe.json", general(11, "Not named"));
    expect((await update("about.json")).published).toEqual({ written: 1, removed: 0, unchanged: 15 });
    expect((await update("visit/cafe.json")).published).toMatchObject({ written: 1 });
    await expectClean();
  });

  it("reads no section again whose parent has the same data for subpages", async () => {
    place.put("index.json", page(1, "home.HomePage", "Another home"));
    writeFileSync(place.file("visit/rooms/index.json"), "{");
    expect((await update("index.json")).published).toMatchObject({ written: 5 });
    expect((await update("visit/rooms/index.json")).findings.filter(isError)).toHaveLength(1);
  });

  it("reads a page again when it gets its first subpage", async () => {
    place.put("projects/wet/more/index.json", general(23, "More"));
    await update("projects/wet/more");
    place.put("projects/wet/more/index.json", general(23, "Not named"));
    place.put("projects/wet/more/page.json", general(24, "A page"));
    expect((await update("projects/wet/more/page.json")).published).toMatchObject({ written: 2 });
    await expectClean();
  });

  it("renders thousands of subpages of a page with a new title, with a second thread", async () => {
    const many = 2500;
    for (let i = 0; i < many; i++) place.put(`visit/_rooms/room-${i}.json`, general(1000 + i, "Room"));
    await update("visit/_rooms", "visit");
    place.put("visit/index.json", general(10, "Welcome"));
    expect((await update("visit/index.json")).published).toMatchObject({ written: many + 4 });
    await expectClean();
  });

  it("follows a folder that is moved or replaced, even if only the folder is named", async () => {
    renameSync(place.file("visit"), place.file("come"));
    expect((await update("visit", "come")).published).toMatchObject({ written: 6 });
    await expectClean();
    cpSync(place.file("come"), place.file("other"), { recursive: true });
    place.put("other/cafe.json", general(11, "Of the other folder"));
    rmSync(place.file("come"), { recursive: true });
    renameSync(place.file("other"), place.file("come"));
    await update("come");
    await expectClean();
  });

  it.each([
    ["the site", () => place.put("_site.json", { ...SITE, append_slash: false })],
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
    writeFileSync(place.file("about.json"), "{");
    expect((await live.compare())?.findings.filter(isError)).toHaveLength(1);
    await expect(live.compare()).resolves.toBeUndefined();
    place.put("about.json", general(2, "Not reported"));
    await expect(live.compare()).resolves.toMatchObject({ published: { written: 1 } });
    await expectClean();
  });

  it("keeps the last valid pages until the last error is fixed, and then publishes all saved changes", async () => {
    const before = published();
    writeFileSync(place.file("about.json"), "{");
    expect((await update("about.json")).findings.filter(isError)).toHaveLength(1);
    place.put("visit/cafe.json", general(11, "Sound"));
    expect((await update("visit/cafe.json")).findings.filter(isError)).toHaveLength(1);
    expect(published()).toEqual(before);
    place.put("about.json", general(2, "Mended"));
    expect((await update("about.json")).published).toMatchObject({ written: 2 });
    await expectClean();
  });

  it("loses no change if a source vanishes before that is reported", async () => {
    place.put("visit/cafe.json", general(11, "Saved"));
    rmSync(place.file("about.json"));
    place.put("_site.json", { ...SITE, append_slash: false });
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
      place.put("about.json", general(2, "Saved meanwhile"));
      place.put("visit/cafe.json", general(11, "This too"));
    };
    live = new WatchBuild({ ...place, headersFile, progress });
    place.put("_site.json", { ...SITE, append_slash: false });
    await live.update();
    expect(isSaved).toBe(true);
    await update("about.json", "visit/cafe.json");
    await expectClean();
  });

  it("handles a burst of files", async () => {
    const paths = Array.from({ length: 2100 }, (_, k) => `visit/_burst/page-${k}.json`);
    for (const [k, path] of paths.entries()) place.put(path, general(1000 + k, "Burst"));
    expect((await update(...paths.slice(0, 1000))).published).toMatchObject({ written: 2100 });
    for (const [k, path] of paths.entries()) place.put(path, general(1000 + k, "Again"));
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
    place.put("about.json", general(2, "Before the crash"));
    rmSync(place.file("visit/cafe.json"));
    place.put("added.json", general(90, "Added"));
    await live.update();
    live.close();
    rmSync(place.cache, { recursive: true });
    renameSync(`${place.cache}-before`, place.cache);
    place.put("about.json", general(2, "After the crash"));
    expect((await build({ ...place, headersFile })).published).toMatchObject({ written: 1, removed: 0 });
    await expectClean();
  });
});
