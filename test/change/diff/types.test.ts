import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runHere } from "../../command.ts";
import { general, page, SITE } from "../../site/site.ts";
import { codes, commit, eachInRepository, fieldsOf, ids, printed } from "./repository.ts";

const EVENT = "tides.TidePage";
const TYPES = {
  types: {
    [EVENT]: {
      label: "Tide",
      parents: ["standardpages.GeneralPage"],
      fields: { strapline: "text", programme: { blocks: { text: "html" } } },
    },
  },
};
const withFields = (fields: object) => ({
  types: { [EVENT]: { ...TYPES.types[EVENT], fields: { ...TYPES.types[EVENT].fields, ...fields } } },
});
const event = (id: number, more: object = {}) => ({ ...page(id, EVENT, `Event ${id}`), ...more });

const { here, source, put, compare } = eachInRepository("types", {
  "_site.json": SITE,
  "_types.json": TYPES,
  "index.json": page(1, "home.HomePage", "Home"),
  "visit/index.json": general(10, "Visit"),
  "visit/walk.json": event(20, { strapline: "A" }),
  "visit/talk.json": event(21),
  "visit/_draft.json": event(22),
});

describe("a change of _types.json", () => {
  it("lists a new field once for the pages of the type, none of which was edited", async () => {
    put("_types.json", withFields({ price: "number?", sold_out: "boolean" }));
    const comparison = await compare();
    expect(comparison).toMatchObject({
      changed: [],
      added: [],
      withoutEffect: 0,
      findings: [],
      types: [
        { field: `types.${EVENT}.fields.price`, new: "number?" },
        { field: `types.${EVENT}.fields.sold_out`, new: "boolean" },
      ],
      retyped: [
        {
          type: EVENT,
          fields: [
            { field: "sold_out", new: false },
            { field: "price", new: null },
          ].reverse(),
        },
      ],
    });
    expect(comparison.retyped.map(({ pages }) => new Set(ids(pages)))).toEqual([new Set([20, 21])]);
    for (const reporter of ["human", "markdown"]) {
      const text = printed(reporter, comparison);
      expect(text).toContain("2 changed because of _types.json");
      expect(text).toContain("_types.json changes");
      expect(text).toMatch(/Changed because of _types\.json[^]*sold_out[^]*false[^]*Event 21/);
    }
    const { stdout } = await runHere("diff", ["--content", here().content, "--reporter", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({ retyped: [{ type: EVENT }], types: [{}, {}] });
    expect(stdout).not.toContain("models");
  });

  it("reads the pages before the change by the types before it", async () => {
    const { strapline: _, ...rest } = TYPES.types[EVENT].fields;
    put("_types.json", { types: { [EVENT]: { ...TYPES.types[EVENT], fields: { ...rest, line: "text" } } } });
    put("visit/walk.json", event(20, { line: "B" }));
    const comparison = await compare();
    expect(fieldsOf(comparison.changed, 20).sort()).toEqual(["line", "strapline"]);
    expect(comparison.retyped.map(({ pages }) => ids(pages))).toEqual([[21]]);
    expect(comparison.findings).toEqual([]);
  });

  it("lists the errors that it causes in pages that were not edited", async () => {
    put("_types.json", withFields({ start_date: "date!" }));
    put("visit/walk.json", event(20, { start_date: "2026-05-01" }));
    const comparison = await compare();
    expect(fieldsOf(comparison.changed, 20)).toEqual(["strapline", "start_date"]);
    expect(comparison).toMatchObject({ broken: [{ file: "visit/talk.json" }], retyped: [], removed: [] });
    expect(codes(comparison)).toEqual(["missing-field"]);
  });

  it("removes and adds the pages of a type", async () => {
    for (const file of ["walk", "talk", "_draft"]) rmSync(source(`visit/${file}.json`));
    put("_types.json", "{}");
    expect(await compare()).toMatchObject({
      removed: [{ id: 21, type: EVENT }, { id: 20 }],
      findings: [{}, {}],
    });
    commit(here().folder);
    put("_types.json", TYPES);
    put("visit/walk.json", event(30));
    expect(await compare()).toMatchObject({ added: [{ id: 30, type: EVENT }], removed: [], findings: [] });
  });

  it("without another model of the pages changes no page", async () => {
    put("_types.json", { types: { [EVENT]: { ...TYPES.types[EVENT], label: "Occasion" } } });
    expect(await compare()).toMatchObject({
      types: [{ new: "Occasion" }],
      retyped: [],
      changed: [],
      findings: [],
    });
    put("_types.json", `${JSON.stringify(TYPES)}\n\n`);
    expect(await compare()).toMatchObject({ types: [], retyped: [], changed: [], findings: [] });
  });

  it("with errors is reported, and the pages are compared by the types before", async () => {
    put("_types.json", '{"type": {}}');
    put("visit/walk.json", event(20, { strapline: "B" }));
    const comparison = await compare();
    expect(codes(comparison)).toEqual(["unknown-key"]);
    expect(fieldsOf(comparison.changed, 20)).toEqual(["strapline"]);
    expect(comparison.types).toEqual([]);
    commit(here().folder);
    await expect(compare()).rejects.toThrow("_types.json has errors");
    put("_types.json", TYPES);
    put("visit/walk.json", event(20, { strapline: "C" }));
    expect(fieldsOf((await compare()).changed, 20)).toEqual(["strapline"]);
  });
});

it("shows the HTML of a block as words", async () => {
  put("visit/walk.json", event(20, { programme: [{ type: "text", value: "<p>Two <b>herons</b></p>" }] }));
  commit(here().folder);
  put("visit/walk.json", event(20, { programme: [{ type: "text", value: "<p>Three <b>herons</b></p>" }] }));
  const comparison = await compare();
  expect(fieldsOf(comparison.changed, 20)).toEqual(["programme[0].value"]);
  expect(printed("human", comparison)).toContain('+ "Three herons"');
});

it("lists a page that shows a changed page, with what its response shows", async () => {
  const shows = { kind: "page", types: ["standardpages.GeneralPage"], shows: ["title"] };
  put("_types.json", withFields({ hosts: [shows] }));
  put("visit/talk.json", event(21, { hosts: [10, 11] }));
  put("about.json", general(11, "About"));
  commit(here().folder);
  put("about.json", general(11, "About us"));
  const { changed } = await compare("HEAD");
  expect(changed.map(({ id, fields }) => [id, fields])).toEqual([
    [11, [{ field: "title", old: "About", new: "About us" }]],
    [21, [{ field: "hosts[1].title", old: "About", new: "About us" }]],
  ]);
});
