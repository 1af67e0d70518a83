import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROGRAM } from "../../build/base/program.ts";
import { loadManifest } from "../../build/site/manifest/manifest.ts";
import { FOLDER, OUTPUT } from "../../build/site/manifest/outputs.ts";
import { build } from "../../build/site/build.ts";
import { searchChanges, SOURCE } from "../../build/site/changes.ts";
import { foldersOf } from "../../build/site/folders.ts";
import { placeWith } from "./site.ts";

it("a second thread finds the same changes of sources and pages", async () => {
  const place = placeWith("changes");
  await build(place);
  // Otherwise the sources are as young as a tick of the clock, and racy.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await build({ ...place, full: true });
  const { layout, cache, content } = foldersOf(place);
  const search = async (minFilesForThread: number): Promise<Record<string, number>> => {
    const manifest = loadManifest(cache, PROGRAM);
    if (manifest === undefined) throw new Error("no manifest");
    const changes = await searchChanges(content, layout.pages, manifest, undefined, minFilesForThread);
    return Object.fromEntries(
      Array.from(changes, (change, i): [string, number] => [manifest.listing.path(i), change]).filter(
        ([, change]) => change !== 0,
      ),
    );
  };
  expect(await search(0)).toEqual({});
  appendFileSync(join(content, "about.json"), "\n");
  rmSync(join(layout.pages, "11"), { recursive: true });
  writeFileSync(join(layout.pages, "12/index.json"), "{}");
  writeFileSync(join(layout.pages, "14/foreign.html"), "");
  const found = await search(0);
  expect(found).toMatchObject({ "about.json": SOURCE });
  expect(Object.values(found).sort((a, b) => a - b)).toEqual([SOURCE, OUTPUT, FOLDER, OUTPUT | FOLDER]);
  expect(await search(Number.POSITIVE_INFINITY)).toEqual(found);
});
