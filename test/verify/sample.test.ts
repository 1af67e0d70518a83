import { expect, it } from "vitest";
import { choosePages } from "../../build/verify/sample.ts";
import { dated, general, page, placeWith } from "../site/site.ts";

it("takes only live pages from the sources of a host", () => {
  const { content } = placeWith("sample", {
    "index.json": page(1, "home.HomePage", "Home"),
    "visit/index.json": general(2, "Visit"),
    "visit/_tours.json": general(3, "Tours"),
    "past/index.json": dated(4, "Past", { expire_at: "2020-01-01T00:00:00Z" }),
    "past/below.json": general(5, "Below"),
    "future.json": dated(6, "Future", { go_live_at: "9000-01-01T00:00:00Z" }),
  });
  expect(choosePages({ content })).toMatchObject({ ids: [1, 2], complete: true, drafts: [3] });
});
