import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { instantAt } from "../../../build/base/instant.ts";
import { isError } from "../../../build/findings/finding.ts";
import { diff } from "../../../build/change/diff/diff.ts";
import { general, page, SITE, SMALL_SITE, WELSH_PAGES, work, write } from "../../site/site.ts";
import { commit, codes, fieldsOf, ids, eachInRepository, printed, repository } from "./repository.ts";

const { here, source, put, compare } = eachInRepository("pages");

const putAt = (file: string, { meta, ...rest }: ReturnType<typeof general>, order: number): void =>
  put(file, { ...rest, meta: { ...meta, order } });

describe("pages", () => {
  it("are unchanged if only their spelling differs", async () => {
    const text = readFileSync(source("about.json"), "utf8");
    writeFileSync(source("about.json"), JSON.stringify(JSON.parse(text)));
    expect(await compare()).toMatchObject({ changed: [], withoutEffect: 1 });
  });

  it("are found if git does not track them or ignores them", async () => {
    write(here().folder, ".gitignore", "content/ignored.json\n");
    put("untracked/index.json", general(90, "A"));
    put("ignored.json", general(91, "B"));
    expect(ids((await compare()).added)).toEqual([91, 90]);
  });

  it("show the changed fields of the response, old and new", async () => {
    put("works/_a/pool.json", work(32, "The pool", { subjects: [] }));
    const { changed, addresses, ids: identifiers } = await compare();
    expect(changed).toHaveLength(1);
    expect(changed[0]).toMatchObject({ id: 32, title: "The pool", file: "works/_a/pool.json" });
    expect(changed[0]?.fields).toEqual([
      { field: "title", old: "Pool", new: "The pool" },
      { field: "subjects[0]", old: { id: 1, name: "reed", level: 1, parent_id: 9 } },
      { field: "subject_tags[0]", old: "reed" },
    ]);
    expect([addresses, identifiers.vanished]).toEqual([[], []]);
  });

  it("change with their parent page, without an edit of their own", async () => {
    put("visit/index.json", general(10, "Your visit"));
    const { changed, children } = await compare();
    expect(ids(changed)).toEqual([10]);
    expect(children).toHaveLength(1);
    expect(children[0]?.fields).toEqual([{ field: "meta.parent.title", old: "Visit", new: "Your visit" }]);
    expect(ids(children[0]?.pages ?? [])).toEqual([11, 12, 13]);
  });

  it("get another order, once for each parent, although no response changes", async () => {
    putAt("visit/index.json", general(10, "Visit"), 1);
    putAt("visit/cafe.json", general(11, "Café"), 2);
    putAt("visit/_more/shop.json", general(12, "The shop"), 1);
    const comparison = await compare();
    const { changed, orders, withoutEffect } = comparison;
    expect(orders.map(({ parent, pages }) => [parent.id, ids(pages)])).toEqual([
      [1, [10]],
      [10, [11, 12]],
    ]);
    expect([ids(changed), withoutEffect]).toEqual([[12], 0]);
    for (const reporter of ["human", "markdown"]) {
      const report = printed(reporter, comparison);
      expect(report).toContain("Order of the subpages of 2 pages changed.");
      expect(report).toMatch(/Order of subpages.*\n[^]*below[^]*Visit[^]*Café/);
    }
  });

  it("move with their folder, along with their subpages", async () => {
    renameSync(source("visit"), source("coming-here"));
    const { moved, addresses, added, removed, ids: identifiers } = await compare();
    expect([added, removed, identifiers.vanished, identifiers.reused]).toEqual([[], [], [], []]);
    expect(ids(moved)).toEqual([10, 11, 13, 14, 15, 12]);
    expect(moved.filter(({ isAlong }) => !isAlong).map(({ id }) => id)).toEqual([10]);
    expect(fieldsOf(moved, 10)).toEqual(["meta.html_url", "meta.slug"]);
    expect(addresses[0]).toEqual({
      address: "https://www.example.org/visit/",
      id: 10,
      now: "https://www.example.org/coming-here/",
    });
  });

  it("keep their address if only a grouping folder or the kind of file changes", async () => {
    mkdirSync(source("about"));
    renameSync(source("about.json"), source("about/index.json"));
    renameSync(source("works/_a"), source("works/_z"));
    const { moved, changed, addresses } = await compare();
    expect([moved, changed, addresses]).toEqual([[], [], []]);
  });

  it("are added and removed by renaming drafts", async () => {
    renameSync(source("_news.json"), source("news.json"));
    renameSync(source("about.json"), source("_about.json"));
    const { added, removed, ids: identifiers, addresses } = await compare();
    expect(ids(added)).toEqual([3]);
    expect(ids(removed)).toEqual([2]);
    expect(identifiers.vanished.map(({ was }) => was.id)).toEqual([2]);
    expect(addresses).toEqual([{ address: "https://www.example.org/about/", id: 2 }]);
    expect([removed[0]?.draft, (await compare()).unaffectedFiles, codes(await compare())]).toEqual([
      "_about.json",
      [],
      [],
    ]);
  });

  it("become drafts with the section that contains them", async () => {
    renameSync(source("visit/index.json"), source("visit/_index.json"));
    const comparison = await compare();
    const drafts = comparison.removed.map(({ file, draft }) => [file, draft]);
    expect(drafts).toContainEqual(["visit/index.json", "visit/_index.json"]);
    expect(drafts).toContainEqual(["visit/cafe.json", "visit/cafe.json"]);
    expect(codes(comparison)).not.toContain("unrecorded-address");
  });

  it("that are added show the fields of their sources", async () => {
    put("visit/shop.json", { ...general(93, "Shop"), url: undefined });
    put("works/_a/mere.json", work(94, "Mere", { medium: "Ink", exhibitions: [] }));
    const { added } = await compare();
    expect(added.map(({ id, fields }) => [id, fields?.find(({ field }) => field === "medium")?.new])).toEqual(
      [
        [93, undefined],
        [94, "Ink"],
      ],
    );
    expect(added[1]?.fields?.map(({ field }) => field)).not.toContain("exhibitions");
  });

  it("with a link to a removed address are reported, although they were not edited", async () => {
    const html = '<p>See <a href="/about/?a#b">us</a>, and <a href="/visit/">how to come</a>.</p>';
    put("works/_a/marsh.json", work(31, "Marsh", { description: html }));
    commit(here().folder);
    rmSync(source("about.json"));
    const dead = (await compare()).findings.filter(({ code }) => code === "dead-link");
    expect(dead.map(({ place: { file } }) => file)).toEqual(["works/_a/marsh.json"]);
  });
});

describe("ids", () => {
  it("are removed if a page gets another id at the same address", async () => {
    put("about.json", general(92, "About"));
    const { ids: identifiers, addresses } = await compare();
    expect(identifiers.vanished).toMatchObject([{ was: { id: 2 }, replacedBy: { id: 92 } }]);
    expect(addresses).toEqual([]);
  });

  it("are reported if another page uses them", async () => {
    rmSync(source("about.json"));
    put("visit/rooms/map.json", general(2, "A map"));
    const { ids: identifiers, moved, added, removed, addresses } = await compare();
    expect(identifiers.reused).toMatchObject([{ id: 2, was: { title: "About" }, is: { title: "A map" } }]);
    expect([ids(moved), ids(added), ids(removed)]).toEqual([[], [2], [2]]);
    expect([identifiers.vanished, addresses]).toEqual([
      [],
      [{ address: "https://www.example.org/about/", id: 2 }],
    ]);
  });

  it("stay those of a page that moves and changes its title or type", async () => {
    rmSync(source("about.json"));
    put("about-us.json", general(2, "About us"));
    rmSync(source("visit/cafe.json"));
    put("projects/cafe.json", page(11, "projects.ProjectPage", "Café"));
    const { ids: identifiers, moved } = await compare();
    expect(identifiers.reused).toEqual([]);
    expect(ids(moved)).toEqual([2, 11]);
    expect(fieldsOf(moved, 11)).toContain("meta.type");
  });

  it("of two changed pages are an error in each", async () => {
    put("one.json", general(90, "One"));
    put("two.json", general(90, "Two"));
    const found = (await compare()).findings.filter(({ code }) => code === "id-clash");
    expect(found.map(({ place: { file, line } }) => [file, line])).toEqual([
      ["one.json", 2],
      ["two.json", 2],
    ]);
  });
});

const unrecorded = async (): Promise<unknown[]> =>
  (await compare()).findings
    .filter(({ code }) => code === "unrecorded-address")
    .map(({ args, place: at }) => [at.file, args]);

describe("moved and removed pages", () => {
  it("cause a warning, unless _history.json lists them", async () => {
    renameSync(source("visit/cafe.json"), source("coffee.json"));
    rmSync(source("about.json"));
    expect(await unrecorded()).toEqual([
      ["_history.json", { id: 2, address: "/about/" }],
      ["_history.json", { id: 11, address: "/visit/cafe/", now: "/coffee/" }],
    ]);
    put("_history.json", {
      retired: [{ id: 2, address: "/about/" }],
      moved: [{ id: 11, address: "/visit/cafe" }],
    });
    expect(await unrecorded()).toEqual([]);
    expect((await compare()).withoutEffect).toBe(0);
  });

  it("cause one warning for a page with its subpages", async () => {
    renameSync(source("visit/rooms"), source("rooms"));
    expect(await unrecorded()).toEqual([
      ["_history.json", { id: 13, address: "/visit/rooms/", now: "/rooms/" }],
    ]);
  });
});

const images = (...names: string[]): object => ({
  master_images: [
    {
      sizes: names.map((name, k) => [400 + k, ["0-599", "600-999"][k], `/${name}.jpg`]),
      default_url: "/a.jpg",
      current_size: "0-599",
      height_ratio: 1,
      max_width: 400,
    },
  ],
});

describe("_site.json", () => {
  it("is listed once with its changes, without the pages that it affects", async () => {
    put("_site.json", { ...SITE, base_url: "https://pages.example.org", append_slash: false });
    put("about.json", general(2, "About us"));
    const comparison = await compare();
    expect(comparison.site).toEqual([
      { field: "base_url", old: "https://api.example.org", new: "https://pages.example.org" },
      { field: "append_slash", old: true, new: false },
    ]);
    expect(comparison.moved).toEqual([]);
    expect(fieldsOf(comparison.changed, 2)).toEqual(["title"]);
  });

  it("lists a new media_url once, without the images of a page that is edited too", async () => {
    put("works/_a/marsh.json", work(31, "Marsh", images("a")));
    commit(here().folder);
    put("_site.json", { ...SITE, media_url: "https://images.example.org" });
    put("works/_a/marsh.json", work(31, "A marsh", images("a", "b")));
    const { site, changed, findings } = await compare("HEAD");
    expect(site.map(({ field }) => field)).toEqual(["media_url"]);
    expect(findings.filter(isError)).toEqual([]);
    expect(changed.map(({ id, fields }) => [id, fields.map(({ field }) => field)])).toEqual([
      [31, ["title", "master_images[0].sizes[1]"]],
    ]);
  });

  it("does not change the URL of a removed page", async () => {
    put("_site.json", { ...SITE, site_url: "https://new.example.org" });
    rmSync(source("about.json"));
    expect((await compare()).addresses).toEqual([{ address: "https://www.example.org/about/", id: 2 }]);
  });

  it("is compared in its old version if it has errors, which are reported", async () => {
    writeFileSync(source("_site.json"), "{");
    put("about.json", general(2, "About us"));
    const { changed, findings } = await compare();
    expect(ids(changed)).toEqual([2]);
    expect(findings.map(({ code, place: at }) => [code, at.file])).toEqual([["json-syntax", "_site.json"]]);
  });
});

it("the title of a translation is compared in any script", async () => {
  const site = {
    ...SMALL_SITE,
    ...WELSH_PAGES,
    "_site.json": { ...SITE, locales: { en: "English", cy: "Cymraeg" } },
  };
  const { content } = repository("diff-scripts", site);
  write(content, "cy/about.json", general(502, "Yr Ŵyl – Œuvres"));
  const { changed } = await diff({ content });
  expect(changed.find(({ id }) => id === 2)?.fields).toEqual([
    { field: "meta.translations[0].title", old: "Amdanom ni", new: "Yr Ŵyl – Œuvres" },
  ]);
});

const translation = (id: number, of: number): object => {
  const { meta, ...rest } = general(id, `Tudalen ${id}`);
  return { ...rest, meta: { ...meta, translation_of: of } };
};

it("a page below one whose translation is below a translation of the page is compared", async () => {
  const site = {
    "_site.json": { ...SITE, locales: { en: "English", cy: "Cymraeg" } },
    "index.json": page(1, "home.HomePage", "Home"),
    "visit/index.json": general(10, "Visit"),
    "visit/cafe.json": general(13, "Café"),
    "visit/info/index.json": general(11, "Information"),
    "visit/info/hours.json": general(12, "Hours"),
    "cy/index.json": page(501, "home.HomePage", "Hafan"),
    "cy/caffi.json": translation(513, 13),
    "cy/oriau/index.json": translation(512, 12),
    "cy/oriau/ymweld.json": translation(510, 10),
  };
  const { content } = repository("diff-crossed", site);
  write(content, "visit/info/hours.json", general(12, "Opening hours"));
  const { broken, changed } = await diff({ content, at: instantAt(Date.UTC(2026, 0)) });
  expect([broken, ids(changed)]).toEqual([[], [512, 12]]);
});
