import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fix, fixBytes, type FixRules } from "../../build/change/fix.ts";
import { valueOf } from "../../build/source/json/object.ts";
import { parseJson } from "../../build/source/json/parse.ts";
import { programModel } from "../../build/model/program-model.ts";
import { laid } from "../laid.ts";
import { general, placeWith, write } from "../site/site.ts";
import { readJson } from "../files.ts";

const REFERENCE = "../build/contract/page.schema.json";
const OPTIONS: FixRules = { model: programModel, reference: REFERENCE, isSite: false, layout: false };

const fixed = (text: string | Buffer, options: Partial<FixRules> = {}) =>
  fixBytes("x.json", Buffer.from(text), { ...OPTIONS, ...options });

const lines = (...all: string[]): string => `${all.join("\n")}\n`;

const withSchema = (reference: string) => lines("{", `  "$schema": "${reference}"`, "}");
const withResources = (resources: string, type = "artworks.ArtworkPage") =>
  lines("{", `"$schema": "${REFERENCE}",`, `"meta": {"type": "${type}"}, "resources": [${resources}]`, "}");

describe("fixes", () => {
  test("derived fields are removed, and the file is laid out", () => {
    const text = lines(
      "{",
      `\t"$schema":"${REFERENCE}",`,
      '\t"id" : 7.0,',
      '\t"meta": {',
      '\t\t"slug": "marsh",',
      '\t\t"type": "standardpages.GeneralPage", "alias_of": null,',
      '\t\t"parent": { "id": 3 }',
      "\t},",
      "",
      '\t"title": "\\u0041" }',
    );
    const done = fixed(text);
    expect(done?.text).toBe(
      lines(
        "{",
        `  "$schema": "${REFERENCE}",`,
        '  "id": 7.0,',
        '  "meta": { "type": "standardpages.GeneralPage" },',
        '  "title": "\\u0041"',
        "}",
      ),
    );
    expect(done?.fixes.map((one) => one.done)).toContain("laid out the file, one field per line");
  });

  test("derived fields inside lists, by the page's type", () => {
    const resource = '{"type": "DISPLAY_CAPTION", "slug_name": "display-caption"}';
    expect(fixed(withResources(`${resource}, ${resource}`))?.text).toBe(
      laid(withResources('{"type": "DISPLAY_CAPTION"}, {"type": "DISPLAY_CAPTION"}')),
    );
    // A general page has no resources, so a person must decide what to do with them.
    const page = withResources(resource, "standardpages.GeneralPage");
    expect(fixed(page)?.text).toBe(page);
  });

  test("a byte order mark", () => {
    const text = lines("{", `  "$schema": "${REFERENCE}"`, "}");
    const done = fixed(`\ufeff${text}`);
    expect(done?.text).toBe(text);
    expect(done?.fixes).toHaveLength(1);
  });

  test("a missing $schema", () => {
    expect(fixed('{\r\n    "id": 7\r\n}\r\n')?.text).toBe(
      `{\r\n  "$schema": "${REFERENCE}",\r\n  "id": 7\r\n}\r\n`,
    );
    expect(fixed("{}\n")?.text).toBe(withSchema(REFERENCE));
    expect(fixed('{ "id": 7 }\n')?.text).toBe(`{\n  "$schema": "${REFERENCE}",\n  "id": 7\n}\n`);
  });

  test("only a $schema with a wrong path after a move", () => {
    expect(fixed(withSchema("../../../build/contract/page.schema.json"))?.text).toBe(withSchema(REFERENCE));
    for (const kept of [
      "https://example.org/page.schema.json",
      "../own.schema.json",
      "./../build/contract/page.schema.json",
    ])
      expect(fixed(withSchema(kept))?.text).toBe(withSchema(kept));
  });

  test("spaces at the end of lines, and the end of the last line, in the file's line endings", () => {
    expect(fixed(`{  \r\n\t"$schema": "${REFERENCE}",\t\r\n"title": "x  "\r\n}`)?.text).toBe(
      `{\r\n  "$schema": "${REFERENCE}",\r\n  "title": "x  "\r\n}\r\n`,
    );
  });

  test("--layout lays out every file", () => {
    const text = lines("{", `"$schema": "${REFERENCE}", "b":   1.0, "1": 2, "b": 3`, "}");
    expect(fixed(text)?.fixes).toEqual([]);
    const done = fixed(text, { layout: true });
    expect(done?.text).toBe(
      lines("{", `  "$schema": "${REFERENCE}",`, '  "b": 1.0,', '  "1": 2,', '  "b": 3', "}"),
    );
    expect(fixed(done?.text ?? "", { layout: true })?.fixes).toEqual([]);
  });

  test("_site.json has no derived fields", () => {
    const text = lines("{", `"$schema": "${REFERENCE}",`, '"url": "x", "meta": {"slug": "x"}', "}");
    expect(fixed(text, { isSite: true })?.text).toBe(text);
  });
});

test.each(["", "{", "[]", "7", '\ufeff{"id": 7 "x"}', "{\"slug\": 'x'}"])("%j is not touched", (text) => {
  expect(fixed(text)).toBeUndefined();
});

const DERIVED = ["detail_url", "html_url", "slug", "alias_of", "parent"];
const space = fc.constantFrom("", "", " ", "\n", "\r\n", "\n\t", "   ", " \n  ", "\t");
const spaces = fc.array(space, { minLength: 1, maxLength: 30 });
const key = fc.oneof(
  fc.constantFrom(...DERIVED, "type", "seo_title"),
  fc.string({ maxLength: 3 }).filter((name) => !/^\d+$/.test(name)),
);
const members = fc.uniqueArray(fc.tuple(key, fc.jsonValue({ maxDepth: 2 })), {
  selector: ([name]) => name,
  maxLength: 8,
});

/** JSON with any white space between its tokens. */
function print(value: unknown, next: () => string): string {
  const list = (open: string, items: string[], close: string) =>
    open + next() + items.join(`${next()},${next()}`) + next() + close;
  if (Array.isArray(value))
    return list(
      "[",
      value.map((item) => print(item, next)),
      "]",
    );
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return list(
    "{",
    Object.entries(value).map(
      ([name, item]) => `${JSON.stringify(name)}${next()}:${next()}${print(item, next)}`,
    ),
    "}",
  );
}

function valueIn(text = ""): unknown {
  const { root } = parseJson("x.json", Buffer.from(text));
  return root && valueOf(root);
}

test("fixes change nothing else, and a second run changes nothing", () => {
  fc.assert(
    fc.property(members, members, spaces, fc.boolean(), (top, meta, gaps, layout) => {
      let at = 0;
      const next = () => gaps[at++ % gaps.length] ?? "";
      const page = { ...Object.fromEntries(top), meta: Object.fromEntries(meta), title: "  Marsh  " };
      // A source cannot contain negative zero.
      fc.pre(!JSON.stringify(page).includes("-0") && !Object.hasOwn(page, "$schema"));
      const text = next() + print(page, next) + next();
      const done = fixed(text, { layout });
      const kept = { ...page, meta: Object.fromEntries(meta.filter(([name]) => !DERIVED.includes(name))) };
      // JSON.parse of Node 24 confuses the keys "\"" and "\\", if it has read both.
      expect(valueIn(done?.text)).toEqual(valueIn(JSON.stringify({ $schema: REFERENCE, ...kept })));
      expect(fixed(done?.text ?? "", { layout })).toMatchObject({ text: done?.text, fixes: [] });
    }),
    {
      numRuns: 1000,
      // After a removal, everything can be on one line.
      examples: [
        [[["\\", 1]], [], [""], false],
        [[['"', 1]], [], [""], false],
        [
          [],
          [
            ["detail_url", []],
            ["slug", {}],
            ["alias_of", { "": 0, " ": {} }],
          ],
          ["", "", "", "", "", " \n  ", "", "", ""],
          false,
        ],
      ],
    },
  );
});

/* Repairs. */

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
    expect(done?.text).toBe(laid(page(right)));
    const first = done?.fixes.find((one) => !one.done.startsWith("laid out"));
    expect(first?.place.line).toBe(line);
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
  ["a merge conflict", '"id": 7,\n<<<<<<< HEAD\n  "title": "A"\n=======\n  "title": "B"\n>>>>>>> b'],
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
  expect(fixed(fields('"1840"', '"true"', '"12345"'))?.text).toBe(laid(fields("1840", "true", '"12345"')));
  for (const left of ['"1840?"', '"01840"', '"12345678901234567890"', '""'])
    expect(fixed(fields(left, '"yes"', '"x"'))?.text).toBe(fields(left, '"yes"', '"x"'));
});

test("mixed line endings", () => {
  expect(fixed(page('"id": 7').replace("\n", "\r\n"))?.text).toBe(page('"id": 7'));
  expect(fixed(page('"id": 7').replaceAll("\n", "\r\n"))?.fixes).toEqual([]);
});

test("copies get new ids if they are named", () => {
  const { content } = placeWith("ids");
  write(content, "copy.json", general(2, "A copy of about.json"));
  write(content, "back.json", general(900, "A retired page's id"));
  write(content, "_history.json", { retired: [{ id: 900, address: "/gone/" }] });
  const idOf = (file: string) => (readJson(content, file) as { id: number }).id;
  const options = { content, layout: false, ids: true, dryRun: false };
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
