import { expect, it } from "vitest";
import { build } from "../../build/site/build.ts";
import { choosePages } from "../../build/verify/sample.ts";
import { dated, general, page, placeWith, SITE } from "../site/site.ts";

it("takes only live pages from the sources of a host, and no draft that is published yet", async () => {
  const place = placeWith("sample", {
    "_site.json": SITE,
    "index.json": page(1, "home.HomePage", "Home"),
    "visit/index.json": general(2, "Visit"),
    "visit/_tours.json": general(3, "Tours"),
    "past/index.json": dated(4, "Past", { expire_at: "2020-01-01T00:00:00Z" }),
    "past/below.json": general(5, "Below"),
    "future.json": dated(6, "Future", { go_live_at: "9000-01-01T00:00:00Z" }),
  });
  const { content, out } = place;
  expect(choosePages({ content })).toMatchObject({ ids: [1, 2], complete: true, drafts: [3] });
  await build(place);
  place.drop("visit");
  place.put("_visit.json", general(2, "Visit"));
  expect(choosePages({ content })).toMatchObject({ ids: [1], drafts: [2] });
  expect(choosePages({ content, out })).toMatchObject({ ids: [1, 2], drafts: [] });
});
