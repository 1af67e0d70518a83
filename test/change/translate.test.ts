import { expect, it } from "vitest";
import { targetsIn, translate } from "../../build/change/translate.ts";
import { programModel } from "../../build/model/program-model.ts";
import { checkSiteConfig } from "../../build/check/config.ts";
import { parseJson } from "../../build/source/json/parse.ts";
import { SITE } from "../site/site.ts";

const body = (path: string, id: number) =>
  `<p>A <a href="https://www.example.org/${path}/?a=1#b">b</a> <a linktype="page" id="${id}">c</a> <a href="/d/">d</a></p>`;

it("begins a translation with the shared values of a page, and with links to translations", () => {
  const { site } = checkSiteConfig(parseJson("_site.json", Buffer.from(JSON.stringify(SITE))));
  const page = {
    $schema: "x",
    id: 3,
    meta: { type: "artworks.ArtworkPage", seo_title: "Hours", order: 2, go_live_at: "2030-01-01T00:00:00Z" },
    title: "Hours",
    description: body("visit/hours", 4),
  };
  if (site === undefined) throw new Error("the site is wrong");
  const at = { model: programModel, site };
  const text = JSON.stringify(page);
  expect(targetsIn(text, at)).toEqual({ ids: [4], paths: ["/visit/hours", "/d"] });
  const ids = new Map([[4, 14]]);
  expect(translate(text, 13, at, ids, new Map([["/visit/hours", "/cy/ymweld/oriau/"]]))).toEqual({
    id: 13,
    meta: { type: "artworks.ArtworkPage", seo_title: "Hours", order: 2, translation_of: 3 },
    title: "Hours",
    description: body("cy/ymweld/oriau", 14),
  });
});
