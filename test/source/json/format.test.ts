import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatJson } from "../../../build/source/json/format.ts";

const lines = (value: unknown): string[] => formatJson(value).split("\n");

const first = (text: string, more = {}): string | undefined => lines({ a: [text], ...more })[1];

describe("formatJson", () => {
  test("lays out the outermost object, and keeps values that fit on one line", () => {
    expect(
      formatJson({
        id: 7,
        meta: { type: "home.HomePage" },
        groups: [],
        displayLocation: {},
        subjects: [
          { id: 91, name: "people", level: 1, parent_id: 1 },
          { id: 95, name: "adults", level: 2, parent_id: 91 },
        ],
        title: "Home",
      }),
    ).toBe(
      [
        "{",
        '  "id": 7,',
        '  "meta": { "type": "home.HomePage" },',
        '  "groups": [],',
        '  "displayLocation": {},',
        '  "subjects": [',
        '    { "id": 91, "name": "people", "level": 1, "parent_id": 1 },',
        '    { "id": 95, "name": "adults", "level": 2, "parent_id": 91 }',
        "  ],",
        '  "title": "Home"',
        "}",
        "",
      ].join("\n"),
    );
  });

  test("an empty page is two braces", () => {
    expect(formatJson({})).toBe("{}\n");
    expect(formatJson([])).toBe("[]\n");
  });

  test("a line has at most 100 columns, including the comma after it", () => {
    const fits = "x".repeat(100 - '  "a": [""]'.length);
    expect(first(fits)).toHaveLength(100);
    expect(first(`${fits}x`)).toBe('  "a": [');
    expect(first(fits, { b: 1 })).toBe('  "a": [');
    expect(first(fits.slice(1), { b: 1 })).toHaveLength(100);
  });

  test("leaves out members without a value, as JSON.stringify does", () => {
    expect(JSON.parse(formatJson({ a: undefined, b: [undefined], c: 1 }))).toEqual({ b: [null], c: 1 });
  });

  test("parses to the same value, and formatting again changes nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const same = JSON.parse(JSON.stringify(value)) as unknown;
        const text = formatJson(value);
        expect(JSON.parse(text)).toEqual(same);
        expect(formatJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  test("an object or list is on one line exactly if that line is not too long", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), (items) => {
        for (const line of lines({ items })) {
          if (/[[{]$/.test(line)) continue;
          expect(line.length <= 100 || !/[[{]/.test(line.replaceAll(/"(?:[^"\\]|\\.)*"/g, ""))).toBe(true);
        }
      }),
    );
  });

  test("a key named __proto__ stays a key", () => {
    const value = JSON.parse('{"__proto__": {"a": 1}}') as unknown;
    expect(formatJson(value)).toBe('{\n  "__proto__": { "a": 1 }\n}\n');
  });
});
