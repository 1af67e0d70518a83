import { spawnSync } from "node:child_process";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import { plural, thousands as count } from "../../build/base/numbers.ts";
import type { Measurement, Result } from "./measure.ts";
import { BUILD } from "./series.ts";

/** The results of one site, in the order of the rows. */
export interface BenchRun {
  pages: number;
  results: readonly Result[];
}

/** The machine, for readers who compare figures of several machines; the load is that before the measurements. */
export const describeMachine = (): string =>
  `${plural(cpus().length, "core")} (${cpus()[0]?.model.trim()}), ${memory(totalmem())} of memory, ${type()} ${release()}, ` +
  `Node ${process.version}; load at the start ${loadavg()[0]?.toFixed(1)}; ` +
  "measured with GNU time (CPU and peak memory as the kernel counts them).";

/** The name of a file system, such as `tmpfs`. */
export const fileSystemOf = (folder: string): string =>
  spawnSync("stat", ["--file-system", "--format=%T", folder], { encoding: "utf8" }).stdout.trim();

/** The measurements as a page. @param occasion when, with which command and on which machine */
export function markdown(runs: readonly BenchRun[], occasion: string): string {
  const rows = (runs[0]?.results ?? []).map(({ row }) => row);
  const table = [
    ["", ...runs.map(({ pages }) => `${count(pages)} pages`)],
    ["---", ...runs.map(() => "---:")],
    ...rows.map(({ name }, k) => [name, ...runs.map(({ results }) => cellOf(results, k))]),
  ];
  const leftOut = rows.filter(({ leavesOut }) => leavesOut !== undefined);
  return `# Measurements

${occasion}

Every figure is the median of a whole process, but for a save: that is one of many while one process stays. The order is reversed \
every round, each process starts after \`sync\` and a rest of up to 3 s, and every full build writes to a new output.

Wall time (and its ratio to that of the build, at the median of the rounds), processor time, peak memory:

${table.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}

## What each command leaves out

${leftOut.map(({ name, leavesOut }) => `- ${name}: ${leavesOut}\n`).join("")}`;
}

function cellOf(results: readonly Result[], k: number): string {
  const { samples = [], failure } = results[k] ?? {};
  if (failure !== undefined) return failure.replaceAll("|", "\\|").replaceAll("<", "&lt;");
  if (samples.length === 0) return "–";
  const [wall, cpu] = [median(samples.map((one) => one.wall)), median(samples.map((one) => one.cpu))];
  const times = ratio(samples, results.find(({ row }) => row.name === BUILD.name)?.samples ?? []);
  const most = Math.max(...samples.map((one) => one.memory));
  return `${seconds(wall)} s (× ${figure(times)}), ${seconds(cpu)} s, ${memory(most)}`;
}

/** The median of the ratios within each round, because a temporary slowdown of the machine affects both sides. */
export const ratio = (samples: readonly Measurement[], baseline: readonly Measurement[]): number =>
  median(samples.slice(0, baseline.length).map(({ wall }, round) => wall / (baseline[round]?.wall ?? 0)));

/** The median; no number if there is no value. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** Three significant digits; the measurements are not more exact. */
const figure = (n: number): string =>
  Number.isNaN(n) ? "–" : n.toFixed(n >= 100 ? 0 : n >= 10 ? 1 : n >= 1 ? 2 : 3);

const seconds = (n: number): string => (n >= 1 || n < 0.1 ? figure(n) : n.toFixed(2));

const memory = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${(bytes / 2 ** 20).toFixed(0)} MiB`;
