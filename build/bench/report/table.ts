import type { Measurements, Sitting } from "../bench.ts";
import type { Machine } from "../run/machine.ts";
import { BUILD, COPY, EDITED, NOTHING } from "../run/own.ts";
import type { Result } from "../run/rounds.ts";
import { growth, ratio, ratioOf, samplesOf, shareOfFull } from "./derived.ts";
import { spread } from "./statistics.ts";
import { count, figure, memory, plural, seconds } from "./words.ts";

export interface Occasion {
  date: string;
  command: string;
}

/** The whole report as Markdown. */
export function report(measurements: Measurements, { date, command }: Occasion): string {
  const { machine, input, sittings } = measurements;
  return [
    "# Measurements",
    `Made on ${date} by \`${command}\`, of ${input}.`,
    describe(machine),
    "Every run is a whole process. The order is reversed every round, `sync` and a rest of up to 3 s come before each run, and every " +
      "full build writes into a new output. Figures are medians, with the least and the most in brackets; a ratio " +
      "is the median of the ratios within each round.",
    ...sittings.flatMap(section),
    ...comparison(sittings),
  ]
    .join("\n\n")
    .concat("\n");
}

export const describe = (machine: Machine): string =>
  `${plural(machine.cores, "core")} (${machine.processor}), ${memory(machine.memory)} of memory, ${machine.system}, ` +
  `Node ${machine.node}, npm ${machine.npm}; load at the start ${machine.load.toFixed(1)}; ` +
  `measured with ${machine.meter}.`;

/** From this share of stolen processor time on, a reader should know of it. */
const DISTURBED = 0.02;

function section(sitting: Sitting): string[] {
  const { pages, fileSystem, stolen } = sitting;
  const sections = [`## ${count(pages)} pages on ${fileSystem}`, tableOf(sitting)];
  if (stolen !== undefined && stolen >= DISTURBED)
    sections.push(
      `While these ran, the host of this virtual machine kept ${(100 * stolen).toFixed(0)} % of the processor time ` +
        "that was wanted: what uses both cores suffers more from that than what uses one.",
    );
  return sections;
}

const HEAD = [
  "| | wall, s | CPU, s | peak memory | × `cp -r` | × the build | rounds | what it leaves out |",
  "|---|---:|---:|---:|---:|---:|---:|---|",
];

function tableOf(sitting: Sitting): string {
  return [...HEAD, ...sitting.results.map((result) => line(result, sitting))].join("\n");
}

function line({ row, samples, failure }: Result, sitting: Sitting): string {
  const name = row.name.replace(/^(cp -r content|npm run build)/, "`$1`");
  if (samples.size === 0 || failure !== undefined) {
    return `| ${name} | ${escape(failure ?? "not measured")} | – | – | – | – | ${samples.size} | ${row.leavesOut} |`;
  }
  const runs = [...samples.values()];
  const peaks = runs.flatMap((run) => run.memory ?? []);
  const cells = [
    name,
    range(runs.map(({ wall }) => wall)),
    range(runs.map(({ cpu }) => cpu)),
    peaks.length === 0 ? "–" : memory(Math.max(...peaks)),
    times(ratio(samples, samplesOf(sitting, COPY))),
    times(ratio(samples, samplesOf(sitting, BUILD))),
    `${runs.length}`,
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

/** What the tables come to, for those who want the ratios alone. */
function comparison(sittings: readonly Sitting[]): string[] {
  const lines = sittings.flatMap((sitting) => {
    const where = `${count(sitting.pages)} pages, ${sitting.fileSystem}`;
    const full = ratioOf(sitting, BUILD, COPY);
    const nothing = shareOfFull(sitting, NOTHING);
    const edited = shareOfFull(sitting, EDITED);
    return [
      ...(full === undefined ? [] : [`| ${where}: full build, of \`cp -r\` | ${figure(full)} |`]),
      ...sitting.results
        .filter(({ row }) => row.kind === "peer")
        .flatMap(({ row, samples }) => {
          const slower = ratio(samples, samplesOf(sitting, BUILD));
          return slower === undefined
            ? []
            : [`| ${where}: ${row.name}, of the full build | ${figure(slower)} |`];
        }),
      ...(nothing === undefined
        ? []
        : [`| ${where}: nothing to do, of the full build, less start-up | ${figure(nothing)} |`]),
      ...(edited === undefined
        ? []
        : [`| ${where}: one page edited, of the full build, less start-up | ${figure(edited)} |`]),
      ...(sitting.rewritten === undefined
        ? []
        : [`| ${where}: page files written anew after one edit | ${sitting.rewritten} |`]),
    ];
  });
  return lines.length === 0
    ? []
    : ["## Ratios", ["| | |", "|---|---:|", ...lines, ...growths(sittings)].join("\n")];
}

/** Each size against the one before it on the same file system. */
function growths(sittings: readonly Sitting[]): string[] {
  return sittings.flatMap((large, index) => {
    const small = sittings.slice(0, index).findLast(({ fileSystem }) => fileSystem === large.fileSystem);
    const factor = small === undefined ? undefined : growth(small, large);
    if (small === undefined || factor === undefined) return [];
    const where = `${large.fileSystem}: time a page with ${count(large.pages)} pages, of that with ${count(small.pages)}`;
    return [`| ${where}, over \`cp -r\`'s own growth | ${figure(factor)} |`];
  });
}
