import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../../build/base/folders.ts";
import { summary, type ImportReport } from "../../../build/exchange/api/report.ts";
import { check } from "../../../build/site/check.ts";
import { programModel } from "../../../build/model/program-model.ts";
import { readJson } from "../../files.ts";
import { PNG, write, writeSite } from "../../site/site.ts";
import { runsOf } from "../../runs.ts";
import { built, imported, place, saved, type Place } from "./site.ts";
import { block, pagesFrom, siteOf } from "./wagtail-sites.ts";
import { pagesOf, startWagtail, type Page } from "./wagtail.ts";

/** A home page and its subpages of one type, with these fields. */
const odd = (...fields: Record<string, unknown>[]): Map<number, Page> =>
  pagesFrom({
    "": { type: "odd.HomePage", title: "Odd" },
    ...Object.fromEntries(
      fields.map((one, i) => [`p${i}`, { type: "odd.Page", title: `${i}`, fields: one }]),
    ),
  });

const file = (id: number, type: string, address: string): object => ({
  id,
  meta: { type, detail_url: `https://api.example.org/api/v2/images/${id}/`, download_url: address },
  title: `${id}`,
});

const linked = (id: number): string => `<p>To <a id="${id}" linktype="page">the <b>pier</b></a>.</p>`;

const recordOf = (members: Record<string, fc.Arbitrary<unknown>>) => fc.record(members);

describe("page types, inferred from responses", () => {
  let at: Place;
  beforeEach(() => void (at = place()));

  const declared = (): Record<string, any> => {
    const { $schema: _, ...types } = readJson(at.content, "_types.json") as Record<string, any>;
    return types;
  };

  const savedPages = (pages: Map<number, Page>): string =>
    saved(at, Object.fromEntries([...pages].map(([id, page]) => [`${id}.json`, page])));

  /** Imports saved responses, and expects that the build makes the same again. */
  async function wayBack(pages: Map<number, Page>, source?: URL): Promise<ImportReport> {
    const report = await imported(at, source ?? savedPages(pages), { types: true });
    expect(report.left).toEqual([]);
    expect([...report.fields, ...report.added]).toEqual([]);
    await built(at, at.content, at.again);
    const again = pagesOf(at.again);
    expect(new Set(again.keys())).toEqual(new Set(pages.keys()));
    for (const [id, page] of pages) expect(again.get(id)).toEqual(page);
    return report;
  }

  it("imports a site with the types of Wagtail's demo", async () => {
    const { pages, types } = siteOf("bakery");
    const report = await wayBack(pages);
    expect(report.written).toBe(pages.size);
    expect(declared()).toEqual(types);
    expect(report.guesses).toContainEqual({
      field: "Body.table",
      reason: "its members are not the same everywhere, so it is “json”",
    });
    expect(summary(report)).toContain(
      'base.StandardPage: image: it never has a value; in other types it is "Image" or "Image?", so it is "Image?" here too',
    );
  });

  it("imports it from a host with a list endpoint, which shows neither the types nor the parents", async () => {
    const { pages } = siteOf("bakery");
    const { url } = await startWagtail(pages, { cap: 7 });
    const report = await wayBack(pages, url);
    expect(report.written).toBe(pages.size);
  });

  it("imports a site with events, artists, tags, authors, and a media host", async () => {
    const { pages, types } = siteOf("programme");
    await wayBack(pages);
    expect(declared()).toEqual(types);
  });

  it("adds fields to the program's own types, and declares again those with other values", async () => {
    writeSite(join(at.folder, "sources"));
    const pages = pagesOf(await built(at, join(at.folder, "sources"), join(at.folder, "public")));
    for (const [id, page] of pages) {
      if (page.meta.type !== "artworks.ArtworkPage") continue;
      const { classification: _, ...work } = page;
      const undated = id === 31 ? { start_year: null, mltYear: null } : {};
      const changes = { acno: `SAGA ${id}.7`, ...undated, saga: `x${id}`, painter_pages: [2] };
      pages.set(id, { ...work, classification: page["classification"], ...changes });
    }
    const report = await imported(at, savedPages(pages), { types: true });
    expect(report.left).toEqual([]);
    const { types } = declared();
    const found = new Set(Array.from(pages.values(), ({ meta }) => meta.type));
    expect(declared().uses ?? programModel.names).toEqual(
      programModel.names.filter((type: string) => found.has(type)),
    );
    expect(types).toEqual({
      "artworks.ArtworkPage": {
        fields: {
          acno: { kind: "text!", pattern: String.raw`[A-Z]+ [0-9]+\.[0-9]+`, example: "SAGA 31.7" },
          start_year: "integer?",
          mltYear: "integer?",
          saga: "text",
          painter_pages: ["page"],
        },
      },
    });
    await built(at, at.content, at.again);
    for (const [id, page] of pagesOf(at.again)) expect(page).toEqual(pages.get(id));
  });

  const deep = (levels: number): unknown => (levels === 0 ? "x" : { [`d${levels}`]: deep(levels - 1), b: 1 });
  const manyBlocks = Array.from({ length: 65 }, (_, i) => block(`b${i}`, i));
  /** Values of a field on several pages, and its declaration, which is a guess if it is wide. */
  const FIELDS: Record<string, { values: unknown[]; declared: unknown; isGuess?: boolean }> = {
    ...(readJson(PROGRAM_FOLDER, "test/exchange/api/fields.json") as object),
    too_many_blocks: { values: [manyBlocks, []], declared: ["json"] },
    too_deep: { values: [deep(14), deep(14)], declared: "json" },
  };

  it("declares the narrowest kind that all values have, without losing any", async () => {
    const names = Object.keys(FIELDS);
    const valueAt = (name: string, i: number): unknown => {
      const { values } = FIELDS[name]!;
      return values[Math.min(i, values.length - 1)];
    };
    const fieldsOf = (i: number) => Object.fromEntries(names.map((name) => [name, valueAt(name, i)]));
    const report = await wayBack(odd(fieldsOf(0), fieldsOf(1), fieldsOf(2)));
    const { fields } = declared().types["odd.Page"];
    expect(fields).toEqual(Object.fromEntries(names.map((name) => [name, FIELDS[name]?.declared])));
    const guessed = new Set(report.guesses.map(({ field }) => /[a-z]+_\w+/.exec(field)?.[0]));
    const wide = names.filter(
      (name) => JSON.stringify(fields[name]).includes("json") || FIELDS[name]?.isGuess,
    );
    expect(guessed).toEqual(new Set(wide));
    expect((await check({ content: at.content })).findings).toEqual([]);
  });

  it("keeps files of the media host, and copies images of the API's own host", async () => {
    const own = "https://api.example.org/media/images/a%20b.png";
    const paper = "https://api.example.org/documents/1/a.pdf";
    const fields = {
      photo: file(1, "wagtailimages.Image", own),
      paper: file(2, "wagtaildocs.Document", paper),
    };
    const pages = odd(fields, { photo: null, paper: null });
    const folder = savedPages(pages);
    write(folder, "media/images/a b.png", "");
    writeFileSync(join(folder, "media/images/a b.png"), PNG, "latin1");
    await wayBack(pages);
    expect(declared().types["odd.Page"].fields).toEqual({ photo: "Image?", paper: "Document?" });
    expect(Object.keys(declared().shapes)).toEqual(["Document"]);
    expect(readFileSync(join(at.content, "_media/images/a b.png"), "latin1")).toBe(PNG);
  });

  it("declares no more than _types.json can have", async () => {
    const long = Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`m${i}`, i]));
    const types = Array.from({ length: 102 }, (_, i) => [`t${i}`, { type: `odd.T${i}Page`, title: "T" }]);
    const pages = pagesFrom({
      "": { type: "odd.HomePage", title: "Odd", fields: { long } },
      a: { type: "no type", title: "A" },
      ...(Object.fromEntries(types) as Record<string, { type: string; title: string }>),
    });
    const report = await imported(at, savedPages(pages), { types: true });
    expect(Object.keys(declared().types)).toHaveLength(100);
    expect(declared().types["odd.HomePage"].fields).toEqual({ long: "json" });
    expect(report.guesses).toHaveLength(1);
    expect(report.left.map(({ code }) => code)).toEqual(["type", "type", "type", "type"]);
    await built(at, at.content, at.again);
  });

  it("copies images whose addresses have no host, and says which responses of the old API are gone", async () => {
    const url = "/media/images/a%20b.png";
    const rendition = { url, full_url: `https://api.example.org${url}`, width: 1, height: 1, alt: "" };
    const paper = file(2, "wagtaildocs.Document", "/documents/2/a.pdf");
    const folder = savedPages(odd({ photo: rendition, paper }, { photo: rendition, paper }));
    write(folder, "media/images/a b.png", "");
    writeFileSync(join(folder, "media/images/a b.png"), PNG, "latin1");
    const report = await imported(at, folder, { types: true });
    expect(report.left).toEqual([]);
    expect(readFileSync(join(at.content, "_media/images/a b.png"), "latin1")).toBe(PNG);
    const text = summary(report);
    expect(text).not.toContain("no response has an image");
    expect(text).toContain(`have no host, such as ${url}`);
    expect(text).toContain("images (2 pages, such as https://api.example.org/api/v2/images/2/)");
    await built(at, at.content, at.again);
  });

  it("leaves out links to pages that are not published, and lists them", async () => {
    const pages = odd(
      { body: [block("text", linked(99)), block("text", linked(4))], more_pages: [4, 5] },
      { body: [block("text", linked(4) + linked(98))], more_pages: [5] },
      { body: [], more_pages: [] },
    );
    // It is seen as a page, but cannot be written.
    pages.get(5)!.meta["slug"] = "..";
    const report = await imported(at, savedPages(pages), { types: true });
    expect(report.references.map(({ id, to, isKept }) => [id, to, isKept])).toEqual([
      [4, 99, false],
      [4, 5, false],
    ]);
    expect(summary(report)).toContain("to 99 on page 4, https://www.example.org/p0/");
    await built(at, at.content, at.again);
    const { body, more_pages } = pagesOf(at.again).get(4) as unknown as {
      body: { value: string }[];
      more_pages: number[];
    };
    expect(body.map(({ value }) => value)).toEqual(["<p>To the <b>pier</b>.</p>", linked(4)]);
    expect(more_pages).toEqual([4]);
  });

  it("says so if no declaration fits", async () => {
    const pages = pagesFrom({ "": { type: "standardpages.GeneralPage", title: "Home" } });
    await expect(imported(at, savedPages(pages), { types: true })).rejects.toThrow("--types FILE");
    expect(existsSync(at.content)).toBe(false);
  });

  it("loses no value, whatever the values are", async () => {
    const leaves = [null, true, 0, 3, 1.5, 1e21];
    const texts = ["", " ", "a < b", "odd.Page", "/a", "<p>a</p>", "<p>", "é\u2028", "a\nb", "2024-02-29"];
    const others = ["09:30:00", "2024-02-29T09:30:00Z", '<a linktype="page" id="3">a</a>'];
    const key = fc.constantFrom(..."a b id meta type value title pages x-y 1 __proto__".split(" "));
    /** Values of one form, more or less. */
    const { form } = fc.letrec<{ form: fc.Arbitrary<unknown> }>((tie) => ({
      form: fc.oneof(
        { maxDepth: 4 },
        fc
          .uniqueArray(fc.constantFrom(...leaves, ...texts, ...others), { minLength: 1, maxLength: 2 })
          .map((some) => fc.constantFrom(...some)),
        tie("form").map((one) => fc.option(one)),
        tie("form").map((one) => fc.array(one, { maxLength: 2 })),
        fc.dictionary(key, tie("form"), { minKeys: 1, maxKeys: 3 }).map(recordOf),
        fc.dictionary(fc.constantFrom("p", "q", "1 2"), tie("form"), { minKeys: 1 }).map((blocks) => {
          const id = fc.constantFrom(null, "x");
          const all = Object.entries(blocks).map(([type, one]) =>
            recordOf({ type: fc.constant(type), value: one, id }),
          );
          return fc.array(fc.oneof(...all), { maxLength: 3 });
        }),
      ),
    }));
    const pages = fc
      .array(form, { minLength: 10, maxLength: 20 })
      .chain((forms) => fc.array(fc.tuple(...forms), { minLength: 1, maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(pages, async (rows) => {
        at.remove();
        at = place();
        const fields = rows.map((row) => Object.fromEntries(row.map((one, i) => [`f${i % 5}_${i}`, one])));
        expect((await wayBack(odd(...fields))).written).toBe(fields.length + 1);
      }),
      { numRuns: runsOf(8), endOnFailure: true },
    );
  });

  it("lists a field that some pages lack, and that may be null therefore", async () => {
    const pages = odd({ a: 1 }, {});
    const report = await imported(at, savedPages(pages), { types: true });
    expect(declared().types["odd.Page"].fields.a).toBe("integer?");
    expect(report.guesses.map(({ field }) => field)).toEqual(["odd.Page: a"]);
    expect([...report.added]).toEqual([["a", 1]]);
    await built(at, at.content, at.again);
  });

  it("leaves out names that cannot be declared, and members of the program's objects, and lists each", async () => {
    const pages = odd({ "my-field": 1, ok: 2 });
    for (const { meta } of pages.values()) if (meta["parent"]) Object.assign(meta["parent"], { depth: 2 });
    const report = await imported(at, savedPages(pages), { types: true });
    expect(report.left).toEqual([]);
    expect(Object.fromEntries(report.fields)).toEqual({ "meta.parent.depth": 1, "my-field": 1 });
  });

  it("declares one form at several places once, but not forms of different kinds, or inside of one another", async () => {
    const card = { title: "a", link: "/a" };
    await wayBack(
      odd(
        { cards: [card], lead_card: card, pair: { from: "2024-01-01", to: "2024-01-02" } },
        { cards: [], lead_card: null, pair: { from: "2024-01-01", to: "2024-01-02" } },
      ),
    );
    expect(declared().types["odd.Page"].fields).toMatchObject({
      cards: ["Card"],
      lead_card: "Card?",
      pair: { fields: { from: "date", to: "date" } },
    });
    expect(declared().shapes).toEqual({ Card: { fields: { title: "text", link: "url" } } });
  });

  it("uses a declaration that is given instead, or is in the folder already", async () => {
    const pages = odd({ it: "2024-01-01" }, { it: "2024-01-02" });
    const folder = savedPages(pages);
    await imported(at, folder, { types: true });
    const inferred = readFileSync(join(at.content, "_types.json"), "utf8");
    const given = inferred.replace('"it": "date"', '"it": "text"');
    rmSync(at.content, { recursive: true });
    write(at.folder, "given.json", given);
    expect((await imported(at, folder, { types: join(at.folder, "given.json") })).left).toEqual([]);
    expect(readFileSync(join(at.content, "_types.json"), "utf8")).toBe(given);
    rmSync(at.content, { recursive: true });
    write(at.content, "_types.json", given);
    await expect(imported(at, folder, { types: true })).rejects.toThrow("not empty");
    expect((await imported(at, folder)).left).toEqual([]);
    expect(readFileSync(join(at.content, "_types.json"), "utf8")).toBe(given);
  });
});
