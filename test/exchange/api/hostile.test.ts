import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { reportData, summary, type ImportReport } from "../../../build/exchange/api/report.ts";
import { shown } from "../../../build/exchange/api/values.ts";
import type { JsonObject } from "../../../build/source/json/object.ts";
import { filesBelow, readJson } from "../../files.ts";
import { FIXTURE_SITE } from "../../fixtures.ts";
import { work } from "../../site/site.ts";
import { built, imported, place, saved, type Place } from "./site.ts";
import { pagesOf } from "./wagtail.ts";

const BASE = "https://api.example.org";
const WEB = "https://www.example.org";

interface Meta {
  type?: unknown;
  slug?: unknown;
  html_url?: unknown;
  [field: string]: unknown;
}

interface Summary {
  id: number;
  meta: { type: string; detail_url: string; html_url: string };
  title: string;
}

const inShort = (id: number, type: string, html_url: string, title: string): Summary => ({
  id,
  meta: { type, detail_url: `${BASE}/api/v2/pages/${id}/`, html_url },
  title,
});

const HOME = inShort(1, "home.HomePage", `${WEB}/`, "Home");

/** A response of a subpage, as the build would publish it, with changes. */
function response(id: unknown, slug: string, parent: Summary | null = HOME, changes: Meta = {}) {
  const above = parent?.meta.html_url ?? `${WEB}/`;
  const meta = {
    type: "standardpages.GeneralPage",
    detail_url: `${BASE}/api/v2/pages/${String(id)}/`,
    html_url: `${above}${slug}/`,
    slug,
    show_in_menus: false,
    seo_title: "",
    search_description: "",
    first_published_at: null,
    alias_of: null,
    parent,
    ...changes,
  };
  return { id, meta, title: `Page ${String(id)}` };
}

const HOME_RESPONSE = {
  ...response(1, "home", null, { type: "home.HomePage", html_url: `${WEB}/` }),
  title: "Home",
};

const codes = ({ left }: ImportReport): [number | null, string][] => left.map(({ id, code }) => [id, code]);

/** A page in short, at the address of its own response. */
const ref = (id: number): Summary => inShort(id, "standardpages.GeneralPage", `${WEB}/p${id}/`, `Page ${id}`);

describe("responses that cannot become sources", () => {
  let at: Place;
  beforeEach(() => void (at = place()));

  /** Imports the home page and these responses, and checks that the sources build. */
  async function of(...responses: unknown[]): Promise<ImportReport> {
    const files = responses.map((one, i) => [`${String(i).padStart(3, "0")}.json`, one]);
    const folder = saved(at, { "home.json": HOME_RESPONSE, ...Object.fromEntries(files) });
    const report = await imported(at, folder);
    expect(readdirSync(at.folder).sort()).toEqual(["content", "saved"]);
    await built(at, at.content, at.again);
    // Every page is written or listed.
    const sources = filesBelow(at.content).filter((path) => path !== "_site.json");
    expect(sources.length).toBe(report.written);
    expect(report.left.every(({ reason }) => reason !== "")).toBe(true);
    return report;
  }

  const SLUGS = "..  .  ../../etc/passwd  a/b  /etc  a\\b  con  LPT1  .git  a.json  a%20b".split("  ");
  it.each([...SLUGS, "", " ", "a\u0000b", "a".repeat(300), 7, null, { a: 1 }])(
    "a slug that no file can have: %j",
    async (slug) => {
      const html_url = `${WEB}/x%2F/`;
      const report = await of(response(2, "x", HOME, { slug, html_url }), response(3, "fine"));
      expect(codes(report)).toEqual([[2, "slug"]]);
      expect(report.written).toBe(2);
      expect(filesBelow(at.content)).toEqual(["_site.json", "fine.json", "index.json"]);
    },
  );

  it("slugs of any script, which addresses have percent-encoded", async () => {
    const slugs = ["café", "ÜBER_uns-", "-а", "日本", "_new-", "__", "_index"];
    const pages = slugs.map((slug, i) =>
      response(i + 2, slug, HOME, { html_url: `${WEB}/${encodeURIComponent(slug)}/` }),
    );
    const report = await of(...pages);
    expect(report.left).toEqual([]);
    expect([...pagesOf(at.again).values()].slice(1)).toEqual(pages);
  });

  it("slugs that differ only by case, and two ids at one address: the lower id is written", async () => {
    const [fifth, sixth] = [response(5, "visit"), response(6, "visit")];
    const report = await of(response(9, "Visit"), fifth, sixth, response(7, "VISIT"));
    expect(codes(report)).toEqual([6, 7, 9].map((id) => [id, "slug-taken"]));
    expect(existsSync(join(at.content, "visit.json"))).toBe(true);
  });

  it.each(["12", 0, -1, 1.5, 2 ** 53, null, undefined, true, {}])("an id that is none: %j", async (id) => {
    const report = await of(response(id, "x"));
    expect(report.left.map((page) => page.code)).toEqual(["no-id"]);
  });

  it("two responses with one id; an identical copy is not a loss", async () => {
    const report = await of(response(2, "a"), response(2, "b"), response(2, "a"));
    expect(codes(report)).toEqual([[2, "id-taken"]]);
  });

  it("types that the API does not have, and their subpages", async () => {
    const blog = response(2, "blog", HOME, { type: "blog.BlogIndexPage" });
    const above = inShort(2, "blog.BlogIndexPage", `${WEB}/blog/`, "Page 2");
    const post = response(3, "post", above);
    const report = await of(blog, post, response(4, "x", HOME, { type: ["a"] }), response(5, "fine"));
    expect(codes(report)).toEqual([
      [2, "type"],
      [4, "type"],
      [3, "parent-left"],
    ]);
  });

  it.each([
    ["an alias", response(12, "a", HOME, { alias_of: ref(9) }), "ordinary page"],
    ["a number of 20 digits", { ...response(12, "a"), n: 1 }, "correct it"],
    ["a slug that is taken", response(12, "FINE"), "another slug"],
    ["a slug that no file can have", response(12, "a b"), "another slug"],
  ])("%s: the reason counts the pages below it, and says what to do", async (_, page, remedy) => {
    const above = inShort(
      12,
      "standardpages.GeneralPage",
      (page as { meta: Meta }).meta.html_url as string,
      "Page 12",
    );
    const text = JSON.stringify(page).replace('"n":1', '"n":12345678901234567890');
    const next = inShort(13, "standardpages.GeneralPage", `${above.meta.html_url}b/`, "Page 13");
    const report = await of(
      response(1.5, "x"),
      text,
      response(13, "b", above),
      response(14, "c", next),
      response(5, "fine"),
    );
    expect(report.left.find(({ id }) => id === 12)?.reason).toMatch(
      new RegExp(`2 pages below it are not .*${remedy}`),
    );
  });

  it("orphans: no parent, a missing one, one that is not an object", async () => {
    const report = await of(
      response(2, "a", null),
      response(3, "b", inShort(99, "standardpages.GeneralPage", `${WEB}/z/`, "Z")),
      response(4, "c", HOME, { parent: { id: "1" } }),
      response(5, "d", HOME, { parent: undefined, html_url: `${WEB}/nowhere/d/` }),
    );
    expect(report.left.map(({ code }) => code)).toEqual(["orphan", "orphan", "orphan", "orphan"]);
  });

  it("pages that are below themselves, and their subpages", async () => {
    const report = await of(
      response(2, "p2", ref(3)),
      response(3, "p3", ref(4)),
      response(4, "p4", ref(2)),
      response(5, "p5", ref(5)),
      response(6, "p6", ref(2)),
    );
    expect(codes(report)).toEqual([...[2, 3, 4, 5].map((id) => [id, "loop"]), [6, "parent-left"]]);
  });

  it("saved lists in the order of the tree become meta.order", async () => {
    const items = [4, 2, 3].map((id) => response(id, `p${id}`));
    const list = { meta: { total_count: 3 }, items };
    const folder = saved(at, { "home.json": HOME_RESPONSE, "list.json": list });
    const report = await imported(at, folder);
    expect(report.left).toEqual([]);
    expect(report.notes.filter((note) => note.includes("order"))).toEqual([]);
    expect(readJson(at.content, "p4.json")).toMatchObject({ meta: { order: 1 } });
    const { $schema: _, ...source } = readJson(at.content, "p2.json") as JsonObject;
    expect(source).toEqual({ id: 2, meta: { type: "standardpages.GeneralPage" }, title: "Page 2" });
  });

  it("all files of a large section in an output become meta.order", async () => {
    const folder = saved(at, {
      "api/v2/pages/1.json": HOME_RESPONSE,
      ...Object.fromEntries([2, 3, 4].map((id) => [`api/v2/pages/${id}.json`, response(id, `p${id}`)])),
      "index/pages/1.json": { id: 1, total: 3, more: ["1-2.json"], children: [{ id: 4 }] },
      "index/pages/1-2.json": { id: 1, children: [{ id: 3 }, { id: 2 }] },
    });
    expect((await imported(at, folder)).left).toEqual([]);
    expect(readJson(at.content, "p3.json")).toMatchObject({ meta: { order: 2 } });
  });

  it("works with one accession number: the lower id is written", async () => {
    const above = inShort(2, "artworks.ArtworkIndexPage", `${WEB}/works/`, "Page 2");
    const works = [4, 3].map((id) => {
      const { meta, title } = response(id, `w${id}`, above, { type: "artworks.ArtworkPage" });
      return work(id, title, { acno: "N00530", classificationId: 5, meta });
    });
    const report = await of(response(2, "works", HOME, { type: "artworks.ArtworkIndexPage" }), ...works);
    expect(codes(report)).toEqual([[4, "acno-taken"]]);
  });

  it("two home pages: the one with more subpages is written", async () => {
    const other = { ...HOME_RESPONSE, id: 7 };
    const report = await of(other, response(8, "fine"));
    expect(codes(report)).toEqual([[7, "second-home"]]);
    expect(report.written).toBe(2);
  });

  it("derived fields with other values than the build's: the page is left out, not the field", async () => {
    const report = await of(
      response(2, "a", HOME, { detail_url: "http://localhost/api/v2/pages/2/" }),
      response(3, "b", HOME, { html_url: `${WEB}/elsewhere/` }),
      response(4, "c", HOME, { alias_of: { id: 2 } }),
      response(5, "d", { ...HOME, title: "Former title" }),
      response(6, "fine"),
      response(7, "fine-too"),
    );
    expect(codes(report)).toEqual([2, 3, 4, 5].map((id) => [id, "differs"]));
    // Each page is listed with its id, its address and the reason.
    expect(summary(report)).toContain(`page 3, ${WEB}/b/`);
    // A difference from _site.json is reported as such.
    expect(summary(report)).toContain("base_url");
    expect(readJson(at.content, "_site.json")).toMatchObject({ base_url: BASE, site_url: WEB });
  });

  it("content that the build refuses", async () => {
    const report = await of(
      { ...response(2, "a"), title: "" },
      response(3, "b", HOME, { first_published_at: "yesterday" }),
      response(4, "c", HOME, { type: "projects.ProjectPage" }),
      response(5, "d", HOME, { show_in_menus: "yes" }),
    );
    expect(codes(report)).toEqual([2, 3, 4, 5].map((id) => [id, "content"]));
  });

  it("invalid responses: truncated, HTML, a list, an imprecise number, a duplicate key", async () => {
    const text = JSON.stringify(response(2, "a"));
    const report = await of(
      text.slice(0, 80),
      "<!DOCTYPE html>",
      "[1]",
      "",
      "7",
      text.replace('"id":2', '"id":2,"id":2'),
      text.replace('"id":2', '"id":3,"n":1e400').replace("pages/2/", "pages/3/").replace('"a"', '"b"'),
      `\ufeff${text}`,
    );
    expect(report.left.map(({ code }) => code)).toEqual(Array(8).fill("damaged"));
  });

  it.each([
    ["a field of the API contract", '"show_in_menus":false', (deep: string) => `"show_in_menus":${deep}`],
    ["a field that it does not have", '"title"', (deep: string) => `"x":${deep},"title"`],
    ["the id", '"id":2', (deep: string) => `"id":${deep}`],
    ["the slug", '"slug":"a"', (deep: string) => `"slug":${deep}`],
  ])("what is nested without end: %s", async (_, field, changed) => {
    const deep = "[".repeat(50_000) + "]".repeat(50_000);
    const text = JSON.stringify(response(2, "a")).replace(field, () => changed(deep));
    const report = await of(text, response(3, "fine"), `{"meta":{"total_count":1},"items":[${text}]}`);
    expect(report.left.map(({ code }) => code)).toEqual(["damaged", "damaged"]);
    expect(report.written).toBe(2);
  });

  it("names of files and folders that are not UTF-8", async () => {
    const folder = saved(at, { "home.json": HOME_RESPONSE, "a.json": response(2, "a") });
    const named = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xe9])]);
    mkdirSync(named);
    writeFileSync(Buffer.concat([named, Buffer.from("/b.json")]), "{}");
    writeFileSync(Buffer.concat([named, Buffer.from(".json")]), "{}");
    const report = await imported(at, folder);
    expect(report.left.map(({ code }) => code)).toEqual(["damaged", "damaged"]);
    expect(report.written).toBe(2);
  });

  it("a home page with another slug, which its source has", async () => {
    const home = response(1, "museum", null, { type: "home.HomePage", html_url: `${WEB}/` });
    const responses = { "a.json": { ...home, title: "Home" }, "b.json": response(2, "a") };
    const report = await imported(at, saved(at, responses));
    expect(report.left).toEqual([]);
    await built(at, at.content, at.again);
    expect(pagesOf(at.again).get(1)).toEqual(responses["a.json"]);
  });

  it("fields that the API does not have are left out and counted, whatever their names", async () => {
    const strange = JSON.stringify(response(2, "a"))
      .replace('"title":"Home"', '"title":"Home","locale":"en"')
      .replace('"title":"Page', '"__proto__":{"x":1},"title":"Page');
    const report = await of(strange, { ...response(3, "b", HOME, { locale: "en" }), 7: "x" });
    expect(report.left).toEqual([]);
    const fields = ["7", "__proto__", "meta.locale", "meta.parent.locale"].map((name) => ({
      name,
      pages: 1,
    }));
    expect(reportData(report)).toEqual({ written: 3, left: [], guesses: [], fields });
  });

  it("control characters stay in titles, but are not printed", async () => {
    const title = "Marsh\u001b[31m\u0000\u202e";
    const report = await of(
      { ...response(2, "a"), title },
      { ...response(3, "a"), title },
      response(4, "b", HOME, { ["\u001b]0;x\u0007"]: 1 }),
    );
    expect(codes(report)).toEqual([[3, "slug-taken"]]);
    expect((readJson(at.content, "a.json") as { title: string }).title).toBe(title);
    // A reason is escaped once: `x`, an escape character and `x` are printed as `x\u{1b}x`.
    report.leave("damaged", null, null, `it is not JSON: ${shown("x\u001bx")}\u0007`);
    expect(summary(report)).toContain("it is not JSON: x\\u{1b}x\\u{7}\n");
    expect(summary(report)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });

  it("a tree so deep that paths are too long", async () => {
    let above = HOME;
    let address = `${WEB}/`;
    const responses: object[] = [];
    for (let id = 2; id < 60; id++) {
      const slug = "deep".repeat(25);
      responses.push(response(id, slug, above));
      address += `${slug}/`;
      above = inShort(id, "standardpages.GeneralPage", address, `Page ${id}`);
    }
    const report = await of(...responses);
    expect(new Set(report.left.map(({ code }) => code))).toEqual(new Set(["slug", "parent-left"]));
    expect(report.written + report.left.length).toBe(59);
  });

  it("no home page: every page is listed as an orphan", async () => {
    const report = await imported(at, saved(at, { "a.json": response(2, "a"), "b.json": response(3, "b") }));
    expect(codes(report)).toEqual([
      [2, "orphan"],
      [3, "orphan"],
    ]);
    expect(filesBelow(at.content)).toEqual([]);
    mkdirSync(at.again);
    await expect(imported(at, at.again)).rejects.toThrow("no saved responses");
  });
});

it("a page with an empty value in any place is imported or left out, and never ends the import", async () => {
  const at = place();
  const out = await built(at, FIXTURE_SITE, join(at.folder, "public"));
  const pages = new Map<string, object>();
  for (const page of pagesOf(out).values())
    for (const path of pathsIn(page)) pages.set(path.join(" ").replaceAll(/\d+/g, "#"), page);
  const [home] = pagesOf(out).values();
  for (const [i, value] of [null, "", 0, false, [], {}, [null], [[]], undefined].entries()) {
    const changed = Array.from(pages, ([key, page], n) => {
      const id = 10_000 + n;
      const text = JSON.stringify(withValue(page, key, value));
      return [`${n}.json`, text.replace(/^\{"id":\d+/, `{"id":${id}`)] as const;
    });
    const folder = saved(
      { ...at, folder: join(at.folder, `${i}`) },
      Object.fromEntries([["home.json", home], ...changed]),
    );
    const report = await imported(at, folder, { content: join(at.folder, `content-${i}`) });
    expect(report.written + report.left.length).toBeGreaterThan(1);
  }
});

type Steps = readonly string[];

function* pathsIn(value: unknown, above: Steps = []): Generator<Steps> {
  if (above.length > 0) yield above;
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* pathsIn(inner, [...above, key]);
}

/** A copy with another value at a path; “#” is the first element of a list. */
function withValue(page: unknown, key: string, value: unknown): unknown {
  const copy: unknown = structuredClone(page);
  const steps = key.split(" ").map((step) => (step === "#" ? "0" : step));
  let inner = copy as Record<string, unknown>;
  for (const step of steps.slice(0, -1)) inner = (inner[step] ?? {}) as Record<string, unknown>;
  inner[steps.at(-1) ?? ""] = value;
  return copy;
}
