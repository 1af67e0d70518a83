import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fixBytes, type FixRules } from "../../build/edit/fixes.ts";
import { valueOf } from "../../build/json/node.ts";
import { parseJson } from "../../build/json/parse.ts";
import { programModel } from "../../build/page/program-model.ts";

const REFERENCE = "../build/contract/page.schema.json";
const OPTIONS: FixRules = { model: programModel, reference: REFERENCE, isSite: false, format: false };

const fixed = (text: string, options: Partial<FixRules> = {}) =>
  fixBytes("x.json", Buffer.from(text), { ...OPTIONS, ...options });

const lines = (...all: string[]): string => `${all.join("\n")}\n`;

const withSchema = (reference: string) => lines("{", `  "$schema": "${reference}"`, "}");
const withResources = (resources: string, type = "artworks.ArtworkPage") =>
  lines("{", `"$schema": "${REFERENCE}",`, `"meta": {"type": "${type}"}, "resources": [${resources}]`, "}");

describe("fixes", () => {
  test("derived fields are removed, and the layout of the others stays", () => {
    const text = lines(
      "{",
      `\t"$schema":"${REFERENCE}",`,
      '\t"id" : 7,',
      '\t"meta": {',
      '\t\t"slug": "marsh",',
      '\t\t"type": "standardpages.GeneralPage", "alias_of": null,',
      '\t\t"parent": { "id": 3 }',
      "\t},",
      "",
      '\t"title": "Marsh" }',
    );
    expect(fixed(text)?.text).toBe(
      lines(
        "{",
        `\t"$schema":"${REFERENCE}",`,
        '\t"id" : 7,',
        '\t"meta": {',
        '\t\t"type": "standardpages.GeneralPage"',
        "\t},",
        "",
        '\t"title": "Marsh" }',
      ),
    );
  });

  test("derived fields inside lists, by the page's type", () => {
    const resource = '{"type": "DISPLAY_CAPTION", "slug_name": "display-caption"}';
    expect(fixed(withResources(`${resource}, ${resource}`))?.text).toBe(
      withResources('{"type": "DISPLAY_CAPTION"}, {"type": "DISPLAY_CAPTION"}'),
    );
    // A general page has no resources, so a person must decide what to do with them.
    const general = withResources(resource, "standardpages.GeneralPage");
    expect(fixed(general)?.text).toBe(general);
  });

  test("a byte order mark", () => {
    const text = lines("{", `  "$schema": "${REFERENCE}"`, "}");
    const done = fixed(`\ufeff${text}`);
    expect(done?.text).toBe(text);
    expect(done?.fixes).toHaveLength(1);
  });

  test("a missing $schema, in the layout of the first field", () => {
    expect(fixed('{\r\n    "id": 7\r\n}\r\n')?.text).toBe(
      `{\r\n    "$schema": "${REFERENCE}",\r\n    "id": 7\r\n}\r\n`,
    );
    expect(fixed("{}\n")?.text).toBe(`{ "$schema": "${REFERENCE}" }\n`);
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
      `{\r\n\t"$schema": "${REFERENCE}",\r\n"title": "x  "\r\n}\r\n`,
    );
  });

  test("a page on one line is laid out", () => {
    expect(fixed('{"id":7,"meta":{"type":"home.HomePage","slug":"x"},"title":"\\u0041 \\"b\\""}')?.text).toBe(
      lines(
        "{",
        `  "$schema": "${REFERENCE}",`,
        '  "id": 7,',
        '  "meta": { "type": "home.HomePage" },',
        '  "title": "A \\"b\\""',
        "}",
      ),
    );
  });

  test("--format lays out every file, unless that could change it", () => {
    const page = (title: string) => lines("{", `"$schema": "${REFERENCE}", "title":   ${title}`, "}");
    const format = { format: true };
    expect(fixed(page('"x"'), format)?.text).toBe(
      lines("{", `  "$schema": "${REFERENCE}",`, '  "title": "x"', "}"),
    );
    const twice = page('"x", "title": "y"');
    expect(fixed(twice, format)?.text).toBe(twice);
    // JavaScript would move the second key to the front of the object.
    const ordered = page('{"b": 1, "1": 2}');
    expect(fixed(ordered, format)?.text).toBe(ordered);
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
    fc.property(members, members, spaces, fc.boolean(), (top, meta, gaps, format) => {
      let at = 0;
      const next = () => gaps[at++ % gaps.length] ?? "";
      const page = { ...Object.fromEntries(top), meta: Object.fromEntries(meta), title: "  Marsh  " };
      // A source cannot contain negative zero.
      fc.pre(!JSON.stringify(page).includes("-0") && !Object.hasOwn(page, "$schema"));
      const text = next() + print(page, next) + next();
      const done = fixed(text, { format });
      const kept = { ...page, meta: Object.fromEntries(meta.filter(([name]) => !DERIVED.includes(name))) };
      // JSON.parse of Node 24 confuses the keys "\"" and "\\", if it has read both.
      expect(valueIn(done?.text)).toEqual(valueIn(JSON.stringify({ $schema: REFERENCE, ...kept })));
      expect(fixed(done?.text ?? "", { format })).toMatchObject({ text: done?.text, fixes: [] });
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
