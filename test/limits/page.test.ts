import { describe, expect, it } from "vitest";
import { checkFragment } from "../../build/page/html.ts";
import { check } from "../../build/pipeline/check.ts";
import { general, page, SITE, work, workplace, write } from "../pipeline/site.ts";

/** The findings in a small site with these pages. */
async function found(pages: Record<string, unknown>) {
  const { content, remove } = workplace("limits");
  const { owned_paths: _, ...site } = SITE;
  write(content, "_site.json", site);
  write(content, "index.json", page(1, "home.HomePage", "Home"));
  write(content, "works/index.json", page(2, "artworks.ArtworkIndexPage", "Works"));
  for (const [path, source] of Object.entries(pages)) write(content, path, source);
  const { findings } = await check({ content });
  remove();
  return findings;
}

const codesOf = async (pages: Record<string, unknown>): Promise<string[]> =>
  (await found(pages)).map(({ code }) => code);

describe("a year is unlikely", () => {
  const years = (acquisitionYear: number, mltYear = 1850, end_year = 1851) =>
    codesOf({ "works/a.json": work(3, "Marsh", { acquisitionYear, mltYear, end_year }) });

  it("after 2200", async () => {
    expect(await years(2200)).toEqual([]);
    expect(await years(2201)).toEqual(["unlikely-year"]);
  });

  it("before 1000, unless it is 0 or another year is before 1400", async () => {
    expect(await years(1000)).toEqual([]);
    expect(await years(999)).toEqual(["unlikely-year"]);
    expect(await years(1)).toEqual(["unlikely-year"]);
    expect(await years(0)).toEqual([]);
    const old = (start_year: number) =>
      codesOf({
        "works/a.json": work(3, "Marsh", { start_year, end_year: start_year, mltYear: 999 }),
      });
    expect(await old(1399)).toEqual([]);
    expect(await old(1400)).toEqual(["unlikely-year"]);
  });
});

describe("a text of HTML", () => {
  const nested = (levels: number): string => "<em>".repeat(levels) + "x" + "</em>".repeat(levels);
  const codesIn = (html: string): string[] => checkFragment(html).problems.map(({ code }) => code);

  it("lists 100 problems and counts the others", () => {
    expect(checkFragment("</b>".repeat(100))).toMatchObject({ unlisted: 0 });
    expect(checkFragment("</b>".repeat(101))).toMatchObject({ unlisted: 1 });
    expect(checkFragment("</b>".repeat(101)).problems).toHaveLength(100);
  });

  it("is left before its end after 1,000 problems", () => {
    expect(checkFragment("</b>".repeat(999))).toMatchObject({ unlisted: 899, isCut: false });
    expect(checkFragment("</b>".repeat(1500))).toMatchObject({ unlisted: 900, isCut: true });
  });

  it("may have 100 levels", () => {
    expect(codesIn(nested(100))).not.toContain("html-nested-too-deep");
    expect(checkFragment(nested(100)).isCut).toBe(false);
    expect(codesIn(nested(101))).toContain("html-nested-too-deep");
  });
});

it("of the problems in all texts of HTML of a file, 1,000 are looked up", async () => {
  const { checkRules } = await import("../../build/check/values.ts");
  const { parseJson } = await import("../../build/json/parse.ts");
  const { sourceSchemas } = await import("../../build/page/page.ts");
  const checked = (texts: number, more: number) => {
    const resources = Array.from({ length: texts }, () => ({
      type: "CATALOGUE_ENTRY",
      publication_date: "2001-01-01T00:00:00",
      content: "</b>".repeat(100),
    }));
    const description = "</b>".repeat(more);
    const { source, root } = parseJson(
      "a.json",
      Buffer.from(JSON.stringify(work(3, "Marsh", { resources, description }))),
    );
    if (root === undefined) throw new Error("no page");
    const { findings, unlisted } = checkRules(source, root, sourceSchemas["artworks.ArtworkPage"], SITE);
    return { listed: findings.filter(({ code }) => code.startsWith("html-")).length, unlisted };
  };
  expect(checked(9, 100)).toEqual({ listed: 1000, unlisted: 0 });
  expect(checked(10, 1)).toEqual({ listed: 1000, unlisted: 1 });
});

describe("a reference that no other page has is rare", () => {
  const subjects = (id: number, name: string) => ({ subjects: [{ id, name, level: 1, parent_id: 9 }] });
  const pages = (usual: number, name: string, slip: string) =>
    Object.fromEntries([
      ...Array.from({ length: usual }, (_, k) => [
        `works/w${k}.json`,
        work(10 + k, "Work", subjects(1131, name)),
      ]),
      ["works/slip.json", work(9, "Slip", subjects(1113, slip))],
    ]);

  it("beside 10 pages that have another", async () => {
    expect(await codesOf(pages(10, "Marshes", "Marshes"))).toEqual(["rare-reference"]);
    expect(await codesOf(pages(9, "Marshes", "Marshes"))).toEqual([]);
  });

  it("if its name and id have 6 characters with what is between them", async () => {
    const classified = (id: number) => ({ groups: [{ id, shortTitle: "" }] });
    const ids = (usual: number, slip: number) =>
      codesOf(
        Object.fromEntries([
          ...Array.from({ length: 10 }, (_, k) => [
            `works/w${k}.json`,
            work(10 + k, "Work", classified(usual)),
          ]),
          ["works/slip.json", work(9, "Slip", classified(slip))],
        ]),
      );
    expect(await ids(12_345, 12_354)).toEqual(["rare-reference"]);
    expect(await ids(1234, 1243)).toEqual([]);
  });
});

it("three fields of another type suggest that type", async () => {
  const fields = { acquisitionYear: 1900, start_year: 1850, end_year: 1851 };
  const of = (count: number) =>
    codesOf({
      "a.json": { ...general(3, "Marsh"), ...Object.fromEntries(Object.entries(fields).slice(0, count)) },
    });
  expect(new Set(await of(2))).toEqual(new Set(["unknown-field"]));
  expect(await of(3)).not.toContain("unknown-field");
});
