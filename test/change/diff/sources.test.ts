import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Comparison } from "../../../build/change/diff/pages.ts";
import { diff } from "../../../build/change/diff/diff.ts";
import { Failure } from "../../../build/base/failure.ts";
import { isError } from "../../../build/findings/finding.ts";
import { general, work, workplace, write, writeSite } from "../../site/site.ts";
import { scratch } from "../../scratch.ts";
import { filesBelow } from "../../files.ts";
import { commit, fieldsOf, git, ids, eachInRepository } from "./repository.ts";

const { here, source, put, compare } = eachInRepository("sources");

/** A work with a date, whose keys are spelled with escapes, and whose own id is not the first one. */
function escaped(own: number, date: string): string {
  const { id, meta, classification, ...rest } = work(own, "Later");
  return JSON.stringify({ classification, ...rest, meta: { ...meta, go_live_at: date }, id })
    .replace('"go_live_at"', String.raw`"go_live\u005fa\u0074"`)
    .replace(/"id"(?=:\d+\}$)/, String.raw`"\u0069d"`);
}

describe("files", () => {
  it("that are only touched do not change", async () => {
    for (const file of ["about.json", "_news.json", "visit/index.json"])
      utimesSync(source(file), new Date(), new Date(Date.now() + 5000));
    const { unaffectedFiles, withoutEffect, changed } = await compare();
    expect([unaffectedFiles, withoutEffect, changed]).toEqual([[], 0, []]);
  });

  it("are read as JSON: keys with escapes, and another id before the page's own", async () => {
    for (const id of [80, 81]) put(`works/later-${id}.json`, escaped(id, "2090-01-01T00:00:00Z"));
    commit(here().folder);
    for (const id of [80, 81]) {
      put(`works/now-${id}.json`, escaped(id, "2091-01-01T00:00:00Z"));
      rmSync(source(`works/later-${id}.json`));
    }
    const { moved, added, dates } = await compare("HEAD");
    expect([ids(moved), ids(added)]).toEqual([[80, 81], []]);
    expect(dates.map(({ id, old, new: now }) => [id, old, now])).toEqual(
      [80, 81].map((id) => [id, "2090-01-01T00:00:00Z", "2091-01-01T00:00:00Z"]),
    );
  });

  it("that are touched change with the parent page", async () => {
    put("visit/index.json", general(10, "Plan your visit"));
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
      if (folder === "kept") commit(here().folder);
    }
    expect((await compare()).submodules).toEqual([{ file: "kept" }, { file: "new" }]);
    commit(source("kept"));
    expect((await compare()).submodules).toEqual([{ file: "kept" }, { file: "new" }]);
  });
});

it("lists files without an effect on published pages", async () => {
  put("_news.json", general(3, "Another title"));
  expect(await compare()).toMatchObject({ withoutEffect: 1, unaffectedFiles: [{ file: "_news.json" }] });
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
        put("about.json", general(11, "Has the id of the café"));
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
    for (const file of filesBelow(here().content)) {
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
    put("visit/cafe.json", { ...general(11, "Café"), titel: "x" });
    put("new.json", general(90, "New"));
    const { findings, broken, removed, added, ids: identifiers, addresses } = await compare();
    expect(findings.filter(isError).map((one) => one.place.file)).toEqual(["about.json", "visit/cafe.json"]);
    expect(broken).toEqual([
      { file: "about.json", belowBroken: false },
      { file: "visit/cafe.json", id: 11, belowBroken: false },
    ]);
    expect(ids(added)).toEqual([90]);
    expect([removed, identifiers.vanished, addresses]).toEqual([[], [], []]);
  });

  it("hide the changes of their subpages", async () => {
    put("visit/index.json", { ...general(10, "Visit"), titel: "x" });
    put("visit/cafe.json", general(11, "The café"));
    expect((await compare()).broken).toContainEqual({ file: "visit/cafe.json", id: 11, belowBroken: true });
  });

  it("that are fixed add their pages, and the pages below them", async () => {
    put("visit/index.json", { ...general(10, "Visit"), titel: "x", title: undefined });
    commit(here().folder);
    put("visit/index.json", general(10, "Visit"));
    const { added, broken } = await compare("HEAD");
    expect([ids(added), broken]).toEqual([[10, 11, 13, 12], []]);
  });

  it("are found in unchanged files if the parent page has another type", async () => {
    put("works/index.json", general(30, "Works"));
    const misplaced = (await compare()).findings.filter(({ code }) => code === "misplaced-type");
    expect(misplaced.map(({ place: { file } }) => file)).toContain("works/_a/marsh.json");
  });

  it("are found in file names, without the findings of the base", async () => {
    put("note.txt", "x");
    commit(here().folder);
    put("other.txt", "x");
    put("a b.json", general(90, "A"));
    const found = (await compare("HEAD")).findings.map(({ code, place: { file } }) => [code, file]);
    expect(found).toEqual([
      ["bad-slug", "a b.json"],
      ["other-file", "other.txt"],
    ]);
  });

  it.each(["tabs\tand \u001b[2J", 'a","title":"b'])("are found in folders of any name: %j", async (name) => {
    put(`${name}/index.json`, general(90, "New"));
    put(`${name}/below.json`, general(91, "Below"));
    const { findings } = await compare();
    expect(findings.filter(isError).map(({ code }) => code)).toEqual(["bad-slug"]);
  });
});

describe("the base", () => {
  it("is where the branch left the main branch", async () => {
    git(here().folder, "checkout", "--quiet", "-b", "topic");
    put("new.json", general(90, "New"));
    const left = git(here().folder, "rev-parse", "main").trim();
    commit(here().folder);
    git(here().folder, "checkout", "--quiet", "main");
    put("elsewhere.json", general(91, "Elsewhere"));
    commit(here().folder);
    git(here().folder, "checkout", "--quiet", "topic");
    const { base, added } = await compare();
    expect(base).toEqual({ commit: left, from: "merge base with main" });
    expect(ids(added)).toEqual([90]);
  });

  it("is the origin's main branch rather than the local one", async () => {
    git(here().folder, "update-ref", "refs/remotes/origin/main", "HEAD");
    put("new.json", general(90, "New"));
    commit(here().folder);
    const { base, added } = await compare();
    expect(base.from).toBe("merge base with origin/main");
    expect(ids(added)).toEqual([90]);
  });

  it("is the given revision", async () => {
    const first = git(here().folder, "rev-parse", "HEAD").trim();
    put("new.json", general(90, "New"));
    commit(here().folder);
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
    git(here().folder, "checkout", "--quiet", "--orphan", "alone");
    put("new.json", general(90, "New"));
    commit(here().folder);
    await expect(compare()).rejects.toThrow(/--base/);
  });

  it("may have no sources", async () => {
    const empty = git(here().folder, "hash-object", "-t", "tree", "/dev/null").trim();
    const root = git(here().folder, "commit-tree", empty, "-m", "empty").trim();
    const { added, site, removed } = await compare(root);
    expect(added).toHaveLength(16);
    expect(removed).toEqual([]);
    expect(site.map(({ field }) => field)).toContain("base_url");
  });
});

it("compares sources that are the whole checkout", async () => {
  const flat = scratch("flat");
  writeSite(flat);
  git(flat, "init", "--quiet", "--initial-branch", "main");
  commit(flat);
  write(flat, "about.json", general(2, "About us"));
  expect(ids((await diff({ content: flat })).changed)).toEqual([2]);
});

it("leaves the checkout unchanged", async () => {
  put("new.json", general(90, "New"));
  // To git, the file looks changed, but its content is the same.
  utimesSync(source("about.json"), 1, 1);
  const index = readFileSync(join(here().folder, ".git/index"));
  await compare();
  expect(readFileSync(join(here().folder, ".git/index")).equals(index)).toBe(true);
  expect(git(here().folder, "status", "--porcelain")).toBe("?? content/new.json\n");
});
