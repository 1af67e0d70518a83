import { expect, test } from "vitest";
import { findingsOf } from "../../build/editor/findings.ts";
import { compareMistakes } from "./mistaken.ts";

/** Number of random sources with mistakes; set RUNS in the environment for a longer run. */
const RUNS = Number(process.env["RUNS"] ?? 150);

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
