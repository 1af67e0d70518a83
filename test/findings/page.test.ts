import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { catalogue, type Code } from "../../build/findings/catalogue/index.ts";
import { textOf, type CatalogueEntry } from "../../build/findings/entry.ts";
import { finding, hintOf, messageOf, startOf } from "../../build/findings/finding.ts";
import { findingsPage } from "../../build/findings/page.ts";
import { describeValue } from "../../build/source/json/object.ts";
import { parseJson } from "../../build/source/json/parse.ts";

const codes = Object.keys(catalogue) as Code[];
const page = findingsPage();

test("docs/findings.md is as generated: if not, run npm run generate:findings", () => {
  expect(readFileSync("docs/findings.md", "utf8")).toBe(page);
});

test("an image just above the limit has another size than the limit in its message", () => {
  const limit = 25 * 2 ** 20;
  const messageFor = (bytes: number) => messageOf(finding("media-size", { bytes, limit }, startOf("a.png")));
  expect(messageFor(limit + 1)).toContain("25.1 MiB");
  expect(messageFor(limit + 2 ** 20)).toContain("has 26 MiB; hosts take files of at most 25 MiB");
});

test("contains every code once, as an anchor", () => {
  const described = Array.from(page.matchAll(/^### (.*)$/gm), ([, code]) => code);
  expect(new Set(described)).toEqual(new Set(codes));
  expect(described).toHaveLength(codes.length);
  expect(page).not.toMatch(/undefined|NaN|\[object/);
});

test.each(codes)("%s has a plain name, a message and a hint of one line each, and an example", (code) => {
  expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  const { message, hint, facts = {}, example } = catalogue[code] as CatalogueEntry<unknown>;
  expect(["", example.right]).not.toContain(example.wrong);
  for (const line of [textOf(message, facts), textOf(hint, facts)]) {
    expect(line).toMatch(/^\S[^\n]*\S$/);
    expect(line.length).toBeLessThan(160);
  }
});

test.each([
  ["a comma that is missing", '{"id": 7 "title": "x"}'],
  ["an escape that JSON does not have", '{"title": "\\S"}'],
  ["brackets that are never closed", "[".repeat(200)],
  ["another encoding", Buffer.from('{"title": "Caf\xe9"}', "latin1")],
])("%s hides the rest of the file, and the findings mention that once", (_, written) => {
  const { root, findings } = parseJson("page.json", Buffer.from(written));
  expect(root).toBeUndefined();
  expect(findings.map((f) => /rest of the file/.test(hintOf(f)))).toEqual([true]);
});

test("a finding that hides no other text does not mention a rest", () => {
  const { root, findings } = parseJson(
    "page.json",
    Buffer.from('{"id": 1e400, "id": -0, "title": "\\ud83d"}'),
  );
  expect(root).toBeDefined();
  expect(findings.filter((f) => /rest of the file/.test(hintOf(f)))).toEqual([]);
  expect(findings).toHaveLength(4);
});

test("quotes no half of a character", () => {
  expect(describeValue(`${"a".repeat(36)}${"😀".repeat(9)}`)).toBe(`the text “${"a".repeat(36)}…”`);
});

test("lists an empty text among the choices of a field", () => {
  const args = { field: "sex", found: "?", known: ["", "M", "F"] };
  expect(hintOf(finding("unknown-value", args, startOf("a.json")))).toBe('Write one of these: "", M, F.');
});
