import { thousands as count } from "../../build/base/numbers.ts";
import { memory, type Measurement } from "./measure.ts";
import type { BenchRun, Result, Row } from "./rounds.ts";
import { BUILD } from "./series.ts";

/** The measurements as a page. @param occasion when, with which command and on which machine */
export const markdown = (runs: readonly BenchRun[], occasion: string): string =>
  [
    "# Measurements",
    occasion,
    "Every figure is the median of a whole process, but for a save: that is one of many while one process stays. The order is reversed " +
      "every round, each process starts after `sync` and a rest of up to 3 s, and every full build writes to a new output.",
    "Wall time (and its ratio to that of the build, at the median of the rounds), processor time, peak memory:",
    [
      ["", ...runs.map(({ pages }) => `${count(pages)} pages`)],
      ["---", ...runs.map(() => "---:")],
      ...rowsIn(runs).map((row) => [row.name].concat(runs.map((run) => cellOf(run, row)))),
    ]
      .map((cells) => `| ${cells.join(" | ")} |`)
      .join("\n"),
    "## What each command leaves out",
    rowsIn(runs)
      .flatMap((row) => (row.leavesOut === undefined ? [] : `- ${row.name}: ${row.leavesOut}`))
      .join("\n"),
  ]
    .join("\n\n")
    .concat("\n");

const rowsIn = (runs: readonly BenchRun[]): Row[] => [
  ...new Map(runs.flatMap(({ results }) => results.map(({ row }) => [row.name, row]))).values(),
];

const resultOf = ({ results }: BenchRun, { name }: Row): Result | undefined =>
  results.find(({ row }) => row.name === name);

function cellOf(run: BenchRun, row: Row): string {
  const found = resultOf(run, row);
  if (found?.failure !== undefined) return escape(found.failure);
  const measured = [...(found?.samples.values() ?? [])];
  if (measured.length === 0) return "–";
  const [wall, cpu] = [measured.map((one) => one.wall), measured.map((one) => one.cpu)].map(median);
  const most = Math.max(...measured.map((one) => one.memory));
  const times = figure(ratio(found?.samples, resultOf(run, BUILD)?.samples));
  return `${seconds(wall ?? 0)} s (× ${times}), ${seconds(cpu ?? 0)} s, ${memory(most)}`;
}

const escape = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

type Samples = ReadonlyMap<number, Measurement> | undefined;

/** The median of the ratios within each round, because a temporary slowdown of the machine affects both sides. */
export function ratio(samples: Samples, baseline: Samples): number | undefined {
  const ratios = [...(samples ?? [])].flatMap(([round, { wall }]) => {
    const measured = baseline?.get(round)?.wall;
    return measured === undefined ? [] : wall / measured;
  });
  return ratios.length === 0 ? undefined : median(ratios);
}

/** The median of at least one value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** Three significant digits; the measurements are not more exact. */
const figure = (n = Number.NaN): string =>
  Number.isNaN(n) ? "–" : n.toFixed(n >= 100 ? 0 : n >= 10 ? 1 : n >= 1 ? 2 : 3);

const seconds = (n: number): string => (n >= 1 || n < 0.1 ? figure(n) : n.toFixed(2));
