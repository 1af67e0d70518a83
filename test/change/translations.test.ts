import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { translatePage } from "../../build/change/translations.ts";
import { check } from "../../build/site/check.ts";
import { run } from "../command.ts";
import { MEMORY, scratch } from "../scratch.ts";
import { general, page, SITE, writeSite } from "../site/site.ts";

const HOME = "home.HomePage";
const BODY = {
  type: "standardpages.GeneralPage",
  fields: { body: { kind: "html", raw: true }, related: { list: "page" } },
};

let content: string;
beforeEach(() => {
  content = join(scratch("translate", MEMORY), "content");
  const { type, fields } = BODY;
  writeSite(content, {
    "_site.json": { ...SITE, locales: { en: "English", cy: "Cymraeg" } },
    "_types.json": { types: { [type]: { fields } } },
    "index.json": page(1, HOME, "Home"),
    "visit/index.json": general(2, "Visit"),
    "visit/hours.json": general(3, "Hours"),
    "visit/cafe/index.json": {
      ...general(5, "Café"),
      meta: { type, first_published_at: "2020-01-01T00:00:00Z" },
      body: '<p><a href="/visit/hours/#late">Hours</a>, <a linktype="page" id="2">a visit</a>, <a href="/about/">us</a></p>',
      related: [2, 3, 4],
    },
    "about.json": general(4, "About"),
    "about/_past.json": general(6, "History"),
    "cy/index.json": page(11, HOME, "Hafan"),
    "cy/visit/index.json": general(12, "Ymweld"),
    "cy/visit/oriau.json": { ...general(13, "Oriau"), meta: { type, translation_of: 3 } },
  });
});

const written = (file: string) => JSON.parse(readFileSync(join(content, file), "utf8")) as unknown;
const made = (of: number, path?: string, more = {}) =>
  translatePage(of, { content, locale: undefined, path, title: undefined, draft: false, id: 99, ...more })
    .target.file;

it("copies a page to the place of its translation, and leads its references to translations", async () => {
  expect(made(5)).toBe("cy/visit/cafe/index.json");
  expect(written("cy/visit/cafe/index.json")).toMatchObject({
    id: 99,
    title: "Café",
    meta: { type: BODY.type },
    body: '<p><a href="/cy/visit/oriau/#late">Hours</a>, <a linktype="page" id="12">a visit</a>, <a href="/about/">us</a></p>',
    related: [12, 13, 4],
  });
  expect((await check({ content })).findings).toEqual([]);
});

it("names the original of a page at another path, and of none at the same", async () => {
  expect(made(4, "amdanom", { title: "Amdanom" })).toBe("cy/amdanom.json");
  expect(written("cy/amdanom.json")).toMatchObject({ title: "Amdanom", meta: { translation_of: 4 } });
  expect(made(5, "cy/visit/cafe/", { id: 98 })).toBe("cy/visit/cafe/index.json");
  expect(written("cy/visit/cafe/index.json")).not.toHaveProperty("meta.translation_of");
  expect((await check({ content })).findings).toEqual([]);
});

it("makes a draft", () => expect(made(4, undefined, { draft: true })).toBe("cy/_about.json"));

it.each([
  [99, {}, "No page has the id 99."],
  [3, {}, "The page is in every language of the site already."],
  [3, { locale: "CY" }, "cy/visit/oriau.json is this page in Cymraeg (cy) already."],
  [4, { locale: "de" }, "The site has no language “de”. It has en (English), cy (Cymraeg)."],
  [6, {}, "about/_past.json is a draft: publish it first."],
])("refuses to translate the page %s with %o", (of, more, message) => {
  expect(() => made(of, undefined, more)).toThrow(message);
});

it("asks for the translation of the parent page first", () => {
  writeSite(content, { "shop/index.json": general(7, "Shop"), "shop/cards.json": general(8, "Cards") });
  expect(() => made(8)).toThrow(
    "The parent page, shop/index.json, has no translation into Cymraeg yet. Translate it first:\n  npx page-api new --translate 7 --locale cy",
  );
});

it("is offered by the command, with pages in a language of their own", async () => {
  const inCymraeg = ["general", "visit/parcio", "--title", "Parcio", "--locale", "cy", "--content", content];
  expect(await run("new", inCymraeg)).toMatchObject({ status: 0 });
  expect(written("cy/visit/parcio.json")).toMatchObject({ title: "Parcio" });
  expect(await run("new", ["--translate", "5", "--content", content])).toMatchObject({ status: 0 });
  const clash = await run("new", ["general", "cy", "--title", "Clash", "--content", content]);
  expect(clash).toMatchObject({ status: 2 });
  expect(clash.stderr).toContain(
    "“cy” is the address of the home page of Cymraeg (cy): choose another name.",
  );
});
