import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { modelOf } from "../../build/model/types.ts";
import { equalsFault, orderFault, schemaFault } from "../../build/verify/body.ts";
import type { JsonObject } from "../../build/source/json/object.ts";
import type { PageResponse } from "../../build/model/page.ts";
import { isError, messageOf } from "../../build/findings/finding.ts";
import { build } from "../../build/site/build.ts";
import { check } from "../../build/site/check.ts";
import { treeOf } from "../files.ts";
import { COMMON, randomSite, TYPE, type Json, type RandomSite } from "../model/declarations.ts";
import { MEMORY } from "../scratch.ts";
import { cleanTree } from "./clean.ts";
import { general, page, SITE, write } from "./site.ts";
import { placeOfEachTest } from "../each.ts";
import { runsOf } from "../runs.ts";

const place = placeOfEachTest("declared", undefined, MEMORY);

function put({ types, pages }: RandomSite): void {
  rmSync(place.content, { recursive: true, force: true });
  mkdirSync(place.content);
  place.put("_site.json", SITE);
  place.put("_types.json", types);
  place.put("index.json", page(1, "home.HomePage", "Home"));
  place.put("visit/index.json", general(2, "Visit"));
  for (const { id, source } of pages) place.put(`event-${id}.json`, source);
}

const responseOf = (id: number): Record<string, unknown> => place.response(id) as Record<string, unknown>;

const errors = async (): Promise<string[]> =>
  (await check({ content: place.content })).findings.filter(isError).map(({ code }) => code);

/** Replaces a value inside of another, or renames its key. */
function editOne(root: Json, which: number, value: Json, isName: boolean): void {
  const places: [owner: Record<string, Json>, key: string][] = [];
  const visit = (at: Json): void => {
    if (typeof at !== "object" || at === null) return;
    for (const [key, one] of Object.entries(at)) {
      places.push([at as Record<string, Json>, key]);
      visit(one);
    }
  };
  visit(root);
  const [owner, key] = places[which % places.length] ?? [];
  if (owner === undefined || key === undefined) return;
  if (isName && typeof value === "string" && !Array.isArray(owner)) {
    const old = owner[key] as Json;
    delete owner[key];
    Object.defineProperty(owner, value, { value: old, enumerable: true, configurable: true, writable: true });
  } else owner[key] = value;
}

/** Values of a declaration, and values that have a meaning elsewhere. */
const KINDS = [null, true, 7, -1, "", "text", "text?", "Body", "Image!", [], ["text"], {}, { kind: "text" }];
const ODD = ["__proto__", "constructor", "meta", { fields: {} }, { blocks: {} }, { list: [] }];

/** A page of an artist, as other pages show it. */
const artistShown = (title: string, slug: string) => ({
  id: 20,
  meta: {
    type: "painters.PainterPage",
    detail_url: "https://api.example.org/api/v2/pages/20/",
    html_url: `https://www.example.org/${slug}/`,
  },
  title,
});

const withShown = (shown: string, others: Record<string, Json> = {}): Json => ({
  types: {
    ...others,
    [TYPE]: {
      label: "Tide",
      parents: ["home.HomePage"],
      fields: { first: "text", second: "text" },
      shown: { line: shown },
    },
  },
});

describe("page types of a site", () => {
  it("are published as an independent judge expects, whatever is declared", async () => {
    await fc.assert(
      fc.asyncProperty(randomSite, async (site) => {
        put(site);
        await build({ content: place.content, out: place.out, cache: place.cache });
        expect(await errors()).toEqual([]);
        const model = modelOf(place.content);
        for (const { id, response } of site.pages) {
          const published = responseOf(id);
          // As verify checks hosts.
          const faults = [schemaFault, orderFault, equalsFault].map((fault) =>
            fault(published as unknown as PageResponse & JsonObject, model),
          );
          expect(faults).toEqual([undefined, undefined, undefined]);
          expect(Object.keys(published)).toEqual([...COMMON, ...Object.keys(response)]);
          for (const [name, value] of Object.entries(response)) expect(published[name]).toEqual(value);
        }
      }),
      { numRuns: runsOf(50) },
    );
  });

  it("refuse a wrong value in any field", async () => {
    await fc.assert(
      fc.asyncProperty(randomSite, fc.nat(), fc.nat(), async (site, which, how) => {
        const wrong = site.fields.flatMap(([name, field]) =>
          field.wrong.map((value) => [name, value] as const),
        );
        // Any JSON is a right value of the kind “json”.
        fc.pre(wrong.length > 0);
        const [name, value] = wrong[(which * 31 + how) % wrong.length] as (typeof wrong)[number];
        const [first] = site.pages;
        put({
          ...site,
          pages: first === undefined ? [] : [{ ...first, source: { ...first.source, [name]: value } }],
        });
        expect(await errors(), `${name}: ${JSON.stringify(value)}`).not.toEqual([]);
      }),
      { numRuns: runsOf(50) },
    );
  });

  it("change the output of an incremental build as that of a full build", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomSite, { minLength: 2, maxLength: 3 }), async (sites) => {
        for (const site of sites) {
          put(site);
          await build({ content: place.content, out: place.out, cache: place.cache, browse: true });
        }
        expect(place.tree()).toEqual(await cleanTree(place.content, { browse: true }));
      }),
      { numRuns: runsOf(15) },
    );
  });

  it("change the data of the browse UI, although no page was edited", async () => {
    const other = { "talks.TalkPage": { label: "Talk", parents: ["home.HomePage"] } };
    put({ types: withShown("first"), fields: [], pages: [] });
    place.put("tide.json", { ...page(10, TYPE, "Tide"), first: "apple", second: "banana" });
    const { content, out, cache } = place;
    for (const types of [withShown("first"), withShown("second"), withShown("second", other)]) {
      write(content, "_types.json", types);
      await build({ content, out, cache, browse: true });
      expect(place.tree()).toEqual(await cleanTree(content, { browse: true }));
    }
  });

  const ARTISTS = {
    types: {
      "painters.PainterPage": { label: "Artist", parents: ["home.HomePage"] },
      [TYPE]: {
        label: "Tide",
        parents: ["home.HomePage"],
        fields: {
          artist: {
            kind: "page?",
            types: ["painters.PainterPage"],
            shows: ["title", "html_url", "type", "detail_url"],
          },
        },
      },
    },
  };

  it("show other pages as they are, and follow their changes", async () => {
    const { content, out, cache } = place;
    const options = { content, out, cache };
    put({ types: ARTISTS, fields: [], pages: [] });
    write(content, "lear.json", page(20, "painters.PainterPage", "Edward Lear"));
    write(content, "show.json", { ...page(10, TYPE, "Show"), artist: 20 });
    write(content, "other.json", page(11, TYPE, "Other"));
    await build(options);
    expect(responseOf(10)["artist"]).toEqual(artistShown("Edward Lear", "lear"));
    expect(responseOf(11)["artist"]).toBeNull();
    write(content, "lear.json", page(20, "painters.PainterPage", "E. Lear, painter"));
    expect((await build(options)).published).toEqual({ written: 2, removed: 0, unchanged: 3 });
    expect(responseOf(10)["artist"]).toEqual(artistShown("E. Lear, painter", "lear"));
    rmSync(join(content, "lear.json"));
    write(content, "edward-lear.json", page(20, "painters.PainterPage", "E. Lear, painter"));
    await build(options);
    expect(responseOf(10)["artist"]).toEqual(artistShown("E. Lear, painter", "edward-lear"));
    rmSync(join(content, "edward-lear.json"));
    expect(await errors()).toEqual(["dead-reference"]);
    write(content, "lear.json", page(20, TYPE, "A show of this id"));
    expect(await errors()).toEqual(["dead-reference"]);
  });

  it("are refused or understood, whatever is written", async () => {
    const whole = readFileSync(join(PROGRAM_FOLDER, "test/fixtures/types.json"), "utf8");
    const values = fc.oneof(
      fc.constantFrom(...KINDS),
      fc.constantFrom(...ODD),
      fc.jsonValue({ maxDepth: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(), values, fc.boolean()), { minLength: 1, maxLength: 3 }),
        async (edits) => {
          const types = JSON.parse(whole) as Json;
          for (const [which, value, isName] of edits)
            editOne(types, which, structuredClone(value) as Json, isName);
          put({ types, fields: [], pages: [] });
          const { findings, pages } = await check({ content: place.content });
          const isRefused = findings.some((one) => one.place.file === "_types.json" && isError(one));
          expect(pages).toBe(isRefused ? 0 : 2);
          for (const { args, ...one } of findings)
            expect(messageOf({ args, ...one })).not.toMatch(/undefined|\[object/);
        },
      ),
      { numRuns: runsOf(100) },
    );
  });

  it("say what lists of the browse UI show, and what its search finds: also the label of a choice", async () => {
    const { content, out, cache } = place;
    const Picture = { fields: { url: "file" } };
    const Tour = { kind: "text", choices: { guided: "With a guide", own: "Alone" } };
    const shown = { line: "details.tour", date: "meta.day", image: "pictures.0.url" };
    const details = { fields: { tour: "Tour?" } };
    const fields = { details, pictures: ["Picture"] };
    const day = { kind: "text", choices: { mo: "Monday", tu: "Tuesday" }, default: "mo" };
    const types = { [TYPE]: { label: "Tide", parents: ["home.HomePage"], meta: { day }, fields, shown } };
    put({ types: { types, shapes: { Picture, Tour } }, fields: [], pages: [] });
    const { meta, ...show } = page(10, TYPE, "Show");
    const facts = { details: { tour: "guided" }, pictures: [{ url: "/a.jpg" }] };
    write(content, "show.json", { ...show, ...facts, meta: { ...meta, day: "tu" } });
    const built = await build({ content, out, cache, browse: true });
    expect(built.findings.filter(isError)).toEqual([]);
    const published = (): string => JSON.stringify(treeOf(join(out, "browse")));
    const first = published();
    expect(first).toContain(
      JSON.stringify('"Show","With a guide","","Tuesday","https://media.example.org/a.jpg"').slice(1, -1),
    );
    for (const word of ["guide", "guided", "tuesday"])
      expect(first).toContain(JSON.stringify(`"${word}"`).slice(1, -1));
    // The next build does not read the declarations again, and changes data files page by page.
    write(content, "show.json", { ...show, ...facts, meta: { ...meta, day: "mo" } });
    await build({ content, out, cache, browse: true });
    const second = published();
    await build({ content, out, cache, browse: true, full: true });
    expect(second).toBe(published());
    expect(second).toContain("Monday");
  });

  it("are checked before anything else, and publish nothing while they have an error", async () => {
    const { content, out, cache } = place;
    put({ types: ARTISTS, fields: [], pages: [] });
    await build({ content, out, cache });
    const before = treeOf(out);
    write(content, "_types.json", { types: { [TYPE]: { label: "Tide" } } });
    write(content, "broken.json", "{");
    const built = await build({ content, out, cache });
    expect(built.findings.map(({ code, place: at }) => [at.file, code])).toEqual([
      ["_types.json", "missing-key"],
    ]);
    expect(treeOf(out)).toEqual(before);
  });
});

it("reports a value that only one page may have, whichever of the pages was saved last", async () => {
  const field = { kind: "text", unique: true };
  place.put("_site.json", SITE);
  place.put("_types.json", { types: { "standardpages.GeneralPage": { fields: { record: field } } } });
  place.put("index.json", page(1, "home.HomePage", "Home"));
  for (const [k, name] of ["otter", "stoat", "_weasel"].entries())
    place.put(`${name}.json`, { ...general(k + 2, name), record: `Z ${k}` });
  const clashes = async (): Promise<string[]> => {
    const { findings } = await build(place);
    const full = await check({ content: place.content });
    const files = (all: typeof findings) =>
      all.filter(({ code }) => code === "value-clash").map(({ place: { file } }) => file);
    expect(files(findings)).toEqual(files(full.findings));
    return files(findings);
  };
  expect(await clashes()).toEqual([]);
  place.put("stoat.json", { ...general(3, "stoat"), record: "z0" });
  expect(await clashes()).toEqual(["otter.json", "stoat.json"]);
  place.put("otter.json", { ...general(2, "otter"), record: "" });
  expect(await clashes()).toEqual([]);
  place.put("_weasel.json", { ...general(4, "weasel"), record: "Z 0" });
  expect(await clashes()).toEqual(["_weasel.json", "stoat.json"]);
});
