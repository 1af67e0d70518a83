import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { countSubpages, move, publishDraft, retire, withdraw } from "../../build/change/page-actions.ts";
import { readPages } from "../../build/change/pages.ts";
import { targetsIn } from "../../build/change/translate.ts";
import { translatePage, translationGroups } from "../../build/change/translations.ts";
import { modelOf } from "../../build/model/types.ts";
import { check } from "../../build/site/check.ts";
import { runHere } from "../command.ts";
import { readJson, treeOf } from "../files.ts";
import { commit, init } from "./diff/repository.ts";
import { MEMORY, scratch } from "../scratch.ts";
import { general, page, SITE, writeSite } from "../site/site.ts";
import { refusal } from "../refusal.ts";

const HOME = "home.HomePage";
const GENERAL = "standardpages.GeneralPage";
const BODY = { type: GENERAL, fields: { body: { kind: "html", raw: true }, related: { list: "page" } } };

const PAST = "2020-01-01T00:00:00Z";
const linking = (path: string, id: number): string =>
  `<p><a href="/${path}/#late">A</a> <a href="https://www.example.org/${path}/?a=1#b">b</a> <a linktype="page" id="${id}">c</a> <a href="/about/">d</a></p>`;

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
      meta: { type, seo_title: "Tea", order: 2, first_published_at: PAST, go_live_at: PAST },
      body: linking("visit/hours", 2),
      related: [2, 3, 4],
    },
    "about.json": general(4, "About"),
    "about/_past.json": general(6, "History"),
    "cy/index.json": page(11, HOME, "Hafan"),
    "cy/visit/index.json": general(12, "Ymweld"),
    "cy/visit/oriau.json": { ...general(13, "Oriau"), meta: { type, translation_of: 3 } },
  });
});

const written = (file: string) => readJson(content, file) as Record<string, unknown>;
const made = (of: number, path?: string, more = {}) =>
  translatePage(of, { content, locale: undefined, path, title: undefined, draft: false, id: 99, ...more })
    .target.file;

it("copies a page to the place of its translation, and leads its references to translations", async () => {
  expect(made(5)).toBe("cy/visit/cafe/index.json");
  expect(written("cy/visit/cafe/index.json")).toMatchObject({
    id: 99,
    title: "Café",
    body: linking("cy/visit/oriau", 12),
    related: [12, 13, 4],
  });
  expect(written("cy/visit/cafe/index.json")["meta"]).toEqual({ type: GENERAL, seo_title: "Tea", order: 2 });
  expect((await check({ content })).findings).toEqual([]);
});

it("finds the pages and paths that the links of a source lead to", () => {
  const model = modelOf(content);
  const text = JSON.stringify(written("visit/cafe/index.json"));
  const targets = targetsIn(text, { model, site: readPages(content, model).site });
  expect(targets).toEqual({ ids: [2, 3, 4], paths: ["/visit/hours", "/about"] });
});

it("names the original of a page at another path, and of none at the same", async () => {
  expect(made(4, "amdanom", { title: "Amdanom" })).toBe("cy/amdanom.json");
  const amdanom = written("cy/amdanom.json");
  expect(amdanom).toMatchObject({ title: "Amdanom", meta: { translation_of: 4 } });
  expect(Object.keys(amdanom)).toEqual(["$schema", "id", "meta", "title"]);
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

const files = () => Object.keys(treeOf(content)).filter((file) => file.includes("/"));
const findings = async () => (await check({ content })).findings;
const groupOf = (file: string) =>
  translationGroups(readPages(content, modelOf(content)))
    .get(file)
    ?.map((one) => one.file);

describe("of a page that moves, is retired, or becomes a draft", () => {
  it("stay translations, and stay where they are", async () => {
    writeSite(content, { "cy/about.json": general(14, "Amdanom") });
    const { left } = move(content, "about", "us");
    expect(left.map(({ file }) => file)).toEqual(["cy/about.json"]);
    expect(written("us.json")).toMatchObject({ meta: { type: GENERAL, translation_of: 14 } });
    move(content, "visit/hours", "times");
    expect(written("times.json")).not.toHaveProperty("meta.translation_of");
    expect(groupOf("times.json")).toEqual(["times.json", "cy/visit/oriau.json"]);
    move(content, "cy/visit", "cy/ymweld");
    expect(written("cy/ymweld/index.json")).toHaveProperty("meta.translation_of", 2);
    expect(await findings()).toEqual([]);
  });

  it("move along, to the new parent page, with names of their own", async () => {
    writeSite(content, { "cy/visit/cafe.json": general(14, "Caffi") });
    const { along } = move(content, "visit", "ymweld", { translations: true });
    expect(along).toEqual([{ from: "cy/visit/index.json", to: "cy/ymweld/index.json" }]);
    expect(move(content, "ymweld/hours", "times", { translations: true }).along).toEqual([
      { from: "cy/ymweld/oriau.json", to: "cy/oriau.json" },
    ]);
    expect(files()).toEqual(expect.arrayContaining(["cy/oriau.json", "cy/ymweld/cafe.json"]));
    expect(written("cy/ymweld/cafe.json")).not.toHaveProperty("meta.translation_of");
    expect(() => move(content, "times", "about/times", { translations: true })).toThrow(/about/);
    expect(await findings()).toEqual([]);
  });

  it("refuse to move below a page that is not translated", () => {
    writeSite(content, { "shop/index.json": general(7, "Shop") });
    const before = treeOf(content);
    expect(() => move(content, "visit/hours", "shop/hours", { translations: true })).toThrow(
      "The new parent page, shop/index.json, has no translation into Cymraeg, so cy/visit/oriau.json cannot move along. Translate it first:\n  npx page-api new --translate 7 --locale cy",
    );
    expect(treeOf(content)).toEqual(before);
  });

  it("name no page that is retired, and are retired with it on request", async () => {
    writeSite(content, { "visit/cafe/index.json": general(5, "Café") });
    expect(retire(content, "visit/hours", undefined).left).toMatchObject([{ file: "cy/visit/oriau.json" }]);
    expect(written("cy/visit/oriau.json")).not.toHaveProperty("meta.translation_of");
    writeSite(content, {
      "cy/about.json": general(14, "Amdanom"),
      "cy/visit/cafe.json": general(15, "Caffi"),
    });
    expect(countSubpages(content, "visit", { translations: true })).toBe(3);
    const { pages } = retire(content, "visit", "/about/", { translations: true });
    expect(pages.map(({ id, to }) => [id, to])).toEqual([
      [2, "/about/"],
      [5, "/about/"],
      [12, "/cy/about/"],
      [15, "/cy/about/"],
      [13, "/cy/about/"],
    ]);
    expect(retire(content, "cy/about", "/").pages).toMatchObject([{ id: 14, to: "/" }]);
    expect((await findings()).map(({ code }) => code)).toEqual(["empty-owned-path"]);
  });

  it("are retired as a whole with the home page of their language, which cannot be moved", async () => {
    const home = join(content, "cy");
    const only = /home page of a language: it can only be retired/;
    expect(() => move(content, home, join(content, "ie"))).toThrow(only);
    expect(() => withdraw(content, "cy/index.json")).toThrow(only);
    const locales = { en: "English", cy: { label: "Cymraeg", path: "/cymraeg/" } };
    writeSite(content, { "_site.json": { ...SITE, locales } });
    expect(() => retire(content, home, undefined, { translations: true })).toThrow(/the root of the site/);
    const { pages, left } = retire(content, home, undefined);
    expect(pages.map(({ address }) => address)).toEqual([
      "/cymraeg/",
      "/cymraeg/visit/",
      "/cymraeg/visit/oriau/",
    ]);
    expect(left).toEqual([]);
    expect((await findings()).map(({ code }) => code)).toEqual(["locale-without-pages"]);
  });

  it("are led by another page while their original is a draft", async () => {
    writeSite(content, { "visit/cafe/index.json": general(5, "Café") });
    withdraw(content, "visit/hours.json");
    expect(written("cy/visit/oriau.json")).not.toHaveProperty("meta.translation_of");
    expect(written("visit/_hours.json")).toHaveProperty("meta.translation_of", 13);
    expect(await findings()).toEqual([]);
    publishDraft(content, "visit/_hours.json");
    expect(groupOf("visit/hours.json")).toEqual(["visit/hours.json", "cy/visit/oriau.json"]);
    expect(await findings()).toEqual([]);
  });

  it("are led by another page while a section is a draft, which moves with its pages", async () => {
    writeSite(content, { "visit/cafe/index.json": general(5, "Café") });
    withdraw(content, "visit/index.json");
    expect(written("cy/visit/oriau.json")).not.toHaveProperty("meta.translation_of");
    expect(await findings()).toEqual([]);
    expect(move(content, "visit/_index.json", "tour").to).toBe("tour/_index.json");
    expect(written("tour/_index.json")).toHaveProperty("meta.translation_of", 12);
    publishDraft(content, "tour/_index.json");
    expect(groupOf("tour/hours.json")).toEqual(["tour/hours.json", "cy/visit/oriau.json"]);
    expect(groupOf("tour/index.json")).toEqual(["tour/index.json", "cy/visit/index.json"]);
    expect((await findings()).map(({ code }) => code)).toEqual(["empty-owned-path"]);
  });
});

it("is offered by the command, with pages in a language of their own", async () => {
  const inCymraeg = ["general", "visit/parcio", "--title", "Parcio", "--locale", "cy", "--content", content];
  expect(await runHere("new", inCymraeg)).toMatchObject({ status: 0 });
  expect(written("cy/visit/parcio.json")).toMatchObject({ title: "Parcio" });
  expect(await runHere("new", ["--translate", "5", "--content", content])).toMatchObject({ status: 0 });
  const clash = await runHere("new", ["general", "cy", "--title", "Clash", "--content", content]);
  expect(clash).toMatchObject(
    refusal("“cy” is the address of the home page of Cymraeg (cy): choose another name."),
  );
});

it("are listed by check --translations: what a language lacks, and what is older than its original", async () => {
  const args = ["--translations", "--content", content];
  const without = await runHere("check", args);
  expect(without).toMatchObject({ status: 0 });
  expect(without.stdout.replaceAll(/^ {2}.*\/(?=about|visit)/gm, "  ")).toBe(
    `English (en) has every page.
Not in Cymraeg (cy):
  about.json  About
  visit/cafe/index.json  Café
Git does not have the history that shows which translations are older.
`,
  );
  init(content);
  commit(content, "2026-01-01T00:00:00Z");
  writeSite(content, {
    "visit/hours.json": general(3, "Opening hours"),
    "cy/_about.json": general(14, "Amdanom"),
  });
  commit(content, "2026-01-02T00:00:00Z");
  const { stdout } = await runHere("check", [join(content, "cy"), "--reporter", "json", ...args]);
  expect((JSON.parse(stdout) as { translations: unknown }).translations).toEqual({
    missing: [
      { locale: "en", label: "English", pages: [], types: [] },
      { locale: "cy", label: "Cymraeg", pages: [], types: [] },
    ],
    older: [
      {
        file: "cy/visit/oriau.json",
        committed: Date.parse("2026-01-01") / 1000,
        original: { file: "visit/hours.json", committed: Date.parse("2026-01-02") / 1000 },
      },
    ],
    isKnown: true,
  });
});
