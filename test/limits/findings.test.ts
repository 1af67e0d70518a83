import { describe, expect, it } from "vitest";
import { exampleFor } from "../../build/check/examples.ts";
import { finding, hintOf, startOf, type Finding } from "../../build/findings/finding.ts";
import { reporters } from "../../build/findings/reporters/index.ts";
import { programModel } from "../../build/page/program-model.ts";
import { work } from "../pipeline/site.ts";
import { codesOf } from "./site.ts";

const findings = (count: number): Finding[] =>
  Array.from({ length: count }, (_, k) =>
    finding("unknown-field", { field: `f${k}`, owner: "a page" }, startOf("a.json")),
  );

const printed = (reporter: string, count: number): string => {
  const report = reporters[reporter]?.({ pages: 1, findings: findings(count), textOf: () => undefined });
  return `${report?.stdout}${report?.stderr}`;
};

describe("findings are printed", () => {
  it.each([
    ["human", 100],
    ["markdown", 100],
    ["github", 10],
  ])("by the reporter %s up to %i", (reporter, limit) => {
    const of = (count: number): number => printed(reporter, count).match(/“?f\d+”?/g)?.length ?? 0;
    const each = of(1);
    expect(each).toBeGreaterThan(0);
    expect([of(limit), of(limit + 1)]).toEqual([limit * each, limit * each]);
    expect(printed(reporter, limit)).not.toMatch(/not shown/i);
    expect(printed(reporter, limit + 1)).toMatch(/not shown/i);
  });
});

const wrong = (count: number) =>
  codesOf({
    "works/a.json": work(
      3,
      "Marsh",
      Object.fromEntries(Array.from({ length: count }, (__, k) => [`zq${k}`, 1])),
    ),
  });

const disagreeing = (count: number) =>
  codesOf(
    Object.fromEntries(
      Array.from({ length: count + 30 }, (__, k) => [
        `works/w${k}.json`,
        work(10 + k, "Work", {
          subjects: [{ id: 7, name: k < count ? `other ${k}` : "marsh", level: 1, parent_id: 9 }],
        }),
      ]),
    ),
  );

describe("findings are listed", () => {
  it("up to 100 for one file", async () => {
    expect(await wrong(100)).toEqual(Array(100).fill("unknown-field"));
    expect(await wrong(101)).toEqual([...Array(100).fill("unknown-field"), "more-findings"]);
  });

  it("up to 20 about one thing on which pages disagree", async () => {
    const twenty = await disagreeing(20);
    expect(twenty.filter((code) => code !== "more-findings")).toHaveLength(20);
    expect(twenty).not.toContain("more-findings");
    const more = await disagreeing(21);
    expect(more.filter((code) => code !== "more-findings")).toHaveLength(20);
    expect(more).toContain("more-findings");
  });
});

/** The example in the hint for a text in place of the subjects. */
const exampleWith = (length: number): string | undefined => {
  const subjects = programModel.of("artworks.ArtworkPage").source.fields.get("subjects");
  return exampleFor(subjects, "a".repeat(length))?.written;
};

describe("an example of an object in place of a text", () => {
  it("contains a text of up to 200 characters", () => {
    expect(exampleWith(200)).toContain("a".repeat(200));
    expect(exampleWith(201)).not.toContain("aaa");
  });
});

const hintWith = (write: string): string =>
  hintOf(finding("unlikely-markup", { kind: "markup", found: "b", write }, startOf("a.json")));

it("a hint suggests markup of up to 100 characters", () => {
  expect(hintWith("a".repeat(100))).toContain("a".repeat(100));
  expect(hintWith("a".repeat(101))).not.toContain("aaa");
});

/** The excerpt of a line of this length, for a finding at this column. */
function excerptOf(length: number, column: number): string {
  const place = { ...startOf("a.json"), column, endLine: 1, endColumn: column + 1 };
  const report = { pages: 1, findings: [finding("unknown-field", { field: "f", owner: "a page" }, place)] };
  const text = Array.from({ length }, (_, k) => String.fromCodePoint(0x61 + (k % 26))).join("");
  const { stderr } = reporters["human"]?.({ ...report, textOf: () => text }) ?? {};
  return /1 \| (.*)/.exec(stderr ?? "")?.[1] ?? "";
}

it("an excerpt shows a line of up to 100 characters, and what is around a place after the first 80", () => {
  expect(excerptOf(100, 81)).toMatch(/^abc.{97}$/);
  expect(excerptOf(101, 81)).toMatch(/^abc.{97}…$/);
  expect(excerptOf(100, 82)).toMatch(/^….{39}$/);
  expect(excerptOf(161, 82)).toMatch(/^….{100}$/);
  expect(excerptOf(162, 82)).toMatch(/^….{100}…$/);
});
