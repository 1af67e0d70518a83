import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { instantOf } from "../../build/base/instant.ts";
import { build } from "../../build/site/build.ts";
import { BuildSession } from "../../build/site/session.ts";
import type { ListedTranslations } from "../../build/browse/data-files.ts";
import { commit, init } from "../change/diff/repository.ts";
import { writeHeaders } from "../editor/github/museum.ts";
import { filesOf, inNode } from "../hosting/code.ts";
import { MEMORY } from "../scratch.ts";
import { cleanTree } from "./clean.ts";
import { general, page, SITE, placeWith, type Workplace } from "./site.ts";

const HOME = "home.HomePage";
const LOCALES = { en: "English", cy: "Cymraeg" };
const translating = (id: number, title: string, of: number) => ({
  ...general(id, title),
  meta: { type: "standardpages.GeneralPage", translation_of: of },
});

const bilingual = (name: string, files: Record<string, unknown> = {}) =>
  placeWith(
    name,
    {
      "_site.json": { ...SITE, locales: LOCALES, index: true },
      "index.json": page(1, HOME, "Home"),
      "visit/index.json": general(2, "Visit"),
      "visit/hours.json": general(3, "Hours"),
      "about.json": general(4, "About"),
      "cy/index.json": page(11, HOME, "Hafan"),
      "cy/visit/index.json": general(12, "Ymweld"),
      "cy/visit/oriau.json": translating(13, "Oriau", 3),
      ...files,
    },
    MEMORY,
  );

interface Response {
  meta: { html_url: string; slug: string; parent: unknown; locale: string; translations?: { id: number }[] };
}

const response = (at: Workplace, id: number): Response => at.response(id);

const translationsOf = (place: Workplace, id: number) =>
  response(place, id).meta.translations?.map((one) => one.id);

it.each([
  ["translation_of=3", [13]],
  ["translation_of=13", [3]],
  ["translation_of=4", []],
  ["translation_of=2&child_of=11", [12]],
  ["translation_of=2&child_of=12", []],
  ["translation_of=3&descendant_of=11&locale=cy", [13]],
  ["translation_of=3&descendant_of=1", []],
  ["translation_of=2&ancestor_of=13&slug=visit", [12]],
  ["translation_of=3&locale=en", []],
  ["locale=cy", [11, 12, 13]],
  ["locale=en&type=standardpages.GeneralPage", [2, 3, 4]],
  ["child_of=11", [12]],
  ["child_of=1&locale=cy", []],
])("lists %s", async (query, ids) => {
  const place = bilingual("lists");
  await build(place);
  const { body } = await inNode(filesOf(place))(`/api/v2/pages/?${query}`);
  expect((JSON.parse(body) as { items: { id: number }[] }).items.map(({ id }) => id)).toEqual(ids);
});

const NO_LOCALE = "No Locale matches the given query.";
it.each([
  ["locale=fr", 404, NO_LOCALE],
  ["locale=", 404, NO_LOCALE],
  ["locale=fr&search=x", 404, NO_LOCALE],
  ["locale=fr&translation_of=99", 400, "translation_of page doesn't exist"],
])("refuses %s with the status %i", async (query, ...expected) => {
  const place = bilingual("refused");
  await build(place);
  const { status, body } = await inNode(filesOf(place))(`/api/v2/pages/?${query}`);
  expect([status, (JSON.parse(body) as { message: string }).message]).toEqual(expected);
});

it("publishes a tree of pages for each language, and the translations of each page", async () => {
  const place = bilingual("two");
  expect((await build(place)).findings).toEqual([]);
  expect(response(place, 11).meta).toMatchObject({
    html_url: "https://www.example.org/cy/",
    slug: "cy",
    parent: null,
    locale: "cy",
  });
  expect([1, 2, 3, 4, 11, 12, 13].map((id) => translationsOf(place, id))).toEqual([
    [11],
    [12],
    [13],
    [],
    [1],
    [2],
    [3],
  ]);
});

it.each([
  ["in the usual layout", '{"id": 13, "meta": {"type": "standardpages.GeneralPage"}, "title": "“Gŵyl” – ✓"}'],
  ["in another", '{"title": "“G\\u0175yl” – ✓", "id": 13, "meta": {"type": "standardpages.GeneralPage"}}'],
])("shows a title and an address of a translation with letters beyond ASCII, %s", async (_, text) => {
  const place = bilingual("letters", {
    "_site.json": { ...SITE, base_url: "https://api.amgueddfá.example", locales: LOCALES },
    "gŵyl.json": general(5, "Festival"),
    "cy/gŵyl.json": text,
    "cy/visit/oriau.json": general(15, "Oriau"),
  });
  await build(place);
  const meta = {
    type: "standardpages.GeneralPage",
    locale: "cy",
    detail_url: "https://api.amgueddfá.example/api/v2/pages/13/",
    html_url: "https://www.example.org/cy/g%C5%B5yl/",
  };
  expect(response(place, 5).meta.translations).toEqual([{ id: 13, meta, title: "“Gŵyl” – ✓" }]);
});

it("rebuilds the pages whose translations change, and no other, with the bytes of a full build", async () => {
  const place = bilingual("changes");
  const { content } = place;
  await build({ ...place, browse: true });
  const steps: [change: () => void, written: number, removed?: number][] = [
    [() => place.put("cy/visit/index.json", general(12, "Ymweliad")), 3],
    // More bytes than are kept between the two readings of a source.
    [() => place.put("cy/about.json", JSON.stringify(general(14, "Amdanom ni")) + " ".repeat(9000)), 2],
    [() => place.put("cy/visit/oriau.json", general(13, "Oriau")), 2],
    [() => place.put("cy/visit/oriau.json", translating(13, "Oriau", 3)), 2],
    [() => renameSync(join(content, "cy/visit/oriau.json"), join(content, "cy/oriau.json")), 2],
    [
      () =>
        place.put("about.json", {
          ...general(4, "About"),
          meta: { type: "standardpages.GeneralPage", expire_at: "2020-01-01T00:00:00Z" },
        }),
      1,
      1,
    ],
    [() => rmSync(join(content, "cy/oriau.json")), 1, 1],
    [
      () => place.put("_site.json", { ...SITE, locales: { en: "English", cy: { label: "C", path: "/w/" } } }),
      5,
    ],
    [() => place.put("_site.json", { ...SITE, locales: LOCALES, translations: false }), 6],
  ];
  for (const [change, written, removed = 0] of steps) {
    change();
    const { published, findings } = await build({ ...place, browse: true });
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(published).toMatchObject({ written, removed });
    expect(place.tree()).toEqual(await cleanTree(content, { browse: true }));
  }
});

it("reads a page with another title, its translation and its subpages again, and nothing else", async () => {
  const place = bilingual("read");
  let read = 0;
  const session = new BuildSession({ ...place, browse: true, progress: (_, count) => (read = count) });
  const rename = async (path: string, source: object): Promise<number> => {
    place.put(path, source);
    await session.step(new Set([place.file(path)]));
    return read;
  };
  await session.step();
  expect(await rename("about.json", general(4, "About us"))).toBe(1);
  expect(await rename("cy/visit/oriau.json", translating(13, "Amserau", 3))).toBe(2);
  expect(await rename("cy/visit/index.json", general(12, "Ymweliad"))).toBe(3);
  session.close();
});

it("lists the translations at an instant, after a step at another one has failed", async () => {
  const meta = { type: "standardpages.GeneralPage", expire_at: "2020-01-01T00:00:00Z" };
  const place = bilingual("failed", { "cy/visit/hours.json": { ...general(14, "Oriau"), meta } });
  place.drop("cy/visit/oriau.json");
  let fails = false;
  const progress = () => {
    if (fails) throw new Error("stopped");
  };
  const session = new BuildSession({ ...place, browse: true, progress });
  const [before, after] = ["2019-01-01T00:00:00Z", "2021-01-01T00:00:00Z"].map(instantOf);
  await session.step(undefined, before);
  const listed = session.translations;
  fails = true;
  await expect(session.step(undefined, after)).rejects.toThrow("stopped");
  fails = false;
  await session.step(undefined, before);
  expect(session.translations).toEqual(listed);
  session.close();
});

it("lists for the published editor what was committed before its original", async () => {
  const repository = { name: "a/b" };
  const place = bilingual("older", { "_site.json": { ...SITE, locales: LOCALES, repository } });
  const headersFile = writeHeaders(place.folder, "https://api.github.com");
  // A build that stays open, which has no commits at first.
  const session = new BuildSession({ ...place, browse: true, headersFile });
  const older = async () => {
    expect((await session.step()).findings).toEqual([]);
    return (place.publishedJson("browse/translations.json") as ListedTranslations).older;
  };
  expect(await older()).toBeUndefined();
  init(place.content);
  commit(place.content, "2026-01-01T00:00:00Z");
  expect(await older()).toEqual([]);
  place.put("visit/hours.json", general(3, "Opening hours"));
  commit(place.content, "2026-01-02T00:00:00Z");
  expect(await older()).toEqual([[13, "2026-01-02T00:00:00.000Z"]]);
  place.put("cy/visit/oriau.json", translating(13, "Oriau agor", 3));
  commit(place.content, "2026-01-03T00:00:00Z");
  expect(await older()).toEqual([]);
  session.close();
});

it("reports languages and translations that are wrong, each at its place", async () => {
  const place = bilingual("wrong", {
    "_site.json": { ...SITE, locales: { ...LOCALES, fr: "Français" } },
    "cy.json": general(20, "Taken"),
    "cy/a.json": translating(21, "Nowhere", 99),
    "cy/b.json": translating(22, "Same language", 12),
    "cy/c.json": translating(23, "Draft", 30),
    "_draft.json": general(30, "Draft"),
    "cy/d.json": translating(24, "Twice", 2),
    "cy/e.json": translating(25, "Another type", 1),
    "fr/index.json": general(26, "No home page"),
  });
  const { findings } = await build(place);
  expect(findings.map(({ code, place: { file } }) => `${code} ${file}`)).toEqual([
    "slug-clash cy.json",
    "wrong-translation cy/a.json",
    "wrong-translation cy/b.json",
    "wrong-translation cy/c.json",
    "wrong-translation cy/d.json",
    "wrong-translation cy/e.json",
    "misplaced-type fr/index.json",
  ]);
});

it("reports one mistake in the settings or in a type once", async () => {
  const settings = bilingual("slash", {
    "_site.json": { ...SITE, locales: LOCALES, base_url: `${SITE.base_url}/` },
  });
  const meta = { type: "standardpages.Generalpage" };
  const type = bilingual("type", { "cy/visit/index.json": { ...general(12, "Ymweld"), meta } });
  const codes = async (place: typeof type) => (await build(place)).findings.map(({ code }) => code);
  expect(await codes(settings)).toEqual(["site-slash"]);
  expect(await codes(type)).toEqual(["unknown-page-type"]);
});

it.each([
  [{ english: "English" }, '"English"'],
  [{ en: "English", cy: { label: "Cymraeg", path: "cy" } }, '"cy"'],
  [{ en: "English", cy: { label: "Cymraeg", path: "/" } }, '"/"'],
  [{ en: 1 }, "1"],
  [{}, "{}"],
])("refuses the languages %j", async (locales, at) => {
  const place = bilingual("locales", { "_site.json": { ...SITE, locales } });
  const { findings } = await build(place);
  const found = findings.find(({ place: { file } }) => file === "_site.json");
  // A home page of a language is no mistake because of another one.
  expect(findings.filter(({ place: { file } }) => "cy" in locales && file !== "_site.json")).toEqual([]);
  const text = place.source("_site.json").split("\n")[(found?.place.line ?? 0) - 1] ?? "";
  expect(text.slice((found?.place.column ?? 0) - 1)).toMatch(new RegExp(`^${at}`));
});
