import { describe, expect, it } from "vitest";
import { dateAdvice, MONTHS } from "../../build/model/dates.ts";
import { checkFragment } from "../../build/model/html.ts";
import { general, masterImage, work } from "../site/site.ts";
import { codesOf } from "./site.ts";

const years = (acquisitionYear: number, mltYear = 1850, end_year = 1851) =>
  codesOf({ "works/a.json": work(3, "Marsh", { acquisitionYear, mltYear, end_year }) });

const old = (start_year: number) =>
  codesOf({ "works/a.json": work(3, "Marsh", { start_year, end_year: start_year, mltYear: 999 }) });

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
    expect(await years(0)).not.toContain("unlikely-year");
    expect(await old(1399)).not.toContain("unlikely-year");
    expect(await old(1400)).toContain("unlikely-year");
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

it("a text of HTML without an element has no problem", () => {
  expect(checkFragment("Marsh")).toEqual({ problems: [], links: [], unlisted: 0, isCut: false });
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

const MONTHS_OF =
  "2026/01/31 2026/02/28 2024/02/29 1900/02/28 2000/02/29 2026/03/31 2026/04/30 2026/05/31 2026/06/30 2026/07/31 2026/08/31 2026/09/30 2026/10/31 2026/11/30 2026/12/31";

it.each(MONTHS_OF.split(" "))("%s, with slashes, is the last day of its month", (date) => {
  const [year = "", month = "", day = ""] = date.split("/");
  expect(dateAdvice(date, "date")?.right).toBe(date.replaceAll("/", "-"));
  expect(dateAdvice(`${year}/${month}/${Number(day) + 1}`, "date")).toEqual({
    expected: `an existing day (${MONTHS[Number(month) - 1]} ${year} has ${day} days)`,
  });
});
