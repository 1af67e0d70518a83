import { describe, expect, it } from "vitest";
import { checkTypes } from "../../build/model/types.ts";
import { finding, hintOf, messageOf, startOf, type Finding } from "../../build/findings/finding.ts";
import { reporters } from "../../build/findings/reporters.ts";
import { parseJson } from "../../build/source/json/parse.ts";
import { programModel } from "../../build/model/program-model.ts";
import { work } from "../site/site.ts";
import { codesOf } from "./site.ts";

const findings = (count: number): Finding[] =>
  Array.from({ length: count }, (_, k) =>
    finding("unknown-field", { field: `f${k}`, owner: "a page" }, startOf("a.json")),
  );

const printed = (reporter: string, count: number): string => {
  const report = reporters[reporter as keyof typeof reporters]({
    pages: 1,
    findings: findings(count),
    textOf: () => undefined,
  });
  return `${report.stdout}${report.stderr}`;
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

describe("findings are listed", () => {
  it("up to 100 for one file", async () => {
    expect(await wrong(100)).toEqual(Array(100).fill("unknown-field"));
    expect(await wrong(101)).toEqual([...Array(100).fill("unknown-field"), "more-findings"]);
  });
});

const mistakeWithChoices = (choices: readonly string[]): string => {
  const fields = { size: { kind: "text", choices, default: "?" } };
  const types = { types: { "shop.ProductPage": { label: "Product", parents: ["home.HomePage"], fields } } };
  const parsed = parseJson("_types.json", Buffer.from(JSON.stringify(types)));
  const found = checkTypes(parsed, programModel).findings;
  return found.map((f) => `${messageOf(f)} ${hintOf(f)}`).join();
};

const numbered = (count: number): string[] => Array.from({ length: count }, (_, k) => `size-${k}`);

describe("choices are listed in a message", () => {
  it("up to 12, each up to 60 characters", () => {
    expect(mistakeWithChoices(numbered(12))).toContain("size-0, size-1");
    expect(mistakeWithChoices(numbered(12))).not.toContain("…");
    expect(mistakeWithChoices(numbered(13))).toContain("size-11, …");
    expect(mistakeWithChoices(["a".repeat(60)])).toContain("a".repeat(60));
    expect(mistakeWithChoices(["a".repeat(61)])).toContain(`choices: ${"a".repeat(57)}…`);
  });
});
