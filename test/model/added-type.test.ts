import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { idsBelow, labelOf, record, response } from "../../build/browse/data.js";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { create } from "../../build/change/create.ts";
import { fix } from "../../build/change/fix.ts";
import { pageTypeNamed } from "../../build/change/create.ts";
import { hintOf, messageOf } from "../../build/findings/finding.ts";
import { build } from "../../build/site/build.ts";
import { check } from "../../build/site/check.ts";
import { filesBelow, readJson } from "../files.ts";
import { general, page, SITE, workplace, type Workplace } from "../site/site.ts";
import { EVENT, withEvents } from "./event-type.ts";

// The added page type is only in the model: all that commands do for a page type follows from it.

const model = withEvents;
const FILE = "visit/marsh-walk.json";

const event = (more: object = {}) => ({
  ...page(20, EVENT, "Marsh walk"),
  motto: "Two herons and a boat",
  programme: '<p>We meet at the <a href="/visit/">pier</a>.</p>',
  speakers: ["Ada Marsh", "Zoë Pool"],
  venues: [{ id: 5, name: "The pier" }],
  ...more,
});

let place: Workplace;
const put = (source: object, file = FILE): void => place.put(file, source);
function make(): void {
  place = workplace("added-type");
  put(SITE, "_site.json");
  put(page(1, "home.HomePage", "Home"), "index.json");
  put(general(10, "Visit"), "visit/index.json");
  put(event());
}
const found = async () =>
  (await check({ content: place.content, model })).findings.map((one) => ({
    file: one.place.file,
    code: one.code,
    text: `${messageOf(one)} ${hintOf(one)}`,
  }));
const codes = async () => (await found()).map(({ code }) => code);

describe("an added page type", () => {
  beforeEach(make);

  it("is checked: its fields, its parents, its HTML and links", async () => {
    expect(await found()).toEqual([]);
    put(event({ motto: null, programme: "", speakers: [] }));
    expect(await found()).toEqual([]);
    put(page(20, EVENT, "Marsh walk"));
    expect(await found()).toEqual([]);
    put(event({ motto: "", speakers: "Ada Marsh", slogan: "x" }));
    expect((await codes()).sort()).toEqual(["empty-field", "unknown-field", "wrong-type"]);
    expect((await found()).find(({ code }) => code === "empty-field")?.text).toContain("a text, or null");
    put(event({ motto: " Herons", programme: '<p><b>x</p><a href="/visit/gone/">x</a>' }));
    expect(await codes()).toEqual(expect.arrayContaining(["space-around"]));
    expect((await codes()).some((code) => code.startsWith("html-"))).toBe(true);
    put(event({ programme: '<a href="/visit/gone/">x</a>' }));
    expect(await codes()).toEqual(["dead-link"]);
    put(event());
    put({ ...event(), id: 21 }, "marsh-walk.json");
    expect((await found()).map(({ code, text }) => [code, text])).toEqual([
      ["misplaced-type", expect.stringContaining("below standardpages.GeneralPage")],
    ]);
  });

  it("distinguishes titles, which the row marks, from other strings that are not empty", async () => {
    put(event({ motto: "Her\u200bons" }));
    expect(await found()).toEqual([]);
    put(event({ speakers: ["Ada\u200bMarsh"] }));
    expect(await codes()).toEqual(["invisible-in-title"]);
  });

  it("is suggested if only its pages have a field, or if a page has several of its fields", async () => {
    put({ ...general(20, "Marsh walk"), motto: "Herons" });
    const [unknown] = await found();
    expect(unknown?.text).toMatch(/^Only fairs have the field “motto”;.* a fair, write "fairs.FairPage"/);
    put({ ...event(), meta: { type: "standardpages.GeneralPage" } });
    const [unlikely] = await found();
    expect(unlikely?.text).toMatch(/4 fields that only fairs.FairPage has/);
  });

  it("is made by new", async () => {
    const { content } = place;
    const more = { content, model, draft: false, title: "Talk", type: pageTypeNamed(model, "fair") };
    create({ ...more, path: "visit/talk", facts: { speakers: ["Ada Marsh"] }, allFields: false });
    create({ ...more, path: "visit/late", facts: {}, allFields: true });
    const written = (file: string) => readJson(content, file) as object;
    expect(Object.keys(written("visit/talk.json"))).toEqual(["$schema", "id", "meta", "title", "speakers"]);
    expect(written("visit/late.json")).toMatchObject({ motto: null, programme: "", speakers: [] });
    expect(await found()).toEqual([]);
    expect(() => create({ ...more, path: "talk", facts: {}, allFields: false })).toThrow("must be below");
  });

  it("is fixed by fix", async () => {
    put({ ...event(), meta: { type: EVENT, slug: "x", show_in_menus: "true" } });
    const fixed = [...fix({ content: place.content, model, names: [], layout: false, dryRun: false })];
    expect(fixed.find(({ file }) => file === FILE)?.fixes.map(({ done }) => done)).toEqual(
      expect.arrayContaining([
        expect.stringContaining("removed “meta.slug”"),
        expect.stringContaining("removed the quotation marks around “meta.show_in_menus”"),
      ]),
    );
    expect(await found()).toEqual([]);
  });
});

describe("an added page type in the browse UI", () => {
  beforeAll(async () => {
    make();
    const { content, out, cache } = place;
    await build({ content, out, cache, model, browse: true });
    vi.stubGlobal("fetch", (path: string) => {
      const file = path.endsWith("/") ? `${path}index.json` : path;
      return Promise.resolve(new Response(readFileSync(join(out, file))));
    });
  });
  afterAll(() => vi.unstubAllGlobals());

  it("has its label, its position in the tree and its response", async () => {
    expect(await labelOf(EVENT)).toBe("Fair");
    expect(await labelOf("home.HomePage")).toBe("Home page");
    expect(await idsBelow(10)).toEqual([20]);
    expect(await record(20)).toMatchObject({ type: EVENT, title: "Marsh walk", parent: 10, acno: "" });
    const body = JSON.parse((await response(20))?.text ?? "{}") as object;
    const { title, meta: _, ...fields } = event();
    expect(body).toMatchObject({ ...fields, title, meta: { type: EVENT, slug: "marsh-walk" } });
  });
});

/** Files that name types on purpose: the importer of Tate's data, sources for the benchmark, settings of a user's website. */
const NAMING =
  /^build\/model\/|^scripts\/(?:import-)?tate\.|^scripts\/bench\/|^scripts\/init\/website\/site\.mjs$/;

/** The modules at which the program begins: commands and tests call them, a thread, or a browser. */
const ENTRIES = [
  "change/diff/diff.ts",
  "dev/develop.ts",
  "editor/client/host.ts",
  "model/program-model.ts",
  "model/types.ts",
  "site/outcome.ts",
  "site/thread.ts",
];

describe("the page types", () => {
  it("are named nowhere outside build/model", () => {
    const name = new RegExp(
      model.names.map((type) => `\\b${type.replace(".", String.raw`\.`)}\\b`).join("|"),
    );
    const files = ["build", "scripts"].flatMap((folder) =>
      filesBelow(join(PROGRAM_FOLDER, folder)).map((file) => `${folder}/${file}`),
    );
    const sources = files.filter((file) => /\.m?[jt]s$/.test(file) && !NAMING.test(file));
    expect(sources.length).toBeGreaterThan(200);
    const named = sources.flatMap((file) => {
      // Examples of findings, and their facts, may name types.
      const text = readFileSync(join(PROGRAM_FOLDER, file), "utf8").replace(
        /^ +(?:example|facts): (?:.*\},|\{[^]*?\n {4}\},)$/gm,
        "",
      );
      return text.split("\n").flatMap((line) => (name.test(line) ? [`${file}: ${line.trim()}`] : []));
    });
    expect(named).toEqual([]);
  });

  it("of the program are read only where the program begins, and passed to all other code", () => {
    const files = filesBelow(join(PROGRAM_FOLDER, "build")).filter((file) => file.endsWith(".ts"));
    const reading = files.filter((file) =>
      /\/program-\w+\.ts"/.test(readFileSync(join(PROGRAM_FOLDER, "build", file), "utf8")),
    );
    expect(reading.sort()).toEqual(ENTRIES);
  });

  it("differ in their labels and short names, and name types as their parents", () => {
    for (const column of ["label", "shortName"] as const) {
      const values = model.names.map((type) => model.of(type)[column].toLowerCase());
      expect(new Set(values).size).toBe(model.names.length);
    }
    expect(model.names).toContain(EVENT);
    expect(model.names).toEqual(
      expect.arrayContaining(model.names.flatMap((type) => model.of(type).parents)),
    );
  });
});
