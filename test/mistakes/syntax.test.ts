import { describe, expect, it } from "vitest";
import type { Args } from "../../build/findings/catalogue/index.ts";
import { hintOf, messageOf } from "../../build/findings/finding.ts";
import { parseJson } from "../../build/json/parse.ts";

/*
 * Mistakes in the syntax of a source, as people make them. What the hint says to write is put in the place of what is
 * marked, and nothing else is done: then the file is sound.
 */
type Row = [before: string, mistake: Args<"json-syntax">["mistake"], after: string];

const MENDED: Row[] = [
  [`{"a": "12" x 14"}`, "quote-in-text", String.raw`{"a": "12\" x 14"}`],
  [`{"a": "12" x 14", "b": "x"}`, "quote-in-text", String.raw`{"a": "12\" x 14", "b": "x"}`],
  [`{\n"a": "12"",\n"b": 1}`, "quote-in-text", `{\n"a": "12\\"",\n"b": 1}`],
  [`{"a": "The "Marsh" at dusk"}`, "quote-in-text", String.raw`{"a": "The \"Marsh\" at dusk"}`],
  [`{"a": "The "Marsh", at dusk"}`, "quote-in-text", String.raw`{"a": "The \"Marsh\", at dusk"}`],
  [`{"a": ["3" wide", "x"]}`, "quote-in-text", String.raw`{"a": ["3\" wide", "x"]}`],
  [`{\n"a": "Marsh"",\n"b": 1}`, "quote-too-many", `{\n"a": "Marsh",\n"b": 1}`],
  [`{"id": 33,730,299, "a": 1}`, "thousands", `{"id": 33730299, "a": 1}`],
  [`{"id": 33.730.299}`, "thousands", `{"id": 33730299}`],
  [`{"id": 33 730 299}`, "thousands", `{"id": 33730299}`],
  [`{"id": 33'730'299}`, "thousands", `{"id": 33730299}`],
  [`{"id": 33\u00a0730\u00a0299}`, "thousands", `{"id": 33730299}`],
  [`{"id": 1,840}`, "thousands", `{"id": 1840}`],
  [`{"a": 0,75}`, "decimal-comma", `{"a": 0.75}`],
  [`{"height_ratio": 1,333}`, "decimal-comma", `{"height_ratio": 1.333}`],
  [`{"a": 1; "b": 2}`, "semicolon", `{"a": 1, "b": 2}`],
  [`{"a": 1，"b": 2}`, "semicolon", `{"a": 1,"b": 2}`],
  [`{"a": 1;}`, "semicolon-at-end", `{"a": 1}`],
  [`{"a": 1};`, "semicolon-at-end", `{"a": 1}`],
  [`{"a": 1},`, "semicolon-at-end", `{"a": 1}`],
  [`{"a"; 1}`, "colon-sign", `{"a": 1}`],
  [`{"a" = 1}`, "colon-sign", `{"a" : 1}`],
  [`{"a" => 1}`, "colon-sign", `{"a" : 1}`],
  [`{"a"：1}`, "colon-sign", `{"a":1}`],
  [`{"a" "b"}`, "colon-missing", `{"a": "b"}`],
  [`{"a":: 1}`, "colon-twice", `{"a": 1}`],
  [`{\u200b"a": 1}`, "invisible", `{"a": 1}`],
  [`{"a":\u00a01}`, "invisible", `{"a": 1}`],
  [`{"a": 1\u2028}`, "invisible", `{"a": 1}`],
  [`{“a”: 1}`, "typographic-quote", `{"a": 1}`],
  [`{"a": „x“}`, "typographic-quote", `{"a": "x"}`],
  [`{"a": «x»}`, "typographic-quote", `{"a": "x"}`],
  [`{\n"a": "x”,\n"b": 1}`, "typographic-close", `{\n"a": "x",\n"b": 1}`],
  [`{"a": "x”, "b": 1}`, "typographic-close", `{"a": "x", "b": 1}`],
  [`{\n"a": "x,\n"b": 1}`, "quote-missing", `{\n"a": "x",\n"b": 1}`],
  [`{\n"a": "x\n}`, "quote-missing", `{\n"a": "x"\n}`],
  [`{"a": [1, "0-9, "/a.jpg"]}`, "quote-missing", `{"a": [1, "0-9", "/a.jpg"]}`],
  [`{"a: "x"}`, "name-quote-missing", `{"a": "x"}`],
  [`{a": "x"}`, "opening-quote-missing", `{"a": "x"}`],
  [`{"a": x"}`, "opening-quote-missing", `{"a": "x"}`],
  [`{"a": "Marsh\n  at dusk"}`, "line-break-in-text", `{"a": "Marsh at dusk"}`],
  [`{'a': 1}`, "single-quote", `{"a": 1}`],
  ["{`a`: 1}", "single-quote", `{"a": 1}`],
  [`{"a": 'It's a marsh'}`, "single-quote", `{"a": "It's a marsh"}`],
  [`{"a": 1,}`, "comma-too-many", `{"a": 1}`],
  [`{"a": [1,]}`, "comma-too-many", `{"a": [1]}`],
  [`{"a": 1,, "b": 2}`, "comma-twice", `{"a": 1, "b": 2}`],
  [`{"a": [1,,2]}`, "comma-twice", `{"a": [1,2]}`],
  [`{, "a": 1}`, "comma-at-start", `{ "a": 1}`],
  [`{"a": 1 "b": 2}`, "comma-missing", `{"a": 1, "b": 2}`],
  [`{"a": "x" "b": 2}`, "comma-missing", `{"a": "x", "b": 2}`],
  [`{"a": ["x" "y"]}`, "comma-missing", `{"a": ["x", "y"]}`],
  [`{"a": {} "b": 2}`, "comma-missing", `{"a": {}, "b": 2}`],
  [`{"a": 007}`, "number", `{"a": 7}`],
  [`{"a": +7}`, "number", `{"a": 7}`],
  [`{"a": .5}`, "number", `{"a": 0.5}`],
  [`{"a": 5.}`, "number", `{"a": 5}`],
  [`{"a": 1856-1860}`, "number-for-text", `{"a": "1856-1860"}`],
  [`{"a": 2026-11-20, "b": 1}`, "number-for-text", `{"a": "2026-11-20", "b": 1}`],
  [`{"a": 12cm}`, "number-for-text", `{"a": "12cm"}`],
  [`{"a": True}`, "constant", `{"a": true}`],
  [`{"a": FALSE}`, "constant", `{"a": false}`],
  [`{"a": None}`, "constant", `{"a": null}`],
  [`{"a": Marsh at dusk}`, "text-without-quotes", `{"a": "Marsh at dusk"}`],
  [`{a: 1}`, "name-without-quotes", `{"a": 1}`],
  [`// x\n{"a": 1}`, "comment", `\n{"a": 1}`],
  [`{"a": 1, # x\n"b": 2}`, "comment", `{"a": 1, \n"b": 2}`],
  [`{/* x */"a": 1}`, "comment", `{"a": 1}`],
  [`{"a": [1, 2}`, "bracket-missing", `{"a": [1, 2]}`],
  [`{"a": [{"b": 1, {"b": 2}]}`, "bracket-missing", `{"a": [{"b": 1}, {"b": 2}]}`],
  [`{"a": {"b": 1], "c": 2}`, "wrong-bracket", `{"a": {"b": 1}, "c": 2}`],
  [`{"a": 1}}`, "bracket-too-many", `{"a": 1}`],
  [`{"a": {"b": 1`, "cut-off", `{"a": {"b": 1}}`],
  [`{"a": ["x`, "cut-in-text", `{"a": ["x"]}`],
];

/** Those that take judgement. */
const TOLD: [source: string, mistake: Args<"json-syntax">["mistake"]][] = [
  [`{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> b\n}`, "merge-conflict"],
  [`["a": 1]`, "bracket-for-brace"],
  [`{"a": ["b": 1]}`, "bracket-for-brace"],
  [`{"a": {{"b": 1}}}`, "brace-for-bracket"],
  [`{"a": {"x", "y"}}`, "brace-for-bracket"],
  ["", "empty"],
  [" \n", "empty"],
  ["---\ntitle: x\n---\n", "front-matter"],
  ["<!DOCTYPE html>", "other-kind"],
  ["<p>x</p>", "other-kind"],
  ["# Marsh", "other-kind"],
  ["PK\u0003\u0004", "other-kind"],
  ["%PDF-1.7", "other-kind"],
  ["GIF89a", "other-kind"],
  ["```json\n{}\n```", "fence"],
  ["export default {}", "code"],
  [`"a": 1`, "no-braces"],
  [`{"a": }`, "value-missing"],
  [`{"a": undefined}`, "no-value"],
  [`{"a": 1} {"a": 2}`, "second-page"],
  [`{"a":`, "cut-off"],
];

const told = (source: string) => parseJson("a.json", Buffer.from(source));
const offset = (text: string, line: number, column: number): number =>
  text
    .split("\n")
    .slice(0, line - 1)
    .join("\n").length +
  (line > 1 ? 1 : 0) +
  column -
  1;

describe("a mistake in the syntax", () => {
  it.each(MENDED)("%j: %s, and by the hint alone %j", (before, mistake, after) => {
    const { findings } = told(before);
    expect(findings.map(({ args }) => (args as Args<"json-syntax">).mistake)).toEqual([mistake]);
    const [f] = findings as [(typeof findings)[0]];
    const { line, column, endLine = line, endColumn = column } = f.place;
    const { write = "?" } = f.args as Args<"json-syntax">;
    const mended =
      before.slice(0, offset(before, line, column)) +
      write +
      before.slice(offset(before, endLine, endColumn));
    expect(mended).toBe(after);
    expect(told(mended).findings).toEqual([]);
  });

  it.each(TOLD)("%j: %s", (source, mistake) => {
    const { findings } = told(source);
    expect(findings.map(({ args }) => (args as Args<"json-syntax">).mistake)).toEqual([mistake]);
    for (const f of findings) expect(`${messageOf(f)} ${hintOf(f)}`).not.toContain("undefined,");
  });

  it("UTF-16 is told by its name, with a mark and without", () => {
    for (const source of ["\ufeff{}", "{}"]) {
      const { findings } = parseJson("a.json", Buffer.from(source, "utf16le"));
      expect(findings).toMatchObject([{ code: "invalid-utf8", args: { encoding: "UTF-16" } }]);
    }
  });
});
