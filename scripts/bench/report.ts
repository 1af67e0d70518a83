import { plural, thousands as count } from "../../build/base/numbers.ts";
import type { BenchRun, Measurements } from "./bench.ts";
import type { Machine, Measurement } from "./measure.ts";
import {
  BUILD,
  COPY,
  DECLARED,
  DIFF_ALL,
  DIFF_FIVE,
  EDITED,
  NOTHING,
  WITH_BROWSE,
  WITH_WARNINGS,
} from "./own.ts";
import type { BenchRow } from "./rounds.ts";

export interface Occasion {
  date: string;
  command: string;
}

export const markdown = ({ machine, input, runs }: Measurements, { date, command }: Occasion): string =>
  [
    "# Measurements",
    `Measured on ${date} by \`${command}\`, with ${input}.`,
    describe(machine),
    "Every figure is the median of a whole process, but for a save: that is one of many while one process stays. The order is reversed " +
      "every round, each process starts after `sync` and a rest of up to 3 s, and every full build writes to a new output.",
    "## Times and memory",
    "Wall time, processor time and peak memory:",
    tableOf(
      runs,
      rowsIn(runs).map((row) => [nameOf(row), (run) => cellOf(run, row)]),
    ),
    "## Ratios",
    "Each is the median of the ratios within each round:",
    tableOf(runs, ratiosIn(runs)),
    "## What each command leaves out",
    [...new Set(rowsIn(runs).map(({ leavesOut }) => leavesOut))]
      .filter((text) => text !== "")
      .map(
        (text) =>
          `- ${rowsIn(runs)
            .flatMap((row) => (row.leavesOut === text ? nameOf(row) : []))
            .join("; ")}: ${text}`,
      )
      .join("\n"),
  ]
    .join("\n\n")
    .concat("\n");

const describe = (machine: Machine): string =>
  `${plural(machine.cores, "core")} (${machine.processor}), ${memory(machine.memory)} of memory, ${machine.system}, ` +
  `Node ${machine.node}, npm ${machine.npm}; load at the start ${machine.load.toFixed(1)}; ` +
  "measured with GNU time (CPU and peak memory as the kernel counts them).";

const tableOf = (
  runs: readonly BenchRun[],
  lines: readonly (readonly [name: string, cell: (run: BenchRun) => string])[],
): string =>
  [
    ["", ...runs.map(({ pages, fileSystem }) => `${count(pages)} pages on ${fileSystem}`)],
    ["---", ...runs.map(() => "---:")],
    ...lines.map(([name, cell]) => [name, ...runs.map(cell)]),
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

const rowsIn = (runs: readonly BenchRun[]): BenchRow[] => [
  ...new Map(runs.flatMap(({ results }) => results.map(({ row }) => [row.name, row]))).values(),
];

const nameOf = ({ name }: BenchRow): string =>
  name.replace(/^(cp -r content|npm run (?:build|diff))/, "`$1`");

function cellOf({ results }: BenchRun, { name }: BenchRow): string {
  const found = results.find(({ row }) => row.name === name);
  if (found?.failure !== undefined) return escape(found.failure);
  const measured = [...(found?.samples.values() ?? [])];
  if (measured.length === 0) return "–";
  const [wall, cpu] = [measured.map((one) => one.wall), measured.map((one) => one.cpu)].map(median);
  const most = Math.max(...measured.map((one) => one.memory));
  return `${seconds(wall ?? 0)} s, ${seconds(cpu ?? 0)} s, ${memory(most)}`;
}

const escape = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

/** The ratios of rows of one size; the unit is the wall time if there is no other. */
const RATIOS: readonly (readonly [label: string, of: BenchRow, to: BenchRow, unit?: "cpu"])[] = [
  ["full build / `cp -r`", BUILD, COPY],
  ["with the browse UI / full build, processor time", WITH_BROWSE, BUILD, "cpu"],
  ["a warning on every page / full build, processor time", WITH_WARNINGS, BUILD, "cpu"],
  ["declared page types / full build, processor time", DECLARED, BUILD, "cpu"],
  ["nothing to do / full build", NOTHING, BUILD],
  ["one page edited / full build", EDITED, BUILD],
  [`${DIFF_FIVE.name} / full build`, DIFF_FIVE, BUILD],
  [`${DIFF_ALL.name} / full build`, DIFF_ALL, BUILD],
];

const ratiosIn = (runs: readonly BenchRun[]): [string, (run: BenchRun) => string][] =>
  [
    ...RATIOS,
    ...rowsIn(runs)
      .filter(({ isCompetitor }) => isCompetitor)
      .map((row) => [`${row.name} / full build`, row, BUILD] as const),
  ].map(([label, of, to, unit]) => [
    label,
    (run) => figure(ratio(samplesOf(run, of), samplesOf(run, to), unit)),
  ]);

type Samples = ReadonlyMap<number, Measurement>;

const samplesOf = ({ results }: BenchRun, row: BenchRow): Samples =>
  results.find((result) => result.row.name === row.name)?.samples ?? new Map<number, Measurement>();

/** The median of the ratios within each round, because a temporary slowdown of the machine affects both sides. */
export function ratio(samples: Samples, baseline: Samples, of: "wall" | "cpu" = "wall"): number | undefined {
  const ratios: number[] = [];
  for (const [round, sample] of samples) {
    const measured = baseline.get(round)?.[of];
    if (measured !== undefined && measured > 0) ratios.push(sample[of] / measured);
  }
  return ratios.length === 0 ? undefined : median(ratios);
}

/** @throws RangeError if there are no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new RangeError("nothing was measured");
  return (lower + upper) / 2;
}

/** Three significant digits; the measurements are not more exact. */
function figure(n: number | undefined): string {
  if (n === undefined) return "–";
  if (n >= 100) return n.toFixed(0);
  if (n >= 10) return n.toFixed(1);
  return n.toFixed(n >= 1 ? 2 : 3);
}

const seconds = (n: number): string => (n >= 1 || n < 0.1 ? figure(n) : n.toFixed(2));

const memory = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${(bytes / 2 ** 20).toFixed(0)} MiB`;
