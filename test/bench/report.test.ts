import { describe, expect, it } from "vitest";
import type { Measurements, BenchRun } from "../../scripts/bench/bench.ts";
import { chart, ticks } from "../../scripts/bench/report/chart.ts";
import { growth, ratio, shareOfFull } from "../../scripts/bench/report/derived.ts";
import { median, spread } from "../../scripts/bench/report/statistics.ts";
import { markdown } from "../../scripts/bench/report/table.ts";
import type { BenchRow } from "../../scripts/bench/run/candidate.ts";
import type { Measurement } from "../../scripts/bench/run/measure.ts";
import {
  BUILD,
  COPY,
  DIFF_ALL,
  DIFF_FIVE,
  EDITED,
  NOTHING,
  NPM_BUILD,
  SAVE,
  START_UP,
} from "../../scripts/bench/run/own.ts";
import type { RowResult } from "../../scripts/bench/run/rounds.ts";

const samples = (...walls: number[]): Map<number, Measurement> =>
  new Map(walls.map((wall, index) => [index + 1, { wall, cpu: wall / 2, memory: 2 ** 20 }]));

const result = (row: BenchRow, ...walls: number[]): RowResult => ({ row, samples: samples(...walls) });

const COMPETITOR: BenchRow = { name: "Competitor 1.0", kind: "competitor", leavesOut: "checks nothing" };

const run = (pages: number, ...results: RowResult[]): BenchRun => ({
  fileSystem: "tmpfs",
  pages,
  results,
  rewritten: 1,
  stolen: pages === 8_000 ? 0.126 : 0.001,
});

const small = run(
  1_000,
  result(COPY, 1, 2, 4),
  result(BUILD, 2, 4, 6),
  result(NPM_BUILD, 3, 3, 3),
  result(NOTHING, 1.2, 1.2, 1.2),
  result(EDITED, 1.4, 1.4, 1.4),
  result(START_UP, 1, 1, 1),
  result(SAVE, 0.1, 0.1, 0.1),
  result(DIFF_FIVE, 1, 1, 1),
  result(DIFF_ALL, 4, 8, 12),
  result(COMPETITOR, 10, 20, 30),
);
const large = run(8_000, result(COPY, 20), result(BUILD, 48), result(SAVE, 0.15), {
  row: COMPETITOR,
  samples: new Map(),
  failure: "out of memory <1|2>",
});

const measurements: Measurements = {
  machine: {
    processor: "A & B",
    cores: 2,
    memory: 2 ** 34,
    system: "Linux",
    node: "v20.20.0",
    npm: "10",
    meter: "a clock",
    load: 0,
  },
  input: "generated pages",
  runs: [small, large],
};
const occasion = { date: "2026-01-02", command: "npm run bench" };

describe("figures", () => {
  it("uses the median, or the mean of the middle two", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(spread([3, 1, 2])).toEqual({ median: 2, least: 1, most: 3, count: 3 });
    expect(() => spread([])).toThrow(RangeError);
  });

  it("compares within rounds, and only rounds that both have", () => {
    expect(ratio(samples(2, 4, 6), samples(1, 2, 4))).toBe(2);
    expect(ratio(samples(2, 4, 6), samples(1))).toBe(2);
    expect(ratio(samples(2), new Map())).toBeUndefined();
  });

  it("subtracts the start-up time from both builds", () => {
    expect(shareOfFull(small, NOTHING)).toBeCloseTo(0.1);
    expect(shareOfFull(small, EDITED)).toBeCloseTo(0.2);
    expect(shareOfFull(large, NOTHING)).toBeUndefined();
  });

  it("compares the build's growth with the baseline's", () => {
    expect(growth(small, large)).toBeCloseTo(12 / 10);
    expect(growth(small, run(9, result(COPY, 1)))).toBeUndefined();
  });
});

describe("the table", () => {
  const text = markdown(measurements, occasion);

  it("has a line for every row, and the same number of columns in each line", () => {
    const lines = text.split("\n").filter((line) => /^\| .* \|$/.test(line));
    for (const { row } of [...small.results, ...large.results]) {
      expect(lines.some((line) => line.replaceAll("`", "").includes(row.name))).toBe(true);
    }
    const tables = text
      .trim()
      .split("\n\n")
      .filter((block) => block.startsWith("|"));
    for (const block of tables) {
      const columns = block.split("\n").map((line) => line.split(/(?<!\\)\|/).length);
      expect(new Set(columns).size).toBe(1);
    }
  });

  it("compares diffs with the build, and saves of a large site with saves of a small site", () => {
    expect(text).toContain(`${DIFF_ALL.name} / full build | 2.00 |`);
    expect(text).toContain(`${DIFF_FIVE.name} / full build | 0.250 |`);
    expect(text).toContain(`${SAVE.name}, 8,000 pages / 1,000 pages | 1.50 |`);
  });

  it("shows the failure of a competitor, without figures", () => {
    expect(text).toContain(
      "| Competitor 1.0 | out of memory &lt;1\\|2> | – | – | – | – | 0 | checks nothing |",
    );
  });

  it("shows no undefined or infinite value", () => expect(text).not.toMatch(/NaN|Infinity|undefined/));

  it("reports processor time withheld by the host if there was enough to matter", () => {
    expect(text.match(/withheld \d+ % of the processor time/g)).toEqual([
      "withheld 13 % of the processor time",
    ]);
  });

  it("states the date, command and machine", () => {
    for (const fact of [occasion.date, occasion.command, "2 cores", "16.0 GiB", "tmpfs", "v20.20.0"]) {
      expect(text).toContain(fact);
    }
  });
});

describe("the chart", () => {
  const svg = chart(measurements, occasion);

  it("has no undefined value, is escaped, and is the same each time", () => {
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    expect(svg).toContain("A &amp; B");
    expect(svg).toContain("out of memory &lt;1|2&gt;");
    expect(chart(measurements, occasion)).toBe(svg);
  });

  it("has a point for every measured median, and no other", () => {
    expect(svg.match(/<circle/g)).toHaveLength(3 + 3 + 0);
  });

  it("can be drawn with one size, and with a size at which every run failed", () => {
    expect(chart({ ...measurements, runs: [small] }, occasion)).not.toMatch(/NaN|Infinity/);
    const nothing = run(10, { row: BUILD, samples: new Map(), failure: "no" });
    expect(chart({ ...measurements, runs: [nothing] }, occasion)).not.toMatch(/NaN|Infinity/);
  });

  it("has a few ticks, at round numbers", () => {
    expect(ticks(0.3, 30)).toEqual([0.5, 1, 2, 5, 10, 20]);
    expect(ticks(0.001, 1_000)).toEqual([0.001, 0.01, 0.1, 1, 10, 100, 1_000]);
  });
});
