import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { REASONS } from "../../build/exchange/tate/report.ts";
import { workOf } from "../../build/exchange/tate/work.ts";
import { SOURCE, WORK } from "./works.ts";

const address = (id: number | undefined): string | undefined =>
  id === 501 ? "http://www.tate.org.uk/art/artists/ada-quill-501" : undefined;

const imported = (changes: Record<string, unknown> = {}) => workOf({ ...WORK, ...changes }, address);

const reasonsOf = (changes: Record<string, unknown>): string[] =>
  imported(changes).reasons.map((r) => r.code);

describe("a work that fits", () => {
  test("becomes a source without empty or derived fields, in the API's order", () => {
    const { page, reasons, leftOut, place } = imported();
    expect({ reasons, leftOut, place }).toEqual({
      reasons: [],
      leftOut: [],
      place: { group: "_k00", slug: "quill-mill-at-dusk-k00017" },
    });
    expect(page).toEqual(SOURCE);
    expect(Object.keys(page)).toEqual(Object.keys(SOURCE));
  });

  test("has only the required fields if it has few facts", () => {
    const { id, acno, title, url, dateRange, acquisitionYear, classification } = WORK;
    const bare = { id, acno, title, url, dateRange, acquisitionYear, classification };
    const { page } = workOf({ ...bare, contributors: [], catalogueGroup: {}, medium: "" }, address);
    expect(Object.keys(page).join(" ")).toBe(
      "id meta title acno acquisitionYear start_year end_year mltYear classification",
    );
  });

  test("a year in digits is that year, also as a string", () => {
    const { page, reasons } = imported({
      dateRange: { startYear: "1904", endYear: "1905" },
      acquisitionYear: "1931",
    });
    expect(reasons).toEqual([]);
    expect(page).toMatchObject({ start_year: 1904, end_year: 1905, mltYear: 1904, acquisitionYear: 1931 });
  });

  test("a role after the name belongs to the data", () => {
    const contributors = [{ append_role_after_name: true, fc: "Ada Quill", id: 501, role: "and pupils" }];
    const { page } = imported({ all_artists: "Ada Quill and pupils", contributors });
    expect(page["contributors"]).toMatchObject([{ append_role_to_name: true, role_display: "and pupils" }]);
    expect(page["contributors"]).not.toHaveProperty("[0].prepend_role_to_name");
  });

  test("texts are not changed: spaces, control characters, replacement characters", () => {
    const odd = " \u0007Mill\ufffd \r\n";
    expect(imported({ title: odd, medium: odd }).page).toMatchObject({ title: odd, medium: odd });
  });

  test("a field in a wrong format is left out and reported", () => {
    const { page, leftOut, reasons } = imported({
      medium: 7,
      dimensions: "half a character: \ud83d",
      contributors: ["Ada Quill", { fc: ["Bo"], id: 502, role: "artist" }],
      subjects: {
        id: 1,
        children: [
          { id: "11", name: "landscape" },
          { id: 12, name: null },
        ],
      },
    });
    expect(reasons).toEqual([]);
    expect(leftOut.map((l) => l.field).sort()).toEqual([
      "contributors[0]",
      "contributors[1].fc",
      "dimensions",
      "medium",
      "subjects.children[0]",
      "subjects.children[0].id",
    ]);
    expect(page).toMatchObject({
      contributors: [{ role_display: "artist" }],
      subjects: [{ id: 12, level: 1, parent_id: 1 }],
    });
  });
});

describe("a work that does not fit", () => {
  test.each([
    ["no-id", { id: 0 }],
    ["no-id", { id: null }],
    ["no-id", { id: 1.5 }],
    ["accession-number", { acno: "AR00017" }],
    ["accession-number", { acno: "K0017" }],
    ["accession-number", { acno: undefined }],
    ["no-title", { title: "" }],
    ["no-title", { title: null }],
    ["no-address", { url: null }],
    ["no-address", { url: "http://www.tate.org.uk/art/artworks/" }],
    ["no-address", { url: "http://www.tate.org.uk/art/artworks/a/b" }],
    ["no-address", { url: "http://www.tate.org.uk/art/artworks/caf\u00e9" }],
    ["no-address", { url: "http://www.tate.org.uk/art/artworks/_quill" }],
    ["no-address", { url: "http://www.tate.org.uk/art/artworks/../../../etc" }],
    ["no-address", { url: "http://www.tate.org.uk/art/artworks/index" }],
    ["no-address", { url: `http://www.tate.org.uk/art/artworks/${"a".repeat(251)}` }],
    ["no-date-range", { dateRange: null }],
    ["half-a-date", { dateRange: { startYear: 1904, text: "1904" } }],
    ["half-a-date", { dateRange: { startYear: "no date", endYear: 1905 } }],
    ["half-a-date", { dateRange: "1904" }],
    ["no-acquisition-year", { acquisitionYear: null }],
    ["unclassified", { classification: null }],
    ["unknown-classification", { classification: "embroidery" }],
    ["unknown-classification", { classification: "constructor" }],
  ])("%s: %o", (reason, changes) => {
    expect(reasonsOf(changes)).toEqual([reason]);
  });

  test("has every reason, in the order of the counts", () => {
    const reasons = reasonsOf({
      acquisitionYear: null,
      acno: "AR00017",
      dateRange: null,
      classification: null,
    });
    expect(reasons).toEqual(["no-date-range", "accession-number", "unclassified", "no-acquisition-year"]);
  });
});

test("any work becomes a page or has a reason, and a page has no empty fields", () => {
  // JSON.stringify writes -0 as 0, so values are read from JSON.
  const value = fc.jsonValue({ maxDepth: 4 }).map((one) => JSON.parse(JSON.stringify(one)) as unknown);
  const anything = fc.dictionary(fc.constantFrom(...Object.keys(WORK)), value);
  fc.assert(
    fc.property(anything, (changes) => {
      const { page, reasons, id, place } = imported(changes);
      expect(reasons.every((r) => r.code in REASONS)).toBe(true);
      expect(reasons.length > 0 || (place && id) !== undefined).toBe(true);
      expect(Object.values(page)).not.toContain("");
      expect(Object.values(page)).not.toContainEqual([]);
      expect(JSON.parse(JSON.stringify(page))).toEqual(page);
    }),
  );
});

test("deeply nested subjects do not overflow the stack", () => {
  let subjects: object = { id: 1, name: "deep" };
  for (let i = 0; i < 20_000; i++) subjects = { id: 1, name: "deep", children: [subjects] };
  expect((imported({ subjects }).page["subjects"] as unknown[]).length).toBe(20_000);
});
