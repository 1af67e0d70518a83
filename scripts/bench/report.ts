import { thousands as count } from "../../build/base/numbers.ts";
import { memory, type Measurement } from "./measure.ts";
import type { Result, Row } from "./rounds.ts";
import { BUILD } from "./series.ts";

/** The results of one site, by the names of their rows. */
export interface BenchRun {
  pages: number;
  results: ReadonlyMap<string, Result>;
}

/** The measurements as a page. @param occasion when, with which command and on which machine */
export function markdown(runs: readonly BenchRun[], occasion: string): string {
  const rows = new Map<string, Row>();
  for (const { results } of runs) for (const [name, { row }] of results) rows.set(name, row);
  const table = [
    ["", ...runs.map(({ pages }) => `${count(pages)} pages`)],
    ["---", ...runs.map(() => "---:")],
    ...[...rows.keys()].map((name) => [name].concat(runs.map((run) => cellOf(run, name)))),
  ];
  const leftOut = [...rows.values()].filter(({ leavesOut }) => leavesOut !== undefined);
  return `# Measurements

${occasion}

Every figure is the median of a whole process, but for a save: that is one of many while one process stays. The order is reversed \
every round, each process starts after \`sync\` and a rest of up to 3 s, and every full build writes to a new output.

Wall time (and its ratio to that of the build, at the median of the rounds), processor time, peak memory:

${table.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}

## What each command leaves out

${leftOut.map(({ name, leavesOut }) => `- ${name}: ${leavesOut}\n`).join("")}`;
}

function cellOf({ results }: BenchRun, name: string): string {
  const { samples = [], failure } = results.get(name) ?? {};
  if (failure !== undefined) return failure.replaceAll("|", "\\|").replaceAll("<", "&lt;");
  if (samples.length === 0) return "–";
  const [wall, cpu] = [median(samples.map((one) => one.wall)), median(samples.map((one) => one.cpu))];
  const times = ratio(samples, results.get(BUILD.name)?.samples ?? []);
  const most = Math.max(...samples.map((one) => one.memory));
  return `${seconds(wall)} s (× ${figure(times)}), ${seconds(cpu)} s, ${memory(most)}`;
}

/** The median of the ratios within each round, because a temporary slowdown of the machine affects both sides. */
export const ratio = (samples: readonly Measurement[], baseline: readonly Measurement[]): number =>
  median(samples.slice(0, baseline.length).map(({ wall }, round) => wall / (baseline[round]?.wall ?? 0)));

/** The median; no number if there is no value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** Three significant digits; the measurements are not more exact. */
const figure = (n: number): string =>
  Number.isNaN(n) ? "–" : n.toFixed(n >= 100 ? 0 : n >= 10 ? 1 : n >= 1 ? 2 : 3);

const seconds = (n: number): string => (n >= 1 || n < 0.1 ? figure(n) : n.toFixed(2));
