import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Comparison } from "../../build/diff/comparison.ts";
import { diff } from "../../build/diff/diff.ts";
import { Failure } from "../../build/base/failure.ts";
import { isError } from "../../build/findings/finding.ts";
import { general, page, SITE, work, workplace, write, writeSite, type Workplace } from "../pipeline/site.ts";
import { filesBelow } from "../files.ts";
import { scratch } from "../scratch.ts";
import { commit, git, repository } from "./repository.ts";

let place: Workplace;
beforeEach(() => {
  place = repository("comparison");
});

const source = (path: string): string => join(place.content, path);
const compare = (base?: string) => diff({ content: place.content, base });
const ids = (pages: readonly { id: number }[]): number[] => pages.map(({ id }) => id);
const codes = ({ findings }: Comparison): string[] => findings.map(({ code }) => code);
const fieldsOf = (pages: readonly { id: number; fields: { field: string }[] }[], id: number): string[] =>
  pages.find((one) => one.id === id)?.fields.map(({ field }) => field) ?? [];

describe("the base", () => {
  it("is where the branch left the main branch", async () => {
    git(place.folder, "checkout", "--quiet", "-b", "topic");
    write(place.content, "new.json", general(90, "New"));
    const left = git(place.folder, "rev-parse", "main").trim();
    commit(place.folder);
    git(place.folder, "checkout", "--quiet", "main");
    write(place.content, "elsewhere.json", general(91, "Elsewhere"));
    commit(place.folder);
    git(place.folder, "checkout", "--quiet", "topic");
    const { base, added } = await compare();
    expect(base).toEqual({ commit: left, from: "merge base with main" });
    expect(ids(added)).toEqual([90]);
  });

  it("is the origin's main branch rather than the local one", async () => {
    git(place.folder, "update-ref", "refs/remotes/origin/main", "HEAD");
    write(place.content, "new.json", general(90, "New"));
    commit(place.folder);
    const { base, added } = await compare();
    expect(base.from).toBe("merge base with origin/main");
    expect(ids(added)).toEqual([90]);
  });

  it("is the given revision", async () => {
    const first = git(place.folder, "rev-parse", "HEAD").trim();
    write(place.content, "new.json", general(90, "New"));
    commit(place.folder);
    expect((await compare()).added).toEqual([]);
    expect((await compare("HEAD~1")).base.commit).toBe(first);
    expect(ids((await compare(first.slice(0, 12))).added)).toEqual([90]);
  });

  it.each(["nothing", "--all", "HEAD:content", "a b"])(
    "is refused if git does not know %j",
    async (revision) => {
      await expect(compare(revision)).rejects.toThrow(Failure);
    },
  );

  it("is missing outside a checkout, and in a checkout without a commit", async () => {
    const bare = workplace("no-checkout");
    writeSite(bare.content);
    await expect(diff({ content: bare.content })).rejects.toThrow(/not in a checkout of git/);
    git(bare.folder, "init", "--quiet");
    await expect(diff({ content: bare.content })).rejects.toThrow(/no commit/);
    await expect(diff({ content: join(bare.folder, "none") })).rejects.toThrow(/no content folder/);
  });

  it("is missing if two histories have no common commit", async () => {
    git(place.folder, "checkout", "--quiet", "--orphan", "alone");
    write(place.content, "new.json", general(90, "New"));
    commit(place.folder);
    await expect(compare()).rejects.toThrow(/--base/);
  });

  it("may have no sources", async () => {
    const empty = git(place.folder, "hash-object", "-t", "tree", "/dev/null").trim();
    const root = git(place.folder, "commit-tree", empty, "-m", "empty").trim();
    const { added, site, removed } = await compare(root);
    expect(added).toHaveLength(16);
    expect(removed).toEqual([]);
    expect(site.map(({ field }) => field)).toContain("base_url");
  });
});

describe("pages", () => {
  it("are unchanged if only their spelling differs", async () => {
    const text = readFileSync(source("about.json"), "utf8");
    writeFileSync(source("about.json"), JSON.stringify(JSON.parse(text)));
    expect(await compare()).toMatchObject({ changed: [], withoutEffect: 1 });
  });

  it("are found if git does not track them or ignores them", async () => {
    write(place.folder, ".gitignore", "content/ignored.json\n");
    write(place.content, "untracked/index.json", general(90, "A"));
    write(place.content, "ignored.json", general(91, "B"));
    expect(ids((await compare()).added)).toEqual([91, 90]);
  });

  it("show the changed fields of the response, old and new", async () => {
    write(place.content, "works/_a/pool.json", work(32, "The pool", { subjects: [] }));
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
    write(place.content, "visit/index.json", general(10, "Your visit"));
    const { changed, children } = await compare();
    expect(ids(changed)).toEqual([10]);
    expect(children).toHaveLength(1);
    expect(children[0]?.fields).toEqual([{ field: "meta.parent.title", old: "Visit", new: "Your visit" }]);
    expect(ids(children[0]?.pages ?? [])).toEqual([11, 12, 13]);
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
    write(place.content, "visit/shop.json", { ...general(93, "Shop"), url: undefined });
    write(place.content, "works/_a/mere.json", work(94, "Mere", { medium: "Ink", exhibitions: [] }));
    const { added } = await compare();
    expect(added.map(({ id, says }) => [id, says?.find(({ field }) => field === "medium")?.new])).toEqual([
      [93, undefined],
      [94, "Ink"],
    ]);
    expect(added[1]?.says?.map(({ field }) => field)).not.toContain("exhibitions");
  });

  it("with a link to a removed address are reported, although they were not edited", async () => {
    const html = '<p>See <a href="/about/?a#b">us</a>, and <a href="/visit/">how to come</a>.</p>';
    write(place.content, "works/_a/marsh.json", work(31, "Marsh", { description: html }));
    commit(place.folder);
    rmSync(source("about.json"));
    const dead = (await compare()).findings.filter(({ code }) => code === "dead-link");
    expect(dead.map(({ place: { file } }) => file)).toEqual(["works/_a/marsh.json"]);
  });
});

describe("files", () => {
  it("that are only touched do not change", async () => {
    for (const file of ["about.json", "_news.json", "visit/index.json"])
      utimesSync(source(file), new Date(), new Date(Date.now() + 5000));
    const { unaffectedFiles, withoutEffect, changed } = await compare();
    expect([unaffectedFiles, withoutEffect, changed]).toEqual([[], 0, []]);
  });

  it("that are touched change with the parent page", async () => {
    write(place.content, "visit/index.json", general(10, "Plan your visit"));
    utimesSync(source("visit/cafe.json"), new Date(), new Date(Date.now() + 5000));
    const { changed, unaffectedFiles } = await compare();
    expect([ids(changed), unaffectedFiles]).toEqual([[10, 11], []]);
    expect(fieldsOf(changed, 11)).toEqual(["meta.parent.title"]);
  });

  it("of another repository inside the content are reported as not compared", async () => {
    for (const folder of ["kept", "new"]) {
      mkdirSync(source(folder));
      git(source(folder), "init", "--quiet");
      commit(source(folder));
      if (folder === "kept") commit(place.folder);
    }
    expect((await compare()).submodules).toEqual([{ file: "kept" }, { file: "new" }]);
    commit(source("kept"));
    expect((await compare()).submodules).toEqual([{ file: "kept" }, { file: "new" }]);
  });
});

describe("ids", () => {
  it("are removed if a page gets another id at the same address", async () => {
    write(place.content, "about.json", general(92, "About"));
    const { ids: identifiers, addresses } = await compare();
    expect(identifiers.vanished).toMatchObject([{ was: { id: 2 }, replacedBy: { id: 92 } }]);
    expect(addresses).toEqual([]);
  });

  it("are reported if another page uses them", async () => {
    rmSync(source("about.json"));
    write(place.content, "visit/rooms/map.json", general(2, "A map"));
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
    write(place.content, "about-us.json", general(2, "About us"));
    rmSync(source("visit/cafe.json"));
    write(place.content, "projects/cafe.json", page(11, "projects.ProjectPage", "Café"));
    const { ids: identifiers, moved } = await compare();
    expect(identifiers.reused).toEqual([]);
    expect(ids(moved)).toEqual([2, 11]);
    expect(fieldsOf(moved, 11)).toContain("meta.type");
  });

  it("of two changed pages are an error in each", async () => {
    write(place.content, "one.json", general(90, "One"));
    write(place.content, "two.json", general(90, "Two"));
    const found = (await compare()).findings.filter(({ code }) => code === "id-clash");
    expect(found.map(({ place: { file, line } }) => [file, line])).toEqual([
      ["one.json", 2],
      ["two.json", 2],
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
    write(place.content, "_site.json", {
      ...SITE,
      base_url: "https://pages.example.org",
      append_slash: false,
    });
    write(place.content, "about.json", general(2, "About us"));
    const comparison = await compare();
    expect(comparison.site).toEqual([
      { field: "base_url", old: "https://api.example.org", new: "https://pages.example.org" },
      { field: "append_slash", old: true, new: false },
    ]);
    expect(comparison.moved).toEqual([]);
    expect(fieldsOf(comparison.changed, 2)).toEqual(["title"]);
  });

  it("lists a new media_url once, without the images of a page that is edited too", async () => {
    write(place.content, "works/_a/marsh.json", work(31, "Marsh", images("a")));
    commit(place.folder);
    write(place.content, "_site.json", { ...SITE, media_url: "https://images.example.org" });
    write(place.content, "works/_a/marsh.json", work(31, "A marsh", images("a", "b")));
    const { site, changed, findings } = await compare("HEAD");
    expect(site.map(({ field }) => field)).toEqual(["media_url"]);
    expect(findings.filter(isError)).toEqual([]);
    expect(changed.map(({ id, fields }) => [id, fields.map(({ field }) => field)])).toEqual([
      [31, ["title", "master_images[0].sizes[1]"]],
    ]);
  });

  it("does not change the URL of a removed page", async () => {
    write(place.content, "_site.json", { ...SITE, site_url: "https://new.example.org" });
    rmSync(source("about.json"));
    expect((await compare()).addresses).toEqual([{ address: "https://www.example.org/about/", id: 2 }]);
  });

  it("is compared in its old version if it has errors, which are reported", async () => {
    writeFileSync(source("_site.json"), "{");
    write(place.content, "about.json", general(2, "About us"));
    const { changed, findings } = await compare();
    expect(ids(changed)).toEqual([2]);
    expect(findings.map(({ code, place: { file } }) => [code, file])).toEqual([
      ["json-syntax", "_site.json"],
    ]);
  });
});

const moveVisit = (): void => renameSync(source("visit"), source("come"));
const placesIn = ({ findings }: Comparison): string[] =>
  findings
    .filter(({ code }) => code !== "unspecified-value")
    .map(({ code, place: { file } }) => `${code} ${file}`);

describe("sources that moved without an edit", () => {
  const situations: [string, () => void][] = [
    ["on their own", moveVisit],
    [
      "beside a copy of one of them",
      () => {
        moveVisit();
        cpSync(source("come/cafe.json"), source("come/rooms/cafe.json"));
      },
    ],
    [
      "beside another page with the id of one of them",
      () => {
        moveVisit();
        write(place.content, "about.json", general(11, "Has the id of the café"));
      },
    ],
    [
      "below a parent that their type does not allow",
      () => renameSync(source("works/_a/marsh.json"), source("visit/marsh.json")),
    ],
    [
      "below a page with errors",
      () => {
        moveVisit();
        writeFileSync(source("come/index.json"), "{");
      },
    ],
    [
      "to drafts",
      () => {
        moveVisit();
        renameSync(source("come/cafe.json"), source("come/_cafe.json"));
      },
    ],
  ];

  it.each(situations)("give the same comparison as sources that were also formatted: %s", async (_, move) => {
    move();
    const asTheyWere = await compare();
    for (const file of filesBelow(place.content)) {
      const text = readFileSync(source(file), "utf8");
      if (text !== "{") writeFileSync(source(file), JSON.stringify(JSON.parse(text)));
    }
    const formatted = await compare();
    expect(placesIn(asTheyWere)).toEqual(placesIn(formatted));
    // The formatted files are listed as files without effect.
    const alike = { at: "", findings: [], withoutEffect: 0, unaffectedFiles: [] };
    expect({ ...asTheyWere, ...alike }).toEqual({ ...formatted, ...alike });
  });
});

describe("sources with errors", () => {
  it("are reported as findings, and their pages are not listed as removed", async () => {
    writeFileSync(source("about.json"), "{");
    write(place.content, "visit/cafe.json", { ...general(11, "Café"), titel: "x" });
    write(place.content, "new.json", general(90, "New"));
    const { findings, broken, removed, added, ids: identifiers, addresses } = await compare();
    expect(findings.filter(isError).map(({ place: { file } }) => file)).toEqual([
      "about.json",
      "visit/cafe.json",
    ]);
    expect(broken).toEqual([
      { file: "about.json", belowBroken: false },
      { file: "visit/cafe.json", id: 11, belowBroken: false },
    ]);
    expect(ids(added)).toEqual([90]);
    expect([removed, identifiers.vanished, addresses]).toEqual([[], [], []]);
  });

  it("hide the changes of their subpages", async () => {
    write(place.content, "visit/index.json", { ...general(10, "Visit"), titel: "x" });
    write(place.content, "visit/cafe.json", general(11, "The café"));
    expect((await compare()).broken).toContainEqual({ file: "visit/cafe.json", id: 11, belowBroken: true });
  });

  it("are found in unchanged files if the parent page has another type", async () => {
    write(place.content, "works/index.json", general(30, "Works"));
    const misplaced = (await compare()).findings.filter(({ code }) => code === "misplaced-type");
    expect(misplaced.map(({ place: { file } }) => file)).toContain("works/_a/marsh.json");
  });

  it("are found in file names, without the findings of the base", async () => {
    write(place.content, "note.txt", "x");
    commit(place.folder);
    write(place.content, "other.txt", "x");
    write(place.content, "a b.json", general(90, "A"));
    const found = (await compare("HEAD")).findings.map(({ code, place: { file } }) => [code, file]);
    expect(found).toEqual([
      ["bad-slug", "a b.json"],
      ["other-file", "other.txt"],
    ]);
  });

  it.each(["tabs\tand \u001b[2J", 'a","title":"b'])("are found in folders of any name: %j", async (name) => {
    write(place.content, `${name}/index.json`, general(90, "New"));
    write(place.content, `${name}/below.json`, general(91, "Below"));
    const { findings } = await compare();
    expect(findings.filter(isError).map(({ code }) => code)).toEqual(["bad-slug"]);
  });

  it("in the base do not hide the corrected page", async () => {
    writeFileSync(source("about.json"), "{");
    commit(place.folder);
    write(place.content, "about.json", general(2, "About"));
    expect(ids((await compare("HEAD")).added)).toEqual([2]);
  });
});

it("leaves the checkout unchanged", async () => {
  write(place.content, "new.json", general(90, "New"));
  // To git, the file looks changed, but its content is the same.
  utimesSync(source("about.json"), 1, 1);
  const index = readFileSync(join(place.folder, ".git/index"));
  await compare();
  expect(readFileSync(join(place.folder, ".git/index")).equals(index)).toBe(true);
  expect(git(place.folder, "status", "--porcelain")).toBe("?? content/new.json\n");
});

it("compares sources that are the whole checkout", async () => {
  const flat = scratch("flat");
  writeSite(flat);
  git(flat, "init", "--quiet", "--initial-branch", "main");
  commit(flat);
  write(flat, "about.json", general(2, "About us"));
  expect(ids((await diff({ content: flat })).changed)).toEqual([2]);
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
    write(place.content, "_history.json", {
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

  it("cause no warning if they become drafts, and are listed as drafts", async () => {
    renameSync(source("about.json"), source("_about.json"));
    expect(await unrecorded()).toEqual([]);
    expect((await compare()).removed).toMatchObject([{ id: 2, draft: "_about.json" }]);
  });
});

it("lists files without an effect on published pages", async () => {
  write(place.content, "_news.json", general(3, "Another title"));
  expect(await compare()).toMatchObject({ withoutEffect: 1, unaffectedFiles: [{ file: "_news.json" }] });
});
