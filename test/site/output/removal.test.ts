import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PAGES } from "../../../build/base/api.ts";
import { build } from "../../../build/site/build.ts";
import { replaceCalls } from "../../faults.ts";
import { treeOf } from "../../files.ts";
import { workplace, writeSite } from "../site.ts";

let isKilled = false;

// Simulates a kill during a removal: the file of a page is removed, and its folder is not.
replaceCalls((real) => ({
  rmSync: (path, options) => {
    const file = join(String(path), "index.json");
    if (!isKilled || !existsSync(file)) return real.rmSync(path, options);
    real.rmSync(file);
    throw new Error("killed");
  },
}));

it("leaves no page folder without its page if a build is killed while removing it, and the next build is correct", async () => {
  const place = workplace("removal");
  writeSite(place.content);
  await build(place);
  const before = treeOf(place.out);
  rmSync(join(place.content, "about.json"));
  isKilled = true;
  await expect(build(place)).rejects.toThrow("killed");
  isKilled = false;
  expect(existsSync(join(place.out, PAGES, "2"))).toBe(false);
  await build(place);
  const { [`${PAGES}/2/index.json`]: _, ...rest } = before;
  expect(Object.keys(treeOf(place.out))).toEqual(Object.keys(rest));
});
