import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../../build/base/failure.ts";
import { build } from "../../build/site/build.ts";
import { SourceMissing } from "../../build/source/read.ts";
import { readFolder } from "../../build/source/find.ts";
import { treeOf } from "../files.ts";
import { cleanTree } from "./clean.ts";
import { general, write, SITE, SMALL_SITE } from "./site.ts";
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

const source = (path: string): string => join(place.content, path);

describe.each([
  ["the first build", false],
  ["an incremental build", true],
])("during %s", (_, isIncremental) => {
  beforeEach(async () => {
    if (!isIncremental) return;
    await build(place);
    // The build has to read every page again.
    write(place.content, "_site.json", { ...SITE, append_slash: false });
    write(place.content, "index.json", { id: 1, meta: { type: "home.HomePage" }, title: "Another home" });
  });

  const refused: [string, () => void][] = [
    ["a page vanishes", () => rmSync(source("about.json"))],
    ["a folder vanishes", () => rmSync(source("visit"), { recursive: true })],
    [
      "a page becomes a link",
      () => {
        renameSync(source("about.json"), join(place.folder, "elsewhere.json"));
        symlinkSync(join(place.folder, "elsewhere.json"), source("about.json"));
      },
    ],
    [
      "a folder becomes a file",
      () => {
        rmSync(source("visit"), { recursive: true });
        write(place.content, "visit", "x");
      },
    ],
  ];

  it.each(refused)("%s: nothing is published, and the next build is correct", async (_name, change) => {
    const before = treeOf(place.out);
    await expect(buildDuring(change)).rejects.toBeInstanceOf(Failure);
    expect(treeOf(place.out)).toEqual(before);
    const { published } = await build(place);
    const clean = await cleanTree(place.content);
    expect(treeOf(place.out)).toEqual(published ? clean : before);
  });

  const taken: [string, () => void][] = [
    ["a page gets another title", () => write(place.content, "about.json", general(2, "Hello"))],
    [
      "a page with subpages gets another title",
      () => write(place.content, "visit/index.json", general(10, "Hello")),
    ],
    ["a page is added", () => write(place.content, "added.json", general(99, "Added"))],
    ["a page is broken", () => write(place.content, "about.json", "{")],
    ["the site's addresses change", () => write(place.content, "_site.json", "{}")],
  ];

  it.each(taken)("%s: the next build is correct", async (_name, change) => {
    await buildDuring(change);
    const before = treeOf(place.out);
    const { published } = await build(place);
    const clean = await cleanTree(place.content);
    expect(treeOf(place.out)).toEqual(published ? clean : before);
  });
});

it("refuses another page of a section, if the build took the section's data from the manifest", async () => {
  // Otherwise the sources are as young as a tick of the clock, and racy.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await build(place);
  rmSync(join(place.out, "api/v2/pages/10"), { recursive: true });
  const before = treeOf(place.out);
  const change = (): void => write(place.content, "visit/index.json", general(10, "Hello"));
  await expect(buildDuring(change)).rejects.toBeInstanceOf(SourceMissing);
  expect(treeOf(place.out)).toEqual(before);
  await build(place);
  expect(treeOf(place.out)).toEqual(await cleanTree(place.content));
});

it("publishes the pages of sections as their subpages know them, on both threads", async () => {
  const sections = Array.from({ length: 1000 }, (_, k): [path: string, id: number] => [
    `section-${k}/index.json`,
    1000 + k,
  ]);
  for (const [path, id] of sections) {
    write(place.content, path, general(id, "A section"));
    write(place.content, path.replace("index", "page"), general(1000 + id, "A page"));
  }
  const expected = await cleanTree(place.content);
  await buildDuring(() => {
    for (const [path, id] of sections) write(place.content, path, general(id, "Another title"));
  });
  expect(treeOf(place.out)).toEqual(expected);
  await build(place);
  expect(treeOf(place.out)).toEqual(await cleanTree(place.content));
});

it("reports a folder that vanishes during the listing as a source that vanished", () => {
  expect(() => readFolder(place.content, "gone")).toThrow(SourceMissing);
});
