import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { copy, create, pageTypeNamed, shortNames, type CreateOptions } from "../../build/change/create.ts";
import { withdraw } from "../../build/change/page-actions.ts";
import { freeId } from "../../build/change/ids.ts";
import {
  classificationNamed,
  listNames,
  referenceLine,
  referencesOf,
} from "../../build/change/references.ts";
import { Failure } from "../../build/base/failure.ts";
import type { JsonObject } from "../../build/source/json/object.ts";
import { programModel } from "../../build/model/program-model.ts";
import { modelFrom } from "../../build/model/types.ts";
import type { PageType } from "../../build/model/page-types.ts";
import { check } from "../../build/site/check.ts";
import { runHere } from "../command.ts";
import { filesBelow, readJson } from "../files.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { fullValue } from "../response/valid.ts";
import { runsOf } from "../runs.ts";
import { MEMORY, scratch } from "../scratch.ts";
import { refusal } from "../refusal.ts";

/** Sources that the tests leave out: new pages do not depend on the number of works and artists. */
const LEFT_OUT = /art\/(artworks\/(_[fp]00|constable)|artists\/(?!index|josiah|jmw|edward)\w)/;

/** Values for the required fields of a work, which the sources have. */
const FACTS = {
  acno: "X00001",
  acquisitionYear: 1911,
  start_year: 1840,
  end_year: 1840,
  mltYear: 1840,
  classification: { id: 3 },
};

let content: string;
beforeEach(() => {
  content = join(scratch("new", MEMORY), "content");
  cpSync(FIXTURE_SITE, content, { recursive: true, filter: (source) => !LEFT_OUT.test(source) });
});

const path = (file: string) => join(content, file);
const written = (file: string) => readJson(path(file)) as Record<string, unknown>;
const factsOf = (type: PageType): JsonObject => {
  if (type === "artworks.ArtworkPage") return FACTS;
  const { source, own } = programModel.of(type);
  const required = [...source.fields].filter(([name, { isRequired }]) => own.includes(name) && isRequired);
  return Object.fromEntries(required.map(([name, field]) => [name, fullValue(field)]));
};
const make = (typeName: string, at: string, more: Partial<CreateOptions> = {}) =>
  create({
    content,
    type: pageTypeNamed(programModel, typeName),
    path: at,
    draft: false,
    title: "A title",
    facts: factsOf(pageTypeNamed(programModel, typeName)),
    allFields: false,
    ...more,
  });

describe("things that pages already mention", () => {
  test("are listed as they are written, sorted by name", async () => {
    expect(referencesOf(content, programModel, "gift-groups").map((one) => one.written["id"])).toEqual([
      8, 7,
    ]);
    const venues = referencesOf(content, programModel, "venues").map(referenceLine).join("\n");
    expect(venues).toContain('"venueName": "Aldermouth Art Gallery", "venueWebsiteUrl": "https');
    for (const kind of listNames(programModel))
      expect(referencesOf(content, programModel, kind)).not.toEqual([]);
    expect(referencesOf(content, programModel, "artists")).toEqual(
      referencesOf(content, programModel, "contributors"),
    );
    expect(() => referencesOf(content, programModel, "subject")).toThrow("subjects");
    const venue = { key: "id", fields: { id: "integer", name: "text!" } };
    const types = { "a.APage": { label: "A", parents: ["home.HomePage"], fields: { venue: "EventVenue" } } };
    const declared = modelFrom(JSON.stringify({ types, shapes: { EventVenue: venue } }));
    expect(listNames(declared)).toContain("event-venues");
    const { stdout } = await runHere("new", ["--list", "subjects", "nature", "--content", content]);
    expect(stdout).toMatch(/^"id": 101, "name": "nature", "level": 1, "parent_id": 1  \(\d pages\)\n$/);
  });

  test("a classification can be given as one word if the works of no other match it", () => {
    expect(classificationNamed(content, programModel, "12")).toBe(12);
    expect(classificationNamed(content, programModel, "drawing")).toBe(2);
    expect(classificationNamed(content, programModel, "sketchbook")).toBe(5);
    for (const word of ["watercolour", "marble"])
      expect(() => classificationNamed(content, programModel, word)).toThrow(/"id": 2,.*"id": 5,/s);
  });
});

/** The new file; undefined if it was refused. Any other error fails the test. */
function madeOrRefused(type: string, at: string, draft: boolean): string | undefined {
  try {
    return make(type, at, { draft }).target.file;
  } catch (cause) {
    if (cause instanceof Failure) return undefined;
    throw cause;
  }
}

const run = (...args: string[]) => runHere("new", ["--content", content, ...args]);

const named = (name: string) => pageTypeNamed(programModel, name);

test("a page type is found by its full or short name, in any spelling", () => {
  expect(shortNames(programModel).map(named)).toEqual(programModel.names);
  for (const name of ["artworks.ArtworkPage", "ArtworkPage", "artwork"])
    expect(named(name)).toBe("artworks.ArtworkPage");
  expect(named("Artwork-Index")).toBe("artworks.ArtworkIndexPage");
  for (const name of ["", "page", "artworks.GeneralPage", "artworks.artwork"])
    expect(() => named(name)).toThrow(Failure);
});

describe("a new page is valid", () => {
  test.each([
    ["artwork", "art/artworks/_x00/marsh-x00001", "art/artworks/_x00/marsh-x00001.json"],
    ["artwork", "art/artworks/_a b/_é/_d00.x/marsh", "art/artworks/_a b/_é/_d00.x/marsh.json"],
    ["artwork", "art/artworks/marsh/", "art/artworks/marsh/index.json"],
    ["artwork-index", "art/prints/index.json", "art/prints/index.json"],
    ["artwork-index", "art/drawings", "art/drawings/index.json"],
    ["general", "visit/cafe.json", "visit/cafe.json"],
    ["project", "research/projects/marsh", "research/projects/marsh.json"],
    ["project-index", "research/old/", "research/old/index.json"],
  ])("%s at %s", async (type, at, file) => {
    for (const allFields of [false, true]) {
      expect(make(type, at, { allFields }).target.file).toBe(file);
      expect(Object.keys(written(file)).slice(0, 4)).toEqual(["$schema", "id", "meta", "title"]);
      expect(await check({ content, strict: true })).toMatchObject({ findings: [] });
      rmSync(path(file));
    }
  });

  test("a home page, if there is none", async () => {
    rmSync(path("index.json"));
    expect(() => make("general", "visit/cafe")).not.toThrow();
    expect(() => make("general", "cafe")).toThrow("no home page");
    expect(() => make("general", "index.json")).toThrow("home.HomePage");
    expect(make("home", "").address).toBe("https://www.aldermouth.example.org/");
    expect((await check({ content })).findings).toEqual([]);
  });

  test("given values are written, and missing ones are listed", () => {
    const facts = { start_year: 1840, acquisitionYear: 1911 };
    const more = { facts, id: 77, title: undefined };
    const { guessed } = make("artwork", "art/artworks/grey-marsh-x00001", more);
    expect(written("art/artworks/grey-marsh-x00001.json")).toMatchObject({
      id: 77,
      title: "",
      classification: { id: null, meta: { type: "artworks.Classification" } },
      acno: "X00001",
      start_year: 1840,
      end_year: 1840,
      mltYear: 1840,
      acquisitionYear: 1911,
    });
    expect(guessed.map(({ field }) => field)).toEqual(["title", "classification"]);
  });

  test("wrong values are refused, and nothing is written", () => {
    expect(() => make("artwork", "art/artworks/x", { facts: { acno: "530" } })).toThrow("accession number");
    expect(() => make("artwork", "art/artworks/x", { facts: { start_year: 1e16 } })).toThrow("start_year");
    expect(() => make("general", "visit/x", { title: "" })).toThrow("title");
    expect(() => make("general", "visit/x", { id: 0 })).toThrow("id");
    expect(existsSync(path("visit/x.json")) || existsSync(path("art/artworks/x.json"))).toBe(false);
  });
});

const codeOf = (field: string) => (/^(?:title|acno)$/.test(field) ? "empty-field" : "wrong-type");

test("a missing value is an error at its place until it is filled in, also with every field", async () => {
  for (const allFields of [false, true]) {
    const more = { facts: {}, title: undefined, allFields };
    const { guessed, target } = make("artwork", "art/artworks/marsh", more);
    const { findings } = await check({ content });
    expect(findings.map(({ place, code }) => [place.file, place.line, code])).toEqual(
      guessed.map(({ place, field }) => [target.file, place.line, codeOf(field)]),
    );
    rmSync(path(target.file));
  }
});

test("a copy has an id of its own, and no publication date", async () => {
  const before = await check({ content });
  const to = { content, path: "about/access-for-all", draft: false, facts: {} };
  const { target, id } = copy("visit/access", to);
  expect(target.file).toBe("about/access-for-all.json");
  expect(written(target.file)).toEqual({
    ...written("visit/access.json"),
    $schema: expect.stringContaining("page.schema.json") as string,
    id,
    meta: { ...(written("visit/access.json")["meta"] as object), first_published_at: null },
  });
  expect(await check({ content })).toEqual({ pages: before.pages + 1, findings: [] });
  expect((await run("--id")).stdout).toMatch(/^[1-9]\d{7}\n$/);
  expect(await run("--id", "general", "visit/x")).toMatchObject({ status: 2 });
});

test("a copy of a work has the accession number in its file name, and does not follow the work's record", () => {
  const { meta, ...work } = written(WORK);
  const followed = { ...work, meta: { ...(meta as object), external_id: "works:D00033" } };
  writeFileSync(path(WORK), JSON.stringify(followed));
  const { target } = copy(WORK, { content, path: "art/artworks/_d00/again-d00059", draft: true, facts: {} });
  expect(written(target.file)).toMatchObject({
    acno: "D00059",
    meta: expect.not.objectContaining({ external_id: expect.anything() }),
  });
});

const WORK = "art/artworks/_d00/lear-corfu-from-ascension-d00033.json";
const COPY = ["--copy", WORK, "art/artworks/_b c/again-x00059"];

test("a copy has the facts that are given, and no others change", async () => {
  const numbers = "--id 77 --acquisition-year 1999 --classification 12 --start-year 1840 --end-year 1841";
  const { status, stdout } = await run(...COPY, "--title", "Again “2”", ...numbers.split(" "));
  expect([status, stdout]).toEqual([0, expect.stringContaining("“Again “2””, id 77")]);
  const { $schema: _, classification, meta, ...rest } = written("art/artworks/_b c/again-x00059.json");
  const before = written(WORK);
  expect(rest).toEqual({
    ...Object.fromEntries(Object.entries(before).filter(([key]) => key in rest)),
    id: 77,
    title: "Again “2”",
    acno: "X00059",
    acquisitionYear: 1999,
    start_year: 1840,
    end_year: 1841,
    mltYear: 1840,
  });
  expect(classification).toEqual({ ...(before["classification"] as object), id: 12 });
  expect(meta).toMatchObject({ first_published_at: null });
});

test.each([
  [[...COPY, "--all-fields"], "--all-fields"],
  [[...COPY, "--id", "3"], "3 is taken"],
  [[...COPY, "--title", ""], "--title"],
  [[...COPY, "--acno", "530"], "accession number"],
  [["--copy", "visit/access", "visit/x", "--acno", "X00001"], "has no acno"],
  [["--list", "subjects", "--title", "x"], "--title"],
  [["--list", "subjects", "--draft"], "--draft"],
  [["--id", "--all-fields"], "--all-fields"],
])("%j is refused, because an option would have no effect or a wrong one", async (args, words) => {
  const before = filesBelow(content);
  expect(await run(...args)).toMatchObject(refusal(words));
  expect(filesBelow(content)).toEqual(before);
});

test("a draft is one file, and is not published until it is renamed", async () => {
  const before = await check({ content });
  const { target, address } = make("general", "visit/cafe", { draft: true });
  expect(target).toMatchObject({ file: "visit/_cafe.json", published: "visit/cafe.json" });
  expect(address).toBe("https://www.aldermouth.example.org/visit/cafe/");
  expect((await check({ content })).pages).toBe(before.pages);
  renameSync(path(target.file), path(target.published ?? ""));
  expect(await check({ content })).toEqual({ pages: before.pages + 1, findings: [] });
  // A name that begins with _ makes a draft, too.
  expect(make("general", "visit/_tea").target.file).toBe("visit/_tea.json");
  expect(() => make("general", "visit/tea/", { draft: true })).toThrow("one file");
});

describe("ids", () => {
  test("of other pages, drafts and files with errors are taken", () => {
    writeFileSync(path("visit/_one.json"), '{"id": 10000000, "title": ""}');
    writeFileSync(path("visit/two.json"), '{"id": 10000001,');
    expect(() => make("general", "visit/x", { id: 10_000_000 })).toThrow("visit/_one.json");
    expect(() => make("general", "visit/x", { id: 10_000_001 })).toThrow("visit/two.json");
    expect(() => make("general", "visit/x", { id: 3 })).toThrow("index.json");
    writeFileSync(path("_history.json"), '{"retired": [{"id": 10000002, "address": "/gone/"}]}');
    expect(() => make("general", "visit/x", { id: 10_000_002 })).toThrow("the retired page /gone/");
  });

  test("are free, have eight digits, and rarely repeat", () => {
    const draws = [0, 0.5, 1 - 2 ** -53];
    const taken = new Set([10_000_000, 55_000_000]);
    expect(freeId(taken, () => draws.shift() ?? 0)).toBe(99_999_999);
    const ids = Array.from({ length: 1000 }, () => freeId(new Map()));
    expect(ids.every((id) => /^[1-9]\d{7}$/.test(String(id)))).toBe(true);
    expect(new Set(ids).size).toBeGreaterThan(990);
  });
});

describe("refused", () => {
  test.each([
    ["an artwork below a general page", "artwork", "visit/x", "below a page of the type “Artwork index”"],
    ["a second home page", "home", "visit/x", "first page of the site"],
    ["a file that is there", "general", "visit/access", "there already"],
    ["a page that is there as a folder", "general", "visit", "address “visit”"],
    ["the same slug in capitals", "general", "visit/Access/", "visit/access.json"],
    ["the same slug in a group", "artwork", "art/artworks/_x/study-of-a-mooring-post-d00057", "address"],
    ["the slug of a draft", "general", "visit/winter-closure", "publish that draft"],
    ["a space", "general", "visit/the cafe", "letters"],
    ["a dot", "general", "visit/cafe.html", "letters"],
    ["the name of a device on Windows", "general", "visit/COM1", "Windows reserves"],
    ["a folder with such a name", "general", "visit/aux/", "Windows reserves"],
    ["a group as a page", "general", "visit/_group/", "groups files"],
    ["a draft with the name of a file about the site", "general", "visit/_history", "Choose another name"],
    ["a page among the images", "general", "_media/x", "only images"],
    ["a page in a group among the images", "general", "_media/_x/y", "only images"],
    ["a page below no page", "general", "visit/food/menu", "npx page-api new TYPE visit/food/"],
    ["a page below one without folder", "general", "about/contact/map", "move about/contact about/contact/"],
    ["a place outside", "general", "../x", "not in the content folder"],
    ["a place outside, whole", "general", "/etc/x", "not in the content folder"],
  ])("%s", (_, type, at, reason) => {
    expect(() => make(type, at)).toThrow(reason);
  });

  test("a path through a link, or below a file", () => {
    mkdirSync(path("../elsewhere"));
    symlinkSync("../elsewhere", path("_link"));
    writeFileSync(path("_file"), "");
    for (const at of ["_link/x", "_link/y/", "_file/x"])
      expect(() => make("general", at)).toThrow("not a folder");
  });

  test("a parent page of unknown type", () => {
    writeFileSync(path("visit/index.json"), "{");
    expect(() => make("general", "visit/cafe")).toThrow("fix it first");
  });

  test("any path is refused, or makes a source without errors", async () => {
    const names = ["visit", "art", "artworks", "_d00", "_", "x", "index", "index.json", "_x.json"];
    const part = fc.constantFrom(...names, "..", ".", "", "a b");
    const before = filesBelow(content);
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 4 }),
        fc.constantFrom(...shortNames(programModel)),
        fc.boolean(),
        async (parts, type, draft) => {
          const file = madeOrRefused(type, parts.join("/"), draft);
          // If the path was refused, nothing may have changed; the other tests check that.
          const findings = file === undefined ? [] : (await check({ content })).findings;
          expect(findings).toEqual([]);
          if (file !== undefined) rmSync(path(file));
          expect(filesBelow(content)).toEqual(before);
        },
      ),
      { numRuns: runsOf(100) },
    );
  });
});

test("the command lists the new file, its address, and the fields to fill in", async () => {
  const given = ["--title", "Marsh", "--draft", "--start-year", "1840"];
  const done = await run("artwork", "art/artworks/marsh-x00001", ...given);
  expect(done).toMatchObject({ status: 0, stderr: "" });
  expect(done.stdout).toMatch(/_marsh-x00001\.json: artworks\.ArtworkPage “Marsh”, id \d{8}\n/);
  expect(done.stdout).toMatch(/_marsh-x00001\.json:12:22 {2}acquisitionYear: null\n/);
  expect(done.stdout).toMatch(/rename it to \S+\/marsh-x00001\.json\n$/);
  for (const wrong of ["artwork", "general visit/x y", "general visit/x --id x", "general visit/x --acno x"])
    expect(await run(...wrong.split(" "))).toMatchObject(refusal());
});

test("a page does not become a draft with the name of a file about the site", () => {
  make("general", "visit/history");
  expect(() => withdraw(content, "visit/history.json")).toThrow("history/_index.json");
  expect(existsSync(path("visit/history.json"))).toBe(true);
});

test("a page does not become a draft in place of one that is there", () => {
  writeFileSync(path("visit/_access.json"), "{}");
  expect(() => withdraw(content, "visit/access.json")).toThrow("visit/_access.json is there already");
});
