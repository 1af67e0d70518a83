import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { check } from "../../build/site/check.ts";
import type { Measurement, Result, Row } from "../../scripts/bench/measure.ts";
import { markdown, median, ratio, type BenchRun } from "../../scripts/bench/report.ts";
import { BUILD } from "../../scripts/bench/series.ts";
import { generatedSite, isPage, reduced, sourcePaths, writeSources } from "../../scripts/bench/site.ts";
import { scratch } from "../scratch.ts";

function generated(pages: number): string {
  const content = join(scratch("bench"), "content");
  writeSources(content, generatedSite(pages));
  return content;
}

it("a generated site has the requested number of pages, and no findings", async () => {
  expect(await check({ content: generated(500) })).toMatchObject({ pages: 500, findings: [] });
});

it.each([
  [10, 10],
  [50, 50],
  [70, 50],
])("a reduced site keeps the pages that have subpages: %d of 50", (wanted, pages) => {
  const content = generated(50);
  const sources = [...reduced(content, wanted)];
  expect(sources.filter(([path]) => isPage(path))).toHaveLength(pages);
  expect(sources.map(([path]) => path)).toEqual(
    expect.arrayContaining(
      sourcePaths(content).filter((path) => /(?:^|\/)(?:_site|index)\.json$/.test(path)),
    ),
  );
  for (const [path, text] of sources) expect(text).toBe(readFileSync(join(content, path), "utf8"));
});

const samples = (...walls: number[]): Measurement[] =>
  walls.map((wall) => ({ wall, cpu: wall / 2, memory: 2 ** 20 }));

it("a figure is the median, and a ratio the median of the rounds that both have", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(ratio(samples(2, 4, 6), samples(1, 2, 4))).toBe(2);
  expect(ratio(samples(2, 4, 6), samples(1))).toBe(2);
  expect(ratio(samples(2), samples())).toBeNaN();
});

const run = (pages: number, ...results: Result[]): BenchRun => ({ pages, results });

it("the report has a line for each row, with a cell for each size", () => {
  const peer: Row = { ...BUILD, name: "Peer 1.0", leavesOut: "checks nothing", isPeer: true };
  const small = run(
    1_000,
    { row: BUILD, samples: samples(2, 4, 6) },
    { row: peer, samples: samples(10, 20, 30) },
  );
  const failure = "out of memory <1|2>";
  const large = run(8_000, { row: BUILD, samples: samples(48) }, { row: peer, samples: [], failure });
  expect(markdown([small, large], "Measured today.").split("\n")).toEqual(
    expect.arrayContaining([
      "Measured today.",
      "|  | 1,000 pages | 8,000 pages |",
      "| build, as a process of its own | 4.00 s (× 1.00), 2.00 s, 1 MiB | 48.0 s (× 1.00), 24.0 s, 1 MiB |",
      "| Peer 1.0 | 20.0 s (× 5.00), 10.0 s, 1 MiB | out of memory &lt;1\\|2> |",
      "- Peer 1.0: checks nothing",
    ]),
  );
});
