import type { Measurements, BenchRun } from "../bench.ts";
import type { Machine } from "../run/machine.ts";
import {
  BUILD,
  COPY,
  DIFF_ALL,
  DIFF_FIVE,
  EDITED,
  NOTHING,
  SAVE,
  WITH_WARNINGS,
  WITHOUT_OWNED_PATHS,
} from "../run/own.ts";
import type { RowResult } from "../run/rounds.ts";
import { growth, medianWall, ratio, ratioOf, samplesOf, shareOfFull } from "./derived.ts";
import { spread } from "./statistics.ts";
import { count, figure, memory, plural, seconds } from "./words.ts";

export interface Occasion {
  date: string;
  command: string;
}

export function markdown(measurements: Measurements, { date, command }: Occasion): string {
  const { machine, input, runs } = measurements;
  return [
    "# Measurements",
    `Measured on ${date} by \`${command}\`, with ${input}.`,
    describe(machine),
    "Every figure is of a whole process, but for a save: that is one of many while one process stays. The order is reversed every round, each process starts after `sync` and a " +
      "rest of up to 3 s, and every full build writes to a new output. Figures are medians, with the least and the " +
      "most in brackets; a ratio is the median of the ratios within each round.",
    ...runs.flatMap(section),
    ...comparison(runs),
  ]
    .join("\n\n")
    .concat("\n");
}

export const describe = (machine: Machine): string =>
  `${plural(machine.cores, "core")} (${machine.processor}), ${memory(machine.memory)} of memory, ${machine.system}, ` +
  `Node ${machine.node}, npm ${machine.npm}; load at the start ${machine.load.toFixed(1)}; ` +
  `measured with ${machine.meter}.`;

/** Minimum share of stolen processor time that the report mentions. */
const MIN_STOLEN_SHARE = 0.02;

function section(run: BenchRun): string[] {
  const { pages, fileSystem, stolen } = run;
  const sections = [`## ${count(pages)} pages on ${fileSystem}`, tableOf(run)];
  if (stolen !== undefined && stolen >= MIN_STOLEN_SHARE)
    sections.push(
      `While these ran, the host of this virtual machine withheld ${(100 * stolen).toFixed(0)} % of the processor ` +
        "time: that slows what uses both cores more than what uses one.",
    );
  return sections;
}

const HEAD = [
  "| | wall, s | CPU, s | peak memory | × `cp -r` | × the build | rounds | what it leaves out |",
  "|---|---:|---:|---:|---:|---:|---:|---|",
];

function tableOf(run: BenchRun): string {
  return [...HEAD, ...run.results.map((result) => line(result, run))].join("\n");
}

function line({ row, samples, failure }: RowResult, run: BenchRun): string {
  const name = row.name.replace(/^(cp -r content|npm run (?:build|diff))/, "`$1`");
  if (samples.size === 0 || failure !== undefined) {
    return `| ${name} | ${escape(failure ?? "not measured")} | – | – | – | – | ${samples.size} | ${row.leavesOut} |`;
  }
  const measured = [...samples.values()];
  const peaks = measured.flatMap((one) => one.memory ?? []);
  const cells = [
    name,
    range(measured.map(({ wall }) => wall)),
    range(measured.map(({ cpu }) => cpu)),
    peaks.length === 0 ? "–" : memory(Math.max(...peaks)),
    times(ratio(samples, samplesOf(run, COPY))),
    times(ratio(samples, samplesOf(run, BUILD))),
    `${measured.length}`,
    row.leavesOut,
  ];
  return `| ${cells.join(" | ")} |`;
}

function range(values: readonly number[]): string {
  const { median, least, most } = spread(values);
  return `${seconds(median)} (${seconds(least)}–${seconds(most)})`;
}

const times = (n: number | undefined): string => (n === undefined ? "–" : figure(n));

const escape = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

/** A summary of the tables, with ratios only. */
function comparison(runs: readonly BenchRun[]): string[] {
  const lines = runs.flatMap((run) => {
    const where = `${count(run.pages)} pages, ${run.fileSystem}`;
    const full = ratioOf(run, BUILD, COPY);
    const nothing = shareOfFull(run, NOTHING);
    const edited = shareOfFull(run, EDITED);
    const owned = ratioOf(run, BUILD, WITHOUT_OWNED_PATHS);
    const warned = ratio(samplesOf(run, WITH_WARNINGS), samplesOf(run, BUILD), "cpu");
    return [
      ...(full === undefined ? [] : [`| ${where}: full build / \`cp -r\` | ${figure(full)} |`]),
      ...run.results
        .filter(({ row }) => row.kind === "competitor")
        .flatMap(({ row, samples }) => {
          const slower = ratio(samples, samplesOf(run, BUILD));
          return slower === undefined ? [] : [`| ${where}: ${row.name} / full build | ${figure(slower)} |`];
        }),
      ...(owned === undefined
        ? []
        : [`| ${where}: full build / the same without owned_paths | ${figure(owned)} |`]),
      ...(warned === undefined
        ? []
        : [`| ${where}: a warning on every page / full build, processor time | ${figure(warned)} |`]),
      ...(nothing === undefined
        ? []
        : [`| ${where}: nothing to do / full build, both less start-up | ${figure(nothing)} |`]),
      ...(edited === undefined
        ? []
        : [`| ${where}: one page edited / full build, both less start-up | ${figure(edited)} |`]),
      ...[DIFF_FIVE, DIFF_ALL].flatMap((row) => {
        const share = ratioOf(run, row, BUILD);
        return share === undefined ? [] : [`| ${where}: ${row.name} / full build | ${figure(share)} |`];
      }),
      ...(run.rewritten === undefined
        ? []
        : [`| ${where}: page files rewritten after one edit | ${run.rewritten} |`]),
    ];
  });
  return lines.length === 0
    ? []
    : ["## Ratios", ["| | |", "|---|---:|", ...lines, ...growths(runs), ...savesBySize(runs)].join("\n")];
}

/** The time of a save at each size, divided by that at the smallest size on the same file system. */
function savesBySize(runs: readonly BenchRun[]): string[] {
  return runs.flatMap((large) => {
    const small = runs.find(({ fileSystem }) => fileSystem === large.fileSystem);
    const walls = [small, large].map((run) => run && medianWall(run, SAVE));
    const [one, other] = walls;
    if (small === undefined || small === large || one === undefined || other === undefined) return [];
    const sizes = `${count(large.pages)} pages / ${count(small.pages)} pages`;
    return [`| ${large.fileSystem}: ${SAVE.name}, ${sizes} | ${figure(other / one)} |`];
  });
}

/** Minimum number of pages of the smaller run: fewer take no time compared with the start of a process. */
const MIN_PAGES = 1000;

/** The growth at each size, compared with the next smaller size on the same file system. */
function growths(runs: readonly BenchRun[]): string[] {
  return runs.flatMap((large, index) => {
    const small = runs
      .slice(0, index)
      .findLast(({ fileSystem, pages }) => fileSystem === large.fileSystem && pages >= MIN_PAGES);
    const factor = small === undefined ? undefined : growth(small, large);
    if (small === undefined || factor === undefined) return [];
    const where = `${large.fileSystem}: time per page, ${count(large.pages)} pages / ${count(small.pages)} pages`;
    return [`| ${where}, relative to \`cp -r\` | ${figure(factor)} |`];
  });
}
