import { describe, expect, it } from "vitest";
import type { BenchRun } from "../../scripts/bench/bench.ts";
import type { Measurement } from "../../scripts/bench/measure.ts";
import { BUILD, COPY, DIFF_ALL, WITH_BROWSE, WITH_WARNINGS } from "../../scripts/bench/own.ts";
import { markdown, median, ratio } from "../../scripts/bench/report.ts";
import type { BenchRow, RowResult } from "../../scripts/bench/rounds.ts";

const samples = (...walls: number[]): Map<number, Measurement> =>
  new Map(walls.map((wall, index) => [index + 1, { wall, cpu: wall / 2, memory: 2 ** 20 }]));

const result = (row: BenchRow, ...walls: number[]): RowResult => ({ row, samples: samples(...walls) });

const COMPETITOR: BenchRow = { name: "Competitor 1.0", leavesOut: "checks nothing", isCompetitor: true };

const run = (pages: number, ...results: RowResult[]): BenchRun => ({ fileSystem: "tmpfs", pages, results });

const small = run(
  1_000,
  result(COPY, 1, 2, 4),
  result(BUILD, 2, 4, 6),
  result(WITH_BROWSE, 2, 6, 9),
  result(WITH_WARNINGS, 2.4, 5, 7.2),
  result(DIFF_ALL, 4, 8, 12),
  result(COMPETITOR, 10, 20, 30),
);
const large = run(8_000, result(COPY, 20), result(BUILD, 48), {
  row: COMPETITOR,
  samples: new Map(),
  failure: "out of memory <1|2>",
});

const machine = {
  processor: "A & B",
  cores: 2,
  memory: 2 ** 34,
  system: "Linux",
  node: "v20.20.0",
  npm: "10",
  load: 0,
};
const occasion = { date: "2026-01-02", command: "npm run bench" };
const text = markdown({ machine, input: "generated pages", runs: [small, large] }, occasion);

describe("figures", () => {
  it("are the median, or the mean of the middle two", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(() => median([])).toThrow(RangeError);
  });

  it("are compared within rounds, and only in rounds that both have", () => {
    expect(ratio(samples(2, 4, 6), samples(1, 2, 4))).toBe(2);
    expect(ratio(samples(2, 4, 6), samples(1))).toBe(2);
    expect(ratio(samples(2), new Map())).toBeUndefined();
  });
});

describe("the report", () => {
  it("has a line for every row, and the same number of columns in each line", () => {
    const lines = text.split("\n").filter((line) => /^\| .* \|$/.test(line));
    for (const { row } of [...small.results, ...large.results])
      expect(lines.some((line) => line.replaceAll("`", "").includes(row.name))).toBe(true);
    for (const block of text
      .trim()
      .split("\n\n")
      .filter((one) => one.startsWith("|"))) {
      const columns = block.split("\n").map((line) => line.split(/(?<!\\)\|/).length);
      expect(new Set(columns).size).toBe(1);
    }
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
  });

  it.each([
    "build, as a process of its own | 4.00 s, 2.00 s, 1 MiB | 48.0 s, 24.0 s, 1 MiB |",
    "full build / `cp -r` | 2.00 | 2.40 |",
    "with the browse UI / full build, processor time | 1.50 | – |",
    "a warning on every page / full build, processor time | 1.20 | – |",
    `${DIFF_ALL.name} / full build | 2.00 | – |`,
    "Competitor 1.0 / full build | 5.00 | – |",
    "Competitor 1.0 | 20.0 s, 10.0 s, 1 MiB | out of memory &lt;1\\|2> |",
  ])("has the line %s", (line) => {
    expect(text.split("\n")).toContain(`| ${line}`);
  });

  it("lists what a command leaves out", () => {
    expect(text.split("\n")).toContain("- Competitor 1.0: checks nothing");
  });

  it("states the date, command and machine", () => {
    for (const fact of [occasion.date, occasion.command, "2 cores", "16.0 GiB", "v20.20.0"])
      expect(text).toContain(fact);
  });
});
