import { expect, it } from "vitest";
import { checkTypes } from "../../build/model/types.ts";
import { finding, hintOf, messageOf, startOf, type Finding } from "../../build/findings/finding.ts";
import { reporters } from "../../build/findings/reporters.ts";
import { parseJson } from "../../build/source/json/parse.ts";
import { programModel } from "../../build/model/program-model.ts";

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

it.each([
  ["human", 100],
  ["markdown", 100],
  ["github", 10],
])("the reporter %s prints up to %i findings", (reporter, limit) => {
  const of = (count: number): number => printed(reporter, count).match(/“?f\d+”?/g)?.length ?? 0;
  const each = of(1);
  expect(each).toBeGreaterThan(0);
  expect([of(limit), of(limit + 1)]).toEqual([limit * each, limit * each]);
  expect(printed(reporter, limit)).not.toMatch(/not shown/i);
  expect(printed(reporter, limit + 1)).toMatch(/not shown/i);
});

const mistakeWithChoices = (choices: readonly string[]): string => {
  const fields = { size: { kind: "text", choices, default: "?" } };
  const types = { types: { "shop.ProductPage": { label: "Product", parents: ["home.HomePage"], fields } } };
  const parsed = parseJson("_types.json", Buffer.from(JSON.stringify(types)));
  const found = checkTypes(parsed, programModel).findings;
  return found.map((f) => `${messageOf(f)} ${hintOf(f)}`).join();
};

const numbered = (count: number): string[] => Array.from({ length: count }, (_, k) => `size-${k}`);

it("a message lists up to 12 choices, each with up to 60 characters", () => {
  expect(mistakeWithChoices(numbered(12))).toContain("size-0, size-1");
  expect(mistakeWithChoices(numbered(12))).not.toContain("…");
  expect(mistakeWithChoices(numbered(13))).toContain("size-11, …");
  expect(mistakeWithChoices(["a".repeat(60)])).toContain("a".repeat(60));
  expect(mistakeWithChoices(["a".repeat(61)])).toContain(`choices: ${"a".repeat(57)}…`);
});
