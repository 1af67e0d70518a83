import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../../build/base/failure.ts";
import { build } from "../../build/site/build.ts";
import { SourceMissing } from "../../build/source/read.ts";
import { readFolder } from "../../build/source/find.ts";
import { cleanTree } from "./clean.ts";
import { general, SITE, SMALL_SITE } from "./site.ts";
import { placeOfEachTest } from "../each.ts";
import { MEMORY } from "../scratch.ts";

const place = placeOfEachTest("changing", SMALL_SITE, MEMORY);

/** Builds, and changes the sources after the build has listed the folders and before it reads the pages. */
async function buildDuring(change: () => void) {
  let isDone = false;
  const progress = (): void => {
    if (!isDone) change();
    isDone = true;
  };
  return build({ ...place, progress });
}

describe.each([
  ["the first build", false],
  ["an incremental build", true],
])("during %s", (_, isIncremental) => {
  beforeEach(async () => {
    if (!isIncremental) return;
    await build(place);
    // The build has to read every page again.
    place.put("_site.json", { ...SITE, append_slash: false });
    place.put("index.json", { id: 1, meta: { type: "home.HomePage" }, title: "Another home" });
  });

  const refused: [string, () => void][] = [
    ["a page vanishes", () => rmSync(place.file("about.json"))],
    ["a folder vanishes", () => rmSync(place.file("visit"), { recursive: true })],
    [
      "a page becomes a link",
      () => {
        renameSync(place.file("about.json"), join(place.folder, "elsewhere.json"));
        symlinkSync(join(place.folder, "elsewhere.json"), place.file("about.json"));
      },
    ],
    [
      "a folder becomes a file",
      () => {
        rmSync(place.file("visit"), { recursive: true });
        place.put("visit", "x");
      },
    ],
  ];

  it.each(refused)("%s: nothing is published, and the next build is correct", async (_name, change) => {
    const before = place.tree();
    await expect(buildDuring(change)).rejects.toBeInstanceOf(Failure);
    expect(place.tree()).toEqual(before);
    const { published } = await build(place);
    const clean = await cleanTree(place.content);
    expect(place.tree()).toEqual(published ? clean : before);
  });

  const taken: [string, () => void][] = [
    ["a page gets another title", () => place.put("about.json", general(2, "Hello"))],
    ["a page with subpages gets another title", () => place.put("visit/index.json", general(10, "Hello"))],
    ["a page is added", () => place.put("added.json", general(99, "Added"))],
    ["a page is broken", () => place.put("about.json", "{")],
    ["the site's addresses change", () => place.put("_site.json", "{}")],
  ];

  it.each(taken)("%s: the next build is correct", async (_name, change) => {
    await buildDuring(change);
    const before = place.tree();
    const { published } = await build(place);
    const clean = await cleanTree(place.content);
    expect(place.tree()).toEqual(published ? clean : before);
  });
});

it("refuses another page of a section, if the build took the section's data from the manifest", async () => {
  // Otherwise the sources are as young as a tick of the clock, and racy.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await build(place);
  rmSync(join(place.out, "api/v2/pages/10"), { recursive: true });
  const before = place.tree();
  const change = (): void => place.put("visit/index.json", general(10, "Hello"));
  await expect(buildDuring(change)).rejects.toBeInstanceOf(SourceMissing);
  expect(place.tree()).toEqual(before);
  await build(place);
  expect(place.tree()).toEqual(await cleanTree(place.content));
});

it("publishes the pages of sections as their subpages know them, on both threads", async () => {
  const sections = Array.from({ length: 1000 }, (_, k): [path: string, id: number] => [
    `section-${k}/index.json`,
    1000 + k,
  ]);
  for (const [path, id] of sections) {
    place.put(path, general(id, "A section"));
    place.put(path.replace("index", "page"), general(1000 + id, "A page"));
  }
  const expected = await cleanTree(place.content);
  await buildDuring(() => {
    for (const [path, id] of sections) place.put(path, general(id, "Another title"));
  });
  expect(place.tree()).toEqual(expected);
  await build(place);
  expect(place.tree()).toEqual(await cleanTree(place.content));
});

it("reports a folder that vanishes during the listing as a source that vanished", () => {
  expect(() => readFolder(place.content, "gone")).toThrow(SourceMissing);
});
