import { describe, expect, it } from "vitest";
import { LATEST } from "../../build/base/instant.ts";
import { dateAdvice, MONTHS } from "../../build/page/dates.ts";
import { checkFragment } from "../../build/page/html.ts";
import { shortened } from "../../build/page/html/links.ts";
import { general, masterImage, SITE, work } from "../pipeline/site.ts";
import { codesOf } from "./site.ts";
import { programModel } from "../../build/page/program-model.ts";

const years = (acquisitionYear: number, mltYear = 1850, end_year = 1851) =>
  codesOf({ "works/a.json": work(3, "Marsh", { acquisitionYear, mltYear, end_year }) });

const old = (start_year: number) =>
  codesOf({
    "works/a.json": work(3, "Marsh", { start_year, end_year: start_year, mltYear: 999 }),
  });

describe("a year is unlikely", () => {
  it("after 2200", async () => {
    // A year that is merely in the future has another finding.
    expect(await years(2200)).toEqual(["future-acquisition"]);
    expect(await years(2201)).toEqual(["unlikely-year"]);
  });

  it("before 1000, unless it is 0 or another year is before 1400", async () => {
    expect(await years(1000)).toEqual([]);
    expect(await years(999)).toEqual(["unlikely-year"]);
    expect(await years(1)).toEqual(["unlikely-year"]);
    expect(await years(0)).toEqual([]);
    expect(await old(1399)).toEqual([]);
    expect(await old(1400)).toEqual(["unlikely-year"]);
  });
});

const ratio = (height_ratio: number) =>
  codesOf({
    "works/a.json": work(3, "Marsh", { master_images: [{ ...masterImage("/a.jpg"), height_ratio }] }),
  });

it("the height of an image is likely from a fiftieth of its width to 20 times as much", async () => {
  expect(await ratio(0.02)).toEqual(await ratio(1));
  expect(await ratio(20)).toEqual(await ratio(1));
  expect(await ratio(0.019)).toContain("unlikely-ratio");
  expect(await ratio(20.1)).toContain("unlikely-ratio");
});

it("a message quotes 60 characters", () => {
  expect(shortened("a".repeat(60))).toBe("a".repeat(60));
  expect(shortened("a".repeat(61))).toBe(`${"a".repeat(60)}…`);
});

const nested = (levels: number): string => "<em>".repeat(levels) + "x" + "</em>".repeat(levels);

const withAttributes = (count: number): string =>
  `<p ${Array.from({ length: count }, (_, k) => `data-${k}="x"`).join(" ")}>Marsh</p>`;

const codesIn = (html: string): string[] => checkFragment(html).problems.map(({ code }) => code);

describe("a text of HTML", () => {
  it("without an element has no problem", () => {
    expect(checkFragment("Marsh")).toEqual({ problems: [], links: [], unlisted: 0, isCut: false });
  });

  it("may have 1,000 attributes in an element", () => {
    expect(codesIn(withAttributes(1000))).not.toContain("html-quotes");
    expect(codesIn(withAttributes(1001))).toContain("html-quotes");
  });

  it("lists 100 problems and counts the others", () => {
    expect(checkFragment("</b>".repeat(100))).toMatchObject({ unlisted: 0 });
    expect(checkFragment("</b>".repeat(101))).toMatchObject({ unlisted: 1 });
    expect(checkFragment("</b>".repeat(101)).problems).toHaveLength(100);
  });

  it("is not read further after 1,000 problems", () => {
    expect(checkFragment("</b>".repeat(999))).toMatchObject({ unlisted: 899, isCut: false });
    expect(checkFragment("</b>".repeat(1500))).toMatchObject({ unlisted: 900, isCut: true });
  });

  it("may have 100 levels", () => {
    expect(codesIn(nested(100))).not.toContain("html-nested-too-deep");
    expect(checkFragment(nested(100)).isCut).toBe(false);
    expect(codesIn(nested(101))).toContain("html-nested-too-deep");
  });
});

const unknown = () => {
  throw new Error("an unknown field");
};

it("1,000 problems in all texts of HTML of a file are located", async () => {
  const { Engine } = await import("../../build/check/engine.ts");
  const { NO_PLACE } = await import("../../build/check/state.ts");
  const checked = (texts: number, more: number) => {
    const resources = Array.from({ length: texts }, () => ({
      type: "CATALOGUE_ENTRY",
      publication_date: "2001-01-01T00:00:00",
      content: "</b>".repeat(100),
    }));
    const description = "</b>".repeat(more);
    const engine = new Engine({ media: SITE, times: { at: LATEST, floor: LATEST }, unknown });
    const print = engine.compile(programModel.of("artworks.ArtworkPage").source);
    engine.begin(NO_PLACE);
    print(work(3, "Marsh", { resources, description }));
    const { reports, unlisted } = engine;
    return { listed: reports.filter(({ code }) => code.startsWith("html-")).length, unlisted };
  };
  expect(checked(9, 100)).toEqual({ listed: 1000, unlisted: 0 });
  expect(checked(10, 1)).toEqual({ listed: 1000, unlisted: 1 });
});

const grouped = (id: number) => ({ groups: [{ id, shortTitle: "" }] });

/** Pages with the same reference, and one page with another. */
const slipped = (usual: number, more: object, slip: object) =>
  codesOf(
    Object.fromEntries([
      ...Array.from({ length: usual }, (_, k) => [`works/w${k}.json`, work(10 + k, "Work", more)]),
      ["works/slip.json", work(9, "Slip", slip)],
    ]),
  );

describe("a reference on only one page is unlikely", () => {
  it("beside 10 pages with another reference", async () => {
    expect(await slipped(10, grouped(12_345), grouped(12_354))).toEqual(["unlikely-reference"]);
    expect(await slipped(9, grouped(12_345), grouped(12_354))).toEqual([]);
  });

  it("if its name and id have 6 characters, including the separators", async () => {
    expect(await slipped(10, grouped(12_345), grouped(12_354))).toEqual(["unlikely-reference"]);
    expect(await slipped(10, grouped(1234), grouped(1243))).toEqual([]);
  });
});

it("three fields that belong to another type suggest that type", async () => {
  const fields = { acquisitionYear: 1900, start_year: 1850, end_year: 1851 };
  const of = (count: number) =>
    codesOf({
      "a.json": { ...general(3, "Marsh"), ...Object.fromEntries(Object.entries(fields).slice(0, count)) },
    });
  expect(new Set(await of(2))).toEqual(new Set(["unknown-field"]));
  expect(await of(3)).not.toContain("unknown-field");
});

const advice = (year: number, month: number, day: number) =>
  dateAdvice(`${year}/${String(month).padStart(2, "0")}/${day}`, "date");

describe("a date written with slashes", () => {
  it.each([
    [2026, 1, 31],
    [2026, 2, 28],
    [2024, 2, 29],
    [1900, 2, 28],
    [2000, 2, 29],
    [2026, 3, 31],
    [2026, 4, 30],
    [2026, 5, 31],
    [2026, 6, 30],
    [2026, 7, 31],
    [2026, 8, 31],
    [2026, 9, 30],
    [2026, 10, 31],
    [2026, 11, 30],
    [2026, 12, 31],
  ])("of the year %i and the month %i has up to %i days", (year, month, days) => {
    expect(advice(year, month, days)?.right).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(advice(year, month, days + 1)).toEqual({
      expected: `an existing day (${MONTHS[month - 1]} ${year} has ${days} days)`,
    });
  });
});
