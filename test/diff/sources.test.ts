import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Comparison } from "../../build/diff/comparison.ts";
import { diff } from "../../build/diff/diff.ts";
import { isError } from "../../build/findings/finding.ts";
import { general, work, write, type Workplace } from "../pipeline/site.ts";
import { filesBelow } from "../files.ts";
import { commit, fieldsOf, git, ids, repository } from "./repository.ts";

let place: Workplace;
beforeEach(() => {
  place = repository("sources");
});

const source = (path: string): string => join(place.content, path);
const compare = (base?: string) => diff({ content: place.content, base });

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
    for (const id of [80, 81])
      write(place.content, `works/later-${id}.json`, escaped(id, "2090-01-01T00:00:00Z"));
    commit(place.folder);
    for (const id of [80, 81]) {
      write(place.content, `works/now-${id}.json`, escaped(id, "2091-01-01T00:00:00Z"));
      rmSync(source(`works/later-${id}.json`));
    }
    const { moved, added, dates } = await compare("HEAD");
    expect([ids(moved), ids(added)]).toEqual([[80, 81], []]);
    expect(dates.map(({ id, old, new: now }) => [id, old, now])).toEqual(
      [80, 81].map((id) => [id, "2090-01-01T00:00:00Z", "2091-01-01T00:00:00Z"]),
    );
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

it("lists files without an effect on published pages", async () => {
  write(place.content, "_news.json", general(3, "Another title"));
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
});
