import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatJson } from "../../build/source/json/format.ts";
import { parseJson, type ParsedJson } from "../../build/source/json/parse.ts";
import { SourceReader } from "../../build/source/read.ts";
import { scratch } from "../scratch.ts";

const codes = ({ findings }: ParsedJson) => findings.map(({ code, args }) => [code, args]);
const parsed = (text: string, file = "page.json") => codes(parseJson(file, Buffer.from(text)));

const values = (count: number): string => `[${"0,".repeat(count - 2)}0]`;

describe("a source", () => {
  it("may have 100 levels", () => {
    expect(parsed("[".repeat(100) + "]".repeat(100))).toEqual([]);
    expect(parsed("[".repeat(101) + "]".repeat(101))).toEqual([["nested-too-deep", { limit: 100 }]]);
  });

  it("may have 100,000 values", () => {
    expect(parsed(values(100_000))).toEqual([]);
    expect(parsed(values(100_001))).toEqual([["too-many-values", { limit: 100_000 }]]);
  });

  it("may have 4 MiB, in memory and on the disk", () => {
    const folder = scratch("large");
    for (const [bytes, found] of [
      [4_194_304, []],
      [4_194_305, [["file-too-large", { bytes: 4_194_305, limit: 4_194_304 }]]],
    ] as const) {
      const text = `[]${" ".repeat(bytes - 2)}`;
      expect(parsed(text)).toEqual(found);
      writeFileSync(join(folder, "page.json"), text);
      expect(codes(new SourceReader().read(folder, "page.json").parsed())).toEqual(found);
    }
    truncateSync(join(folder, "page.json"), 0);
  });
});

const line = (length: number) => formatJson({ list: ["x".repeat(length - 13), 1] }).split("\n")[1] ?? "";

it("the formatter fills a line up to 100 columns", () => {
  const fits = Array.from({ length: 120 }, (_, k) => k + 20).filter((length) => line(length).includes("x"));
  expect(Math.max(...fits.map((length) => line(length).length))).toBe(100);
});
