import { readFileSync } from "node:fs";
import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { hintOf, messageOf } from "../../build/findings/finding.ts";
import { PROGRAM_HEADERS } from "../../build/base/folders.ts";
import { headersIn } from "../../build/hosting/conformance.ts";

const WHOLE = readFileSync(PROGRAM_HEADERS, "utf8");
/** The project's own file, up to the block of the pages. */
const [OWN = ""] = /^[^]*?\n\/api\/v2\/pages\/\*\n(?: {2}.*\n)+/.exec(WHOLE) ?? [];

/** The findings, as `code line:column-endColumn`. */
const found = (text: string): string[] =>
  headersIn(text, "_headers").findings.map(
    ({ code, place }) =>
      `${code} ${place.line}:${place.column}${place.endColumn === undefined ? "" : `-${place.endColumn}`}`,
  );

/** The line after the last line of OWN. */
const END = OWN.split("\n").length;

/** The project's own file with one line changed. */
const changed = (line: string, to: string): string => {
  expect(OWN).toContain(line);
  return OWN.replace(line, to);
};

/** The line number of a text in the project's own file. */
const lineOf = (text: string): number => OWN.split("\n").findIndex((line) => line.includes(text)) + 1;

const blocks = (count: number): string =>
  Array.from({ length: count }, (_, i) => `/${i}.txt\n  X-Number: ${i}\n`).join("");

/** A line of a block with `length` characters. */
const lineOfLength = (length: number): string => `  X-Long: ${"a".repeat(length - 10)}`;

const own = (name: string): number => lineOf(`  ${name}: `);

const WRONG_DATES =
  "Thu, 01 Jan 1970 00:00:00 UTC|Thu, 01 Jan 2026 00:00:00 GMT|Sat, 30 Feb 1980 00:00:00 GMT".split("|");

/** A text, and the place of its only finding, which is missing if it has none. */
type Case = [code: string, text: string, place?: string | undefined];

const dated = (text: string, place?: string): Case => [
  "headers-value",
  changed("Thu, 01 Jan 1970 00:00:00 GMT", text),
  place,
];

/** The golden cases of these codes have the plain mistakes. */
const CASES: Case[] = [
  ["headers-syntax", changed("  Vary: Accept", "  Vary : Accept"), `${own("Vary")}:3-16`],
  ["headers-syntax", `\ufeff${OWN}`, `1:1-${OWN.indexOf("\n") + 2}`],
  ["headers-path", changed("/api/v2/pages/*\n", "/api/v2/pages/:id/\n"), "5:1-19"],
  ["headers-path", `${OWN}https://example.org/x\n  X: y\n`, `${END}:1-22`],
  ["headers-path", `${OWN}//x\n  X: y\n`, `${END}:1-4`],
  ["headers-character", `${OWN}  X-Note: a\u0000b\n`, `${END}:12-13`],
  ["headers-character", changed("  Vary: Accept", "  Vary: Accept\ufffd"), `${own("Vary")}:15-16`],
  ["headers-line-length", `${OWN}${lineOfLength(2000)}\n`],
  ["headers-line-length", `${OWN}${lineOfLength(2001)}\n`, `${END}:3-2002`],
  ["headers-line-length", `${OWN}${lineOfLength(2000)}\r\n`],
  ["headers-block-count", OWN + blocks(99)],
  ["headers-block-count", OWN + blocks(100), `${END + 2 * 99}:1-8`],
  ["headers-syntax", `${OWN}/robots.txt\n  nonsense\n`, `${END + 1}:3-11`],
  ["headers-joined", `${OWN}/api/v2/pages/*\n  X: y\n`, `${END}:1-16`],
  ["headers-joined", `${OWN}/API/*\n  X: y\n`, `${END}:1-7`],
  ["headers-joined", `${OWN}/api/v2/pages/7/\n  X: y\n`, `${END}:1-17`],
  ["headers-joined", `${OWN}/api/v2/pages\n  X: y\n/api/v2/pagesx/*\n  X: y\n`],
  ["headers-api-block", "", "1:1"],
  ["headers-missing", changed("  Access-Control-Allow-Headers: *\n", "\n"), "5:1-16"],
  ...WRONG_DATES.map((text) => dated(text, `${own("Expires")}:12-${12 + text.length}`)),
  dated("Wed, 31 Dec 2025 23:59:59 GMT"),
  ["headers-value", changed("  Vary: Accept", "  Vary: Accept-Encoding"), `${own("Vary")}:9-24`],
  ["headers-value", changed("  Vary: Accept", "  vary:Origin,  accept")],
  ["headers-value", changed("Allow-Headers: *", "Allow-Headers: Accept, Content-Type")],
  [
    "headers-value",
    changed("Allow-Headers: *", "Allow-Headers: Accept;"),
    `${own("Access-Control-Allow-Headers")}:33-40`,
  ],
];

describe("_headers", () => {
  it("of the project itself has no findings, with either line ending", () => {
    expect(found(WHOLE)).toEqual([]);
    expect(found(OWN)).toEqual([]);
    expect(found(OWN.replaceAll("\n", "\r\n"))).toEqual([]);
  });

  it.each(CASES)("%s has its location, and is the only finding (%#)", (code, text, place) => {
    expect(found(text)).toEqual(place === undefined ? [] : [`${code} ${place}`]);
    for (const f of headersIn(text, "_headers").findings)
      expect(messageOf(f) + hintOf(f)).not.toMatch(/undefined|\[object/);
  });

  it("is parsed into names, values and locations", () => {
    const [rule, ...more] = headersIn("/x\n\tX-One:  a: b \n# no\n\n  X-Two:c\r\n", "f").rules;
    expect(rule?.headers.map(({ name, value }) => [name, value])).toEqual([
      ["X-One", "a: b"],
      ["X-Two", "c"],
    ]);
    const place = { file: "f", line: 2, column: 2, endLine: 2, endColumn: 14 };
    expect(rule?.headers[0]).toMatchObject({ place, valuePlace: { ...place, column: 10 } });
    expect(more).toEqual([]);
  });

  it("can have any content, and every finding is inside the file", () => {
    const line = oneof(
      string({ unit: "binary" }),
      constantFrom(...OWN.split("\n"), "/*", "! Vary", ":", "/", "https://x/", "\ufeff", "Allow:"),
    );
    assert(
      property(array(line), constantFrom("\n", "\r\n"), (all, ending) => {
        const text = all.join(ending);
        const lines = text.split("\n");
        for (const { place } of headersIn(text, "_headers").findings) {
          expect(place.column).toBeGreaterThan(0);
          expect(place.endColumn ?? place.column).toBeGreaterThanOrEqual(place.column);
          expect((place.endColumn ?? 1) - 1).toBeLessThanOrEqual(lines[place.line - 1]?.length ?? -1);
        }
      }),
    );
  });

  it("is read in a short time, even if it is hostile", () => {
    const hostile = [
      "/".repeat(1_000_000),
      `/${"a/".repeat(500_000)}`,
      " ".repeat(1_000_000),
      `X: a${" ".repeat(1_000_000)}b`,
      "/a\n".repeat(300_000),
      "x\n".repeat(300_000),
      "X: y\n".repeat(300_000),
    ];
    for (const text of hostile)
      expect(headersIn(OWN + text, "_headers").findings.length).toBeLessThan(400_000);
  });
});
