import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { catalogue, type Code } from "../../build/findings/catalogue/index.ts";
import type { Entry } from "../../build/findings/entry.ts";
import { findingsPage } from "../../build/findings/page.ts";
import { samples } from "../../build/findings/samples.ts";

const codes = Object.keys(catalogue) as Code[];
const page = findingsPage();

test("docs/findings.md is as generated: if not, run npm run findings", () => {
  expect(readFileSync("docs/findings.md", "utf8")).toBe(page);
});

test("every code stands in it once, and can be linked to", () => {
  const described = [...page.matchAll(/^### (.*)$/gm)].map(([, code]) => code);
  expect(new Set(described)).toEqual(new Set(codes));
  expect(described).toHaveLength(codes.length);
  expect(page).not.toMatch(/undefined|NaN|\[object/);
});

test.each(codes)("%s is said in two lines", (code) => {
  const { message, hint } = catalogue[code] as Entry<unknown>;
  const args = (samples as Partial<Record<Code, unknown>>)[code] ?? {};
  for (const line of [message(args), hint(args)]) {
    expect(line).toMatch(/^\S[^\n]*\S$/);
    expect(line.length).toBeLessThan(160);
  }
});
