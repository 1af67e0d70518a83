import { expect, it } from "vitest";
import { DOCUMENTS } from "./documents.ts";

it("the README has the figures of the benchmarks", () => {
  const readme = DOCUMENTS.find(({ path }) => path === "README.md")?.text ?? "";
  const bench = DOCUMENTS.find(({ path }) => path === "docs/bench.md")?.text ?? "";
  const seconds = (row: RegExp): string => {
    const [, wall = ""] =
      new RegExp(String.raw`^\| ${row.source} \|.*\| ([\d.]+) s[ ,][^|]*\|$`, "m").exec(bench) ?? [];
    return Number(wall).toFixed(1);
  };
  expect(
    /build in ([\d.]+) s, or ([\d.]+) s with the browse UI; after one edit, a build takes ([\d.]+) s/
      .exec(readme.replace(/\s+/g, " "))
      ?.slice(1),
  ).toEqual([
    seconds(/build, as a process of its own/),
    seconds(/the same, with the browse UI/),
    seconds(/one page edited/),
  ]);
});
