import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { languagesAmong } from "../../../build/exchange/api/languages.ts";
import { check } from "../../../build/site/check.ts";
import { filesBelow, readJson } from "../../files.ts";
import { general, page, SITE, work, writeSite } from "../../site/site.ts";
import { built, expectWayBack, imported, place, saved, type Place } from "./site.ts";
import { pagesOf, startWagtail, type Page, type WagtailOptions } from "./wagtail.ts";

const GENERAL = "standardpages.GeneralPage";

const withMeta = (id: number, title: string, meta: object, type = GENERAL) => ({
  ...page(id, type, title),
  meta: { type, ...meta },
});

/** French has more pages than English, and Welsh only the oldest home page. A work is in two languages. */
const SOURCES: Record<string, unknown> = {
  "index.json": withMeta(3, "Home", { slug: "museum" }, "home.HomePage"),
  "visit/index.json": general(4, "Visit"),
  "visit/hours.json": general(5, "Hours"),
  "works/index.json": page(6, "artworks.ArtworkIndexPage", "Works"),
  "works/marsh.json": work(7, "Marsh"),
  "fr/index.json": withMeta(23, "Accueil", { slug: "home" }, "home.HomePage"),
  "fr/visiter/index.json": withMeta(24, "Visiter", { translation_of: 4 }),
  "fr/visiter/heures.json": withMeta(25, "Heures", { translation_of: 5 }),
  "fr/œuvres/index.json": withMeta(26, "Œuvres", { translation_of: 6 }, "artworks.ArtworkIndexPage"),
  "fr/œuvres/marsh.json": {
    ...work(27, "Marais", { acno: "N00007" }),
    ...withMeta(27, "Marais", { translation_of: 7 }, "artworks.ArtworkPage"),
  },
  "fr/presse/index.json": general(28, "Presse"),
  "fr/presse/a.json": general(29, "A"),
  "fr/presse/b.json": withMeta(30, "B", { order: 1 }),
  "cy/index.json": withMeta(2, "Hafan", { slug: "cy" }, "home.HomePage"),
};
const GROUPS = [
  [2, 3, 23],
  [4, 24],
  [5, 25],
  [6, 26],
  [7, 27],
];

const USUAL = { en: "English", cy: "Cymraeg", fr: "Français" };
const PREFIXED = { ...USUAL, en: { label: "English", path: "/en/" } };

describe("a host with several languages", () => {
  let at: Place;
  beforeEach(() => void (at = place()));

  async function publish(settings: object, sources = SOURCES): Promise<string> {
    const content = join(at.folder, "sources");
    writeSite(content, { "_site.json": { ...SITE, owned_paths: [], ...settings }, ...sources });
    expect((await check({ content })).findings).toEqual([]);
    return built(at, content, join(at.folder, "public"));
  }

  const savedPages = (pages: Map<number, Page>): string =>
    saved(at, Object.fromEntries([...pages].map(([id, one]) => [`${id}.json`, JSON.stringify(one)])));

  async function expectResponses(pages: Map<number, Page>): Promise<void> {
    await built(at, at.content, at.again);
    for (const [id, one] of pages)
      expect(readFileSync(join(at.again, `api/v2/pages/${id}/index.json`), "utf8")).toBe(JSON.stringify(one));
  }

  const settings = () => readJson(at.content, "_site.json") as Record<string, object>;

  it.each<[string, locales: object, settings?: object, options?: WagtailOptions]>([
    ["prefixes for all but the main one", USUAL],
    ["prefixes for all", PREFIXED, {}, { root: 3 }],
    ["no slash at the end of addresses", USUAL, { append_slash: false }],
    ["a website below a path", PREFIXED, { site_url: "https://www.example.org/museum" }, { root: 3 }],
  ])("is imported byte by byte, in the order of the tree: %s", async (_, locales, more, options) => {
    const sources = { ...SOURCES };
    // The main language has a page with the code of another language as its slug.
    if (locales === PREFIXED) {
      sources["_4000-4499/fr/index.json"] = general(4100, "France");
      sources["_4000-4499/fr/art.json"] = general(4101, "French art");
    }
    const out = await publish({ ...more, locales, translations: false }, sources);
    const lists = { cap: 7, locale: false, groups: GROUPS, order: [30, 29] };
    const host = await startWagtail(pagesOf(out), { ...lists, ...options });
    expect((await imported(at, host.url)).left).toEqual([]);
    await expectWayBack(at, out);
    expect(Object.entries(settings()["locales"] ?? {})).toEqual(Object.entries(locales));
    const written = filesBelow(at.content).filter((path) => !/^_site|^\.schema/.test(path));
    expect(written.sort()).toEqual(Object.keys(sources).sort());
    for (const path of written)
      expect(readJson(at.content, path)).toMatchObject({ meta: (sources[path] as Page).meta });
    // Pages with the same path need no question.
    expect(host.asked.filter((path) => path.includes("translation_of=")).length).toBe(7);
  });

  it.each([USUAL, PREFIXED])("is imported from a folder, with its page types: %j", async (locales) => {
    const pages = pagesOf(await publish({ locales, translations: false }));
    const report = await imported(at, savedPages(pages), { types: true });
    expect(report.left).toEqual([]);
    expect([...report.fields]).toEqual([]);
    expect(Object.keys(settings()["locales"] ?? {})).toEqual(["en", "cy", "fr"]);
    expect(report.notes.some((note) => note.includes("main language is “en”"))).toBe(locales === PREFIXED);
    await expectResponses(pages);
  });

  it.each([true, false])(
    "has the translations of responses, in their order (with --types: %j)",
    async (types) => {
      const out = await publish({ locales: { en: "English", fr: "Français", cy: "Cymraeg" } });
      expect((await imported(at, out, { types })).left).toEqual([]);
      expect(settings()).not.toHaveProperty("translations");
      expect(Object.keys(settings()["locales"] ?? {})).toEqual(["en", "fr", "cy"]);
      expect(readJson(at.content, "fr/visiter/heures.json")).toMatchObject({ meta: { translation_of: 5 } });
      await expectResponses(pagesOf(out));
    },
  );

  it.each(["meta", "fields"])("keeps translations of another form in %s, and reads them", async (where) => {
    const pages = pagesOf(await publish({ locales: USUAL, translations: false }));
    const languageOf = (id: number): unknown => pages.get(id)?.meta["locale"];
    for (const [id, { id: _, meta, title, ...own }] of pages) {
      const others = GROUPS.find((ids) => ids.includes(id))?.filter((other) => other !== id) ?? [];
      const translations = others.map((other) => ({ id: other, locale: languageOf(other) }));
      pages.set(
        id,
        where === "meta"
          ? { id, meta: { ...meta, translations }, title, ...own }
          : { id, meta, title, translations, ...own },
      );
    }
    expect((await imported(at, savedPages(pages), { types: true })).left).toEqual([]);
    expect(readJson(at.content, "fr/visiter/heures.json")).toMatchObject({ meta: { translation_of: 5 } });
    await expectResponses(pages);
  });

  it("leaves out what no site can have: a page of another type at the path of its translation", async () => {
    const pages = pagesOf(await publish({ locales: USUAL, translations: false }));
    const welsh = structuredClone(pages.get(28)!);
    const changed = JSON.stringify({ ...welsh, id: 40, type: undefined })
      .replaceAll("/fr/presse/", "/cy/works/")
      .replace('"slug":"presse"', '"slug":"works"')
      .replace("pages/28/", "pages/40/")
      .replace('"locale":"fr"', '"locale":"cy"')
      .replace('"id":23', '"id":2')
      .replace("pages/23/", "pages/2/")
      .replace("/fr/", "/cy/")
      .replace("Accueil", "Hafan");
    pages.set(40, JSON.parse(changed) as Page);
    const report = await imported(at, savedPages(pages));
    expect(report.left.map(({ id, code }) => [id, code])).toEqual([[40, "content"]]);
    expect(report.left[0]?.reason).toContain("page 6, with the same path in “en”");
    pages.delete(40);
    await expectResponses(pages);
  });

  it("takes the language of the host's site as the main one, whatever the ids", async () => {
    const out = await publish({ locales: PREFIXED, translations: false });
    const { url, pages } = await startWagtail(pagesOf(out), { cap: 20, locale: false, root: 23 });
    expect((await imported(at, url)).left).toEqual([]);
    expect(Object.keys(settings()["locales"] ?? {})).toEqual(["fr", "cy", "en"]);
    await expectResponses(pages);
  });

  it("imports one language of it as a site of its own", async () => {
    const out = await publish({ locales: PREFIXED, translations: false });
    const host = await startWagtail(pagesOf(out), { locale: false });
    expect((await imported(at, host.url, { ids: [{ from: 23, to: 30 }] })).left).toEqual([]);
    await built(at, at.content, at.again);
    expect(pagesOf(at.again).get(25)?.meta["html_url"]).toBe("https://www.example.org/fr/visiter/heures/");
  });
});

it("languages have the order that all lists of translations have, also if no list has all of them", () => {
  const homes = ["en", "cy", "fr", "gd"].map((locale, k) => ({
    id: k + 1,
    address: `https://www.example.org/${k === 0 ? "" : `${locale}/`}`,
    locale,
  }));
  const families = { children: new Set(homes), largestFirst: () => homes };
  const { locales } = languagesAmong(homes, families, { sequences: ["fr gd", "gd cy"] });
  expect(Object.keys(locales ?? {})).toEqual(["en", "fr", "gd", "cy"]);
});
