import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
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
