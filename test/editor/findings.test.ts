import { expect, test } from "vitest";
import { findingsOf } from "../../build/editor/findings.ts";
import { editedText, type FieldEdit } from "../../build/editor/edits.ts";
import { FormModel } from "../../build/editor/form/model.ts";
import { DATES } from "../mistakes/rows/dates.ts";
import { FIELDS } from "../mistakes/rows/fields.ts";
import { SOUND } from "../mistakes/site.ts";
import { compareMistakes } from "./mistaken.ts";
import { runsOf } from "../runs.ts";

/** Number of random sources with mistakes. */
const RUNS = runsOf(1000);

test("finds in one file the same as the check, but for what needs other pages", async () => {
  const { findings, codes, different } = await compareMistakes(RUNS, 1);
  expect(different).toEqual([]);
  expect(findings).toBeGreaterThan(RUNS / 2);
  expect(codes.size).toBeGreaterThan(10);
});

const found = (text: string): [string, string][] =>
  findingsOf("visit/access.json", text, { media_url: "https://media.example.org" }).map(
    ({ path, code, line, column }) => [`${path} ${line}:${column}`, code],
  );

const WORK = `{"id": 1, "meta": {"type": "artworks.ArtworkPage"}, "title": "A", "acno": "N00001",
"acquisitionYear": 1900, "start_year": 1900, "end_year": 1900, "mltYear": 1900, "classification": {}}`;

test("names the field of each finding", () => {
  expect(found(WORK)).toEqual([["classification.id 2:99", "missing-field"]]);
  expect(found(WORK.replace("{}}", `{"id": 1},\n"subjects": [{"id": 1, "name": 2}]}`)).at(-1)).toEqual([
    "subjects.0.name 3:32",
    "wrong-type",
  ]);
  expect(found(`{"id": 1, "meta": {"type": "standardpages.GeneralPage"}}`)).toEqual([
    ["title 1:1", "missing-field"],
  ]);
  expect(
    found(`{"id": 1,\n"meta": {"type": "standardpages.GeneralPage", "titel": ""}, "title": "A"}`),
  ).toEqual([["meta.titel 2:47", "unknown-field"]]);
  expect(found(`{"id": 1,`)).toEqual([[" 1:10", "json-syntax"]]);
});

test("warns of a draft's mistakes", () => {
  const text = `{"id": 1, "meta": {"type": "standardpages.GeneralPage"}}`;
  const severity = (file: string): unknown => findingsOf(file, text, undefined)[0]?.severity;
  expect([severity("a.json"), severity("_a.json"), severity("b/_a.json"), severity("_b/a.json")]).toEqual([
    "error",
    "warning",
    "warning",
    "error",
  ]);
});

const SITE = JSON.parse(SOUND["_site.json"] ?? "") as { media_url: string };

/** A page after the corrections of its findings; undefined if a finding has none. */
function corrected(file: string, text: string): { page: unknown; text: string; codes: string[] } | undefined {
  const findings = findingsOf(file, text, SITE);
  if (findings.length === 0 || findings.some(({ correction }) => correction === undefined)) return undefined;
  const model = new FormModel(text, (opened, edits) => editedText(opened, edits as readonly FieldEdit[]));
  for (const { path, correction } of findings)
    if (correction !== undefined)
      model.set(path.split("."), "write" in correction ? correction.write : undefined);
  return { page: model.page, text: model.text, codes: findings.map(({ code }) => code) };
}

test("corrects each mistake of the table that has only one correction as its hint says", () => {
  const rows = [...FIELDS, ...DATES].flatMap(({ did, before, after = {}, byHand }) =>
    Object.entries(byHand === true ? {} : before).flatMap(([file, text]) => {
      const done = typeof text === "string" && !file.startsWith("_") ? corrected(file, text) : undefined;
      return done === undefined ? [] : [{ did, file, ...done, expected: after[file] ?? done.text }];
    }),
  );
  for (const { did, file, page, text, expected } of rows) {
    expect([did, findingsOf(file, text, SITE)]).toEqual([did, []]);
    expect([did, page]).toEqual([did, JSON.parse(expected.toString())]);
  }
  const codes = ["acno-case", "bad-form", "derived-field", "space-around", "unknown-page-type", "wrong-type"];
  expect(rows.flatMap((row) => row.codes)).toEqual(expect.arrayContaining(codes));
});
