import { expect, it } from "vitest";
import { imagesWithUses } from "../../build/dev/image-uses.ts";
import { programModel } from "../../build/model/program-model.ts";
import type { Site } from "../../build/model/site.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { readJson } from "../files.ts";

it("gives all sizes of an image of a page the text that describes it", async () => {
  const { base_url, ...settings } = readJson(FIXTURE_SITE, "_site.json") as Site;
  const site = { ...settings, base_url, media_url: `${base_url}/media` };
  const paths = [480, 960, 1920].map((width) => `images/p00055/p00055-${width}.jpg`);
  const found = await imagesWithUses({ content: FIXTURE_SITE, paths, site, model: programModel });
  expect(found.map(({ texts }) => texts)).toEqual(
    paths.map(() => [expect.stringContaining("A vast dark hall")]),
  );
});
