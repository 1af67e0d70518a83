import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PAGES } from "../../../build/base/api.ts";
import { build } from "../../../build/site/build.ts";
import { replaceCalls } from "../../faults.ts";
import { placeWith } from "../site.ts";

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
  const place = placeWith("removal");
  await build(place);
  const before = place.tree();
  place.drop("about.json");
  isKilled = true;
  await expect(build(place)).rejects.toThrow("killed");
  isKilled = false;
  expect(existsSync(join(place.out, PAGES, "2"))).toBe(false);
  await build(place);
  const { [`${PAGES}/2/index.json`]: _, ...rest } = before;
  expect(Object.keys(place.tree())).toEqual(Object.keys(rest));
});
