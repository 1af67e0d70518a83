import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { forget, site } from "../../build/browse/data.js";
import { writeDatesIn } from "../../build/browse/dom.js";
import { declaredFields, inWords, type FieldWords } from "../../build/browse/own-fields.js";
import { pageChanges } from "../../build/editor/changes.ts";
import { findingsOf } from "../../build/editor/findings.ts";
import { fieldsOf } from "../../build/editor/form/fields.ts";
import { declaredModel } from "../../build/model/declared.ts";
import { programModel } from "../../build/model/program-model.ts";
import { describedFields } from "../../build/outputs/browse/fields.ts";
import type { JsonObject } from "../../build/source/json/object.ts";
import { NATURE_SITE } from "../fixtures.ts";

const SPECIMEN = "specimens.SpecimenPage";
const FILE = "collection/leatherback-turtle.json";
const text = readFileSync(join(NATURE_SITE, FILE), "utf8");
const model = declaredModel(
  JSON.parse(readFileSync(join(NATURE_SITE, "_types.json"), "utf8")) as JsonObject,
  programModel,
);
if (model === undefined) throw new Error("the types have mistakes");

const titleOf = (id: number): string | undefined => ({ 12: "Grey seal", 21: "Marine life" })[id];

const WORDS: Record<string, string> = {
  kingdom: "Animals",
  condition: "Good",
  collected_on: "23 September 1988",
  picture: "A leatherback turtle from above",
  gallery: "Marine life",
  related: "Grey seal",
  body: "5 blocks: Stranded at Harlech; The turtle weighed 916 kg, the heaviest that an…; The turtle on the beach; …",
};

it("says a value in the words of the site, for the form and for the published pages alike", async () => {
  const { entries, types } = describedFields(model);
  const known = { types: model.names, labels: [], fields: { entries, types } };
  forget();
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(known))));
  const page = JSON.parse(text) as JsonObject;
  const ofForm: FieldWords[] = fieldsOf(model, SPECIMEN).map(({ field }) => field);
  for (const fields of [ofForm, await declaredFields(SPECIMEN)]) {
    expect(fields.find(({ name }) => name === "related")?.label).toBe("Related specimens");
    for (const [name, words] of Object.entries(WORDS)) {
      const field = fields.find((one) => one.name === name);
      expect(inWords(field, page[name], titleOf)).toBe(words);
    }
    // A reference that shows a page has its id, and its title if the page is known.
    const gallery = fields.find(({ name }) => name === "gallery");
    const shown = [{ id: 21 }, { id: 21, title: "Sea" }].map((one) => inWords(gallery, one, titleOf));
    expect(shown).toEqual(["Marine life", "Sea"]);
  }
  vi.unstubAllGlobals();
  forget();
});

it("writes dates in the main language of the site", async () => {
  const dates: string[] = [];
  for (const languages of [[{ code: "de" }, { code: "en" }], undefined]) {
    forget();
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ languages }))));
    await site();
    dates.push(inWords(undefined, "2026-12-15T18:30:00+01:00"));
  }
  vi.unstubAllGlobals();
  forget();
  expect(dates).toEqual(["15. Dezember 2026, 18:30", "15 December 2026, 18:30"]);
});

it("says changes and findings in these words", () => {
  const options = { pages: model, site: undefined, at: "2026-11-26T12:00:00Z", titleOf };
  const after = text.replace('"animalia"', '"plantae"').replace("about a hundred", "<b>about</b> a hundred");
  const history = { moved: [{ id: 21, address: "/galleries/sea/" }], retired: [] };
  const [page, old] = pageChanges(
    [
      { file: FILE, before: text, after },
      { file: "_history.json", before: null, after: JSON.stringify(history) },
    ],
    options,
  );
  expect(page?.fields[0]).toEqual({ label: "Kingdom", old: "Animals", new: "Plants" });
  expect(page?.fields[1]?.new).toContain("<b>about</b> a hundred");
  expect(old).toMatchObject({
    title: "Old addresses",
    fields: [{ label: "Moved", new: "Marine life · /galleries/sea/" }],
  });
  const wrong = text.replace('"animalia"', '"animal"').replace("NMGW.Z.1990.005", "1990");
  const found = findingsOf(model, FILE, wrong, undefined).map(({ message, hint }) => `${message} ${hint}`);
  expect(found.join("\n")).not.toMatch(/\[0-9\]|animalia/);
  expect(found[0]).toContain("NMGW.Z.1990.005");
  expect(found[1]).toContain("Choose “Animals”, or another value.");
  const empty = text.replace('"NMGW.Z.1990.005"', '""');
  expect(findingsOf(model, FILE, empty, undefined)[0]?.hint).toContain("NMGW.Z.1990.005");
});

it("says a time in the zone of the site, as the form does", () => {
  const time = "2026-07-15T17:30:00Z";
  writeDatesIn("en", "Europe/London");
  expect(inWords(undefined, time)).toBe("15 July 2026, 18:30");
  expect(inWords(undefined, "2026-07-15")).toBe("15 July 2026");
  writeDatesIn("cy", "Asia/Tokyo");
  expect(inWords(undefined, time)).toBe("16 Gorffennaf 2026, 02:30");
  writeDatesIn();
  expect(inWords(undefined, time)).toBe("15 July 2026, 17:30");
});
