import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SourceChecker } from "../../build/check/source.ts";
import { programModel } from "../../build/model/program-model.ts";
import { parseJson, type ParsedJson } from "../../build/source/json/parse.ts";
import { SourceReader } from "../../build/source/read.ts";
import { scratch } from "../scratch.ts";

const codes = ({ findings }: ParsedJson) => findings.map(({ code, args }) => [code, args]);

/* The cases `nested-too-deep`, `nesting-up-to-a-hundred-levels` and `too-many-values` are about the other limits. */
it("a source may have 4 MiB, in memory and on the disk", () => {
  const folder = scratch("large");
  for (const [bytes, found] of [
    [4_194_304, []],
    [4_194_305, [["file-too-large", { bytes: 4_194_305, limit: 4_194_304 }]]],
  ] as const) {
    const text = `[]${" ".repeat(bytes - 2)}`;
    expect(codes(parseJson("page.json", Buffer.from(text)))).toEqual(found);
    writeFileSync(join(folder, "page.json"), text);
    expect(codes(new SourceReader().read(folder, "page.json").parsed())).toEqual(found);
  }
});

it("a source may have 100 levels, also where another kind of value is wrong", () => {
  const checker = new SourceChecker({ model: programModel });
  for (const [levels, found] of [
    [99, "wrong-type"],
    [100, "nested-too-deep"],
  ] as const) {
    const title = "[".repeat(levels) + "]".repeat(levels);
    const bytes = Buffer.from(`{ "id": 1, "meta": { "type": "home.HomePage" }, "title": ${title} }`);
    const { findings } = checker.check({ file: "index.json", bytes, size: bytes.length });
    expect(findings.map(({ code }) => code)).toContain(found);
  }
});
