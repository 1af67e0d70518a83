import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { idsBelow, labelOf, record, response } from "../../build/browse/client/data.js";
import { pageSchema } from "../../build/contract/schemas.ts";
import { definitions } from "../../build/contract/responses.ts";
import { typesModule } from "../../build/contract/types.ts";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { diff } from "../../build/diff/diff.ts";
import { shownChange } from "../../build/page/shown-change.ts";
import { create } from "../../build/edit/create.ts";
import { fix } from "../../build/edit/fix.ts";
import { pageTypeNamed } from "../../build/edit/create.ts";
import { hintOf, messageOf } from "../../build/findings/finding.ts";
import { build } from "../../build/pipeline/build.ts";
import { check } from "../../build/pipeline/check.ts";
import { PageValidator } from "../fuzz/validate.ts";
import { commit, repository } from "../diff/repository.ts";
import { filesBelow } from "../files.ts";
import { general, page, SITE, write, type Workplace } from "../pipeline/site.ts";
import { site } from "../response/place.ts";
import { anyValue } from "../response/sound.ts";
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
const make = (): Workplace =>
  repository("added-type", {
    "_site.json": SITE,
    "index.json": page(1, "home.HomePage", "Home"),
    "visit/index.json": general(10, "Visit"),
    [FILE]: event(),
  });

const put = (source: object, file = FILE): void => write(place.content, file, source);
const found = async () =>
  (await check({ content: place.content, model })).findings.map((one) => ({
    file: one.place.file,
    code: one.code,
    text: `${messageOf(one)} ${hintOf(one)}`,
  }));
const codes = async () => (await found()).map(({ code }) => code);

describe("an added page type", () => {
  beforeEach(() => {
    place = make();
  });

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
    const written = (file: string) => JSON.parse(readFileSync(join(content, file), "utf8")) as object;
    expect(Object.keys(written("visit/talk.json"))).toEqual(["$schema", "id", "meta", "title", "speakers"]);
    expect(written("visit/late.json")).toMatchObject({ motto: null, programme: "", speakers: [] });
    expect(await found()).toEqual([]);
    expect(() => create({ ...more, path: "talk", facts: {}, allFields: false })).toThrow("must be below");
  });

  it("is fixed by fix", async () => {
    put({ ...event(), meta: { type: EVENT, slug: "x", show_in_menus: "true" } });
    const fixed = [...fix({ content: place.content, model, names: [], format: false, dryRun: false })];
    expect(fixed.find(({ file }) => file === FILE)?.fixes.map(({ done }) => done)).toEqual(
      expect.arrayContaining([
        expect.stringContaining("removed “meta.slug”"),
        expect.stringContaining("removed the quotation marks around “meta.show_in_menus”"),
      ]),
    );
    expect(await found()).toEqual([]);
  });

  it("is compared by diff, its HTML as text", async () => {
    commit(place.folder);
    put(event({ motto: null, programme: "<p>We meet at the <em>mill</em>.</p>", speakers: ["Ada Marsh"] }));
    const { changed } = await diff({ content: place.content, model, base: "HEAD" });
    expect(changed.map(({ id, type }) => [id, type])).toEqual([[20, EVENT]]);
    const shown = new Map(changed[0]?.fields.map((change) => [change.field, shownChange(change, [model])]));
    expect(shown.get("motto")).toEqual({ old: '"Two herons and a boat"', new: "null" });
    expect(shown.get("programme")).toEqual({ old: '"We meet at the pier."', new: '"We meet at the mill."' });
    expect([...shown.keys()].some((field) => field.startsWith("speakers"))).toBe(true);
  });
});

describe("an added page type in the contract", () => {
  it("is in the schema of sources", () => {
    const branch = pageSchema(model).allOf?.find((one) => JSON.stringify(one.if).includes(`["${EVENT}"]`));
    expect(Object.keys(branch?.then?.properties ?? {})).toEqual(
      expect.arrayContaining(["motto", "programme", "speakers"]),
    );
    expect(branch?.then?.properties?.["motto"]).toMatchObject({ default: null, minLength: 1 });
    expect(branch?.then?.required ?? []).not.toContain("motto");
  });

  it("is in the types and the schemas of responses", () => {
    const text = typesModule(model);
    expect(text).toContain('"fairs.FairPage": FairPage;');
    const [, members = ""] = /export interface FairPage \{\n([^]*?)\n\}\n/.exec(text) ?? [];
    expect(members).toContain("  motto: string | null;");
    expect(members).toContain("  programme: string;");
    expect(members).toContain("  speakers: string[];");
    expect(definitions(model)["FairPage"]?.required).toEqual(
      expect.arrayContaining(["motto", "programme", "speakers"]),
    );
  });
});

describe("an added page type in a build", () => {
  it("has a valid response, unless its fields are wrong", () => {
    const validator = new PageValidator({ ...site, owned_paths: ["/a"] }, model);
    const verdict = (source: unknown) => validator.validate(Buffer.from(JSON.stringify(source)), EVENT);
    fc.assert(
      fc.property(anyValue(model.sourceOf(EVENT)), (source) => {
        expect(verdict(source)).toBe("accepted");
      }),
      { numRuns: 200, seed: 1, endOnFailure: true },
    );
    for (const wrong of [{ motto: "" }, { motto: 1 }, { speakers: [""] }, { programme: "<b>" }])
      expect(verdict(event(wrong))).toBe("refused");
    for (const right of [{ motto: "Her\u200bons" }, { motto: null }])
      expect(verdict(event(right))).toBe("accepted");
  });
});

describe("an added page type in the browse UI", () => {
  beforeAll(async () => {
    place = make();
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
    const answer = JSON.parse((await response(20))?.text ?? "{}") as object;
    const { title, meta: _, ...fields } = event();
    expect(answer).toMatchObject({ ...fields, title, meta: { type: EVENT, slug: "marsh-walk" } });
  });
});

/** Files that name types on purpose: the importer of Tate's data, sources for the benchmark. */
const NAMING = /^build\/(?:page|import\/tate)\/|^scripts\/bench\/input\//;

/** The modules at which the program begins: commands and tests call them, a thread, or a browser. */
const ENTRIES = [
  "check/types.ts",
  "dev/develop.ts",
  "diff/diff.ts",
  "editor/client/host.ts",
  "pipeline/outcome.ts",
  "pipeline/thread.ts",
];

describe("the page types", () => {
  it("are named nowhere outside build/page", () => {
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
      /page\/program-\w+\.ts"/.test(readFileSync(join(PROGRAM_FOLDER, "build", file), "utf8")),
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
