import { expect, test } from "vitest";
import { editedText, type FieldEdit } from "../../build/editor/edits.ts";
import { findingsOf } from "../../build/editor/findings.ts";
import { FormModel } from "../../build/editor/form/model.ts";
import { pathText } from "../../build/editor/form/values.ts";
import { differences, drawEdited } from "./edited.ts";
import { omittedSites } from "../pipeline/omitted.ts";
import { runsOf } from "../runs.ts";

/** Number of random sources. */
const RUNS = runsOf(150);

const edited = (text: string | null, ...edits: [string, FieldEdit["value"]][]): string =>
  editedText(
    text,
    edits.map(([path, value]) => ({ path, value })),
  );

const PAGE = `{
  "id": 7,
  "meta": { "type": "standardpages.GeneralPage", "search_description": "caf\\u00e9" },

  "title": "Visit"
}
`;

test("writes an edited value, and nothing else", () => {
  expect(edited(PAGE, ["title", "Visit “us”"])).toBe(PAGE.replace('"Visit"', '"Visit “us”"'));
  expect(edited(PAGE)).toBe(PAGE);
  expect(edited(PAGE, ["title", "Visit"])).toBe(PAGE);
});

test("puts a new field in the contract's place, within an object too", () => {
  expect(edited(PAGE, ["meta.seo_title", "See"])).toBe(
    PAGE.replace('"search', '"seo_title": "See", "search'),
  );
  expect(edited(PAGE, ["$schema", "s"])).toBe(PAGE.replace("{\n", '{\n  "$schema": "s",\n'));
});

test("edits sources that omit optional fields, alone and together, without another change", () => {
  for (const source of Object.values(omittedSites().omitted)) {
    if (typeof source["title"] !== "string") continue;
    const text = `${JSON.stringify(source, undefined, 2)}\n`;
    const model = new FormModel(text, (before, edits) => editedText(before, edits as FieldEdit[]));
    expect([model.isEdited, model.text]).toEqual([false, text]);
    model.set(["title"], "Edited");
    expect(model.text).toBe(text.replace(JSON.stringify(source["title"]), '"Edited"'));
  }
});

test("removes a field with any name", () => {
  for (const name of ["a.b", "", "\\", "\\-", ".", "a\\.b", "0", "-", "__proto__"]) {
    const text = PAGE.replace('"title"', `${JSON.stringify(name)}: 1,\n  "title"`);
    expect([name, edited(text, [pathText([name]), undefined])]).toEqual([name, PAGE]);
    const found = findingsOf("visit.json", text, undefined).find(({ code }) => code === "unknown-field");
    expect([name, found?.path]).toEqual([name, pathText([name])]);
    const model = new FormModel(text, (before, edits) => editedText(before, edits as FieldEdit[]));
    model.set([name], undefined);
    expect([name, model.text]).toEqual([name, PAGE]);
  }
});

test("writes a new file as npm run new does", () => {
  const text = edited(
    null,
    ["title", "Visit"],
    ["meta.type", "standardpages.GeneralPage"],
    ["id", 7],
    ["$schema", "s"],
  );
  expect(text).toBe(
    `{\n  "$schema": "s",\n  "id": 7,\n  "meta": { "type": "standardpages.GeneralPage" },\n  "title": "Visit"\n}\n`,
  );
});

const LIST = (...subjects: string[]): string =>
  `{\n\t"meta": {"type":"artworks.ArtworkPage"},\r\n\t"subjects": [\r\n\t\t${subjects.join(",\r\n\t\t")}\r\n\t]\r\n}`;
const [A, B, C] = ['{"id": 1.0}', '{ "name": "b", "id": 2 }', '{"id":3}'] as const;
const [a, b, c] = [{ id: 1 }, { id: 2, name: "b" }, { id: 3 }];

test("adds, removes and moves elements of a list", () => {
  const text = LIST(A, B, C);
  expect(edited(text, ["subjects", [c, a, b]])).toBe(LIST(C, A, B));
  expect(edited(text, ["subjects", [a, c]])).toBe(LIST(A, C));
  expect(edited(text, ["subjects", [c]])).toBe(LIST(C));
  expect(edited(text, ["subjects.1", undefined])).toBe(LIST(A, C));
  expect(edited(text, ["subjects", [a, { id: 9 }, b, c]])).toBe(LIST(A, '{ "id": 9 }', B, C));
  expect(edited(text, ["subjects", [{ id: 9 }, a, b, c]])).toBe(LIST('{ "id": 9 }', A, B, C));
  expect(edited(text, ["subjects.3", { id: 9 }])).toBe(LIST(A, B, C, '{ "id": 9 }'));
  expect(edited(text, ["subjects", [c, { id: 2, name: "x" }, a]])).toBe(LIST(C, B.replace('"b"', '"x"'), A));
  expect(edited(text, ["subjects", []])).toBe(text.replace(/\[[^]*\]/, "[]"));
  expect(edited(text, ["subjects.0.name", "x"], ["subjects.0", undefined])).toBe(LIST(B, C));
});

test("keeps every byte outside of the edited values, of any source and any edits", () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const drawn = drawEdited(seed);
    expect(editedText(drawn.text, []), `seed ${seed}`).toBe(drawn.text);
    const now = editedText(drawn.text, drawn.edits);
    expect([...differences(drawn, now)], `seed ${seed}, ${JSON.stringify(drawn.edits)}`).toEqual([]);
  }
});
