import { describe, expect, test } from "vitest";
import { fixBytes } from "../../build/edit/fixes.ts";
import { fix } from "../../build/edit/fix.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { general, workplace, write, writeSite } from "../pipeline/site.ts";
import { programModel } from "../../build/page/program-model.ts";

const REFERENCE = "../build/contract/page.schema.json";
const RULES = { model: programModel, reference: REFERENCE, isSite: false, format: false };
const fixed = (text: string | Buffer) => fixBytes("x.json", Buffer.from(text), RULES);
const HEAD = `{\n  "$schema": "${REFERENCE}",\n  `;
const page = (fields: string) => `${HEAD}${fields}\n}\n`;
const WORK = '"meta": { "type": "artworks.ArtworkPage" }';

describe("invalid JSON that can mean only one thing", () => {
  test.each([
    ["quotation marks of a word processor", '“title”: “Café”, "id": 7', '"title": "Café", "id": 7', 3],
    ["a text that one closes", '"title": "Café”,\n  "id": 7', '"title": "Café",\n  "id": 7', 3],
    ["a text in such marks, in a text", '"title": "A “marsh”"', '"title": "A “marsh”"', undefined],
    ["a comma too many", '"id": 7,\n  "title": "A",', '"id": 7,\n  "title": "A"', 4],
    ["a comma too many in a list", '"x": [1, 2,],\n  "id": 7', '"x": [1, 2],\n  "id": 7', 3],
    ["a missing comma", '"id": 7\n  "title": "A"', '"id": 7,\n  "title": "A"', 3],
    ["a missing comma after an object", '"meta": {}\n  "id": 7', '"meta": {},\n  "id": 7', 3],
    ["a missing comma in a list", '"x": [1\n  2]', '"x": [1,\n  2]', 3],
    ["True", '"x": True, "y": FALSE, "z": None', '"x": true, "y": false, "z": null', 3],
    ["comments", '"id": 7, // the id\n  "title": "A" /* b */', '"id": 7,\n  "title": "A"', 3],
    ["a tab in a text", '"title": "A\tb"', String.raw`"title": "A\tb"`, 3],
  ])("%s", (_, wrong, right, line) => {
    const done = fixed(page(wrong));
    expect(done?.text).toBe(page(right));
    expect(done?.fixes[0]?.place.line).toBe(line);
    expect(fixed(done?.text ?? "")).toMatchObject({ text: done?.text, fixes: [] });
  });

  test.each([
    ["utf16le", Buffer.from([0xff, 0xfe])],
    ["utf16le", Buffer.alloc(0)],
  ] as const)("%s", (encoding, mark) => {
    const text = page('"title": "Café"');
    expect(fixed(Buffer.concat([mark, Buffer.from(text, encoding)]))?.text).toBe(text);
    expect(fixed(Buffer.concat([mark, Buffer.from(text, encoding)]).subarray(0, -1))).toBeUndefined();
  });

  test("big-endian UTF-16", () => {
    const text = page('"title": "Café"');
    expect(fixed(Buffer.from(`\ufeff${text}`, "utf16le").swap16())?.text).toBe(text);
  });
});

test.each([
  ["inches in a text", '"title": "12" x 14"'],
  ["inches in a text of a word processor", '“title”: “12" x 14”'],
  ["an unsolved merge", '"id": 7,\n<<<<<<< HEAD\n  "title": "A"\n=======\n  "title": "B"\n>>>>>>> b'],
  ["a missing comma on one line", '"id": 7 "title": "A"'],
  ["a missing colon", '"id" 7'],
  ["two commas", '"id": 7,, "title": "A"'],
  ["a semicolon", '"id": 7;\n  "title": "A"'],
  ["a bracket of another kind", '"x": [1}'],
  ["the first half of a file", '"x": [1,\n  2'],
  ["a text over two lines", '"title": "A\n  b"'],
  ["a number in groups", '"id": 33,730'],
])("%s is left", (_, wrong) => {
  expect(fixed(page(wrong))).toBeUndefined();
});

const fields = (year: string, flag: string, acno: string) =>
  page(`${WORK},\n  "start_year": ${year}, "isLoanedOut": ${flag}, "acno": ${acno}`);

test("numbers and words in quotation marks, if the field allows no text", () => {
  expect(fixed(fields('"1840"', '"true"', '"12345"'))?.text).toBe(fields("1840", "true", '"12345"'));
  for (const left of ['"1840?"', '"01840"', '"12345678901234567890"', '""'])
    expect(fixed(fields(left, '"yes"', '"x"'))?.text).toBe(fields(left, '"yes"', '"x"'));
});

test("mixed line endings", () => {
  expect(fixed(page('"id": 7').replace("\n", "\r\n"))?.text).toBe(page('"id": 7'));
  expect(fixed(page('"id": 7').replaceAll("\n", "\r\n"))?.fixes).toEqual([]);
});

test("copies get new ids if they are named", () => {
  const { content } = workplace("ids");
  writeSite(content);
  write(content, "copy.json", general(2, "A copy of about.json"));
  write(content, "back.json", general(900, "A retired page's id"));
  write(content, "_history.json", { retired: [{ id: 900, address: "/gone/" }] });
  const idOf = (file: string) => (JSON.parse(readFileSync(join(content, file), "utf8")) as { id: number }).id;
  const options = { content, format: false, ids: true, dryRun: false };
  expect(() => [...fix({ ...options, names: [] })]).toThrow("name the copies");
  expect([...fix({ ...options, names: ["copy.json", "back.json", "visit/cafe.json"] })].length).toBe(3);
  const ids = ["copy.json", "back.json"].map(idOf);
  expect(ids.every((id) => id >= 10_000_000)).toBe(true);
  expect(["about.json", "visit/cafe.json"].map(idOf)).toEqual([2, 11]);
  // If all pages with an id are named, the first keeps it.
  write(content, "copy.json", general(2, "A copy of about.json"));
  expect([...fix({ ...options, names: ["copy.json", "about.json"] })]).toHaveLength(2);
  expect(idOf("about.json")).toBe(2);
  expect(idOf("copy.json")).not.toBe(2);
});
