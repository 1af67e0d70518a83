import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hasFailed, measure, type Command, type Measurement } from "./measure.ts";
import type { MeasuredSite } from "./site.ts";

export interface BenchRow {
  name: string;
  /** The work that the build does and this command does not. */
  leavesOut: string;
  isCompetitor?: true;
}

/** One command. It measures one row, unless it measures several itself. */
export interface BenchStep {
  rows: readonly BenchRow[];
  command: Command;
  /** Runs before the clock starts, and returns a function that undoes its changes. */
  before?: (() => () => void) | undefined;
  /** The error in the output, if there is one. */
  fault?: () => string | undefined;
  /** The command's own measurements of its rows, if they are about parts of its work. */
  measured?: () => readonly Measurement[];
}

/** One way from the content to an output. In each round, its steps run one after another in one output folder. */
export interface Candidate {
  /** Runs once for each site, before the measurements. */
  prepare?: (site: MeasuredSite) => void;
  steps: (site: MeasuredSite, output: string) => BenchStep[];
}

export const rowsOf = ({ steps }: Candidate, site: MeasuredSite): BenchRow[] =>
  steps(site, "").flatMap(({ rows }) => rows);

/** The measurements of one row, by round. A failed row keeps its samples, with the reason for its failure. */
export interface RowResult {
  row: BenchRow;
  samples: Map<number, Measurement>;
  failure?: string;
}

export interface Conditions {
  /** Seconds that a single run may take. */
  limit: number;
  rounds: (candidate: Candidate) => number;
  /** Whether to run a first round without results, which loads all programs and the content into the file cache. */
  warmUp: boolean;
  /** Milliseconds of rest before each step: the machine completes earlier work, such as freeing memory. */
  rest: number;
  /** A folder that was never used, so that a full build cannot profit from an earlier build's manifest. */
  freshFolder: () => string;
  report: (line: string) => void;
}

/** Every other round has the reverse order, so that no candidate always comes first. */
export async function runRounds(
  site: MeasuredSite,
  candidates: readonly Candidate[],
  conditions: Conditions,
): Promise<RowResult[]> {
  const rows = candidates.flatMap((candidate) => rowsOf(candidate, site));
  const results = new Map(rows.map((row): [BenchRow, RowResult] => [row, { row, samples: new Map() }]));
  const failed = new Set<Candidate>();
  const last = Math.max(...candidates.map(conditions.rounds));
  for (let round = conditions.warmUp ? 0 : 1; round <= last; round++) {
    for (const candidate of round % 2 === 0 ? candidates : candidates.toReversed()) {
      if (round > conditions.rounds(candidate) || failed.has(candidate)) continue;
      if (!(await runOnce(candidate, site, round, results, conditions))) failed.add(candidate);
    }
  }
  return [...results.values()];
}

async function runOnce(
  candidate: Candidate,
  site: MeasuredSite,
  round: number,
  results: ReadonlyMap<BenchRow, RowResult>,
  { limit, rest, freshFolder, report }: Conditions,
): Promise<boolean> {
  const folder = freshFolder();
  mkdirSync(folder);
  try {
    for (const { rows, command, before, fault, measured } of candidate.steps(site, join(folder, "public"))) {
      const restore = before?.();
      spawnSync("sync");
      await pause(rest);
      const outcome = await measure(command, limit);
      const failure = hasFailed(outcome) ? outcome.failure : fault?.();
      restore?.();
      const samples = hasFailed(outcome) || failure !== undefined ? [] : (measured?.() ?? [outcome]);
      for (const [k, row] of rows.entries()) {
        const [result, sample] = [results.get(row), samples[k]];
        if (result !== undefined && failure !== undefined) result.failure = failure;
        if (sample !== undefined && round > 0) result?.samples.set(round, sample);
        report(`round ${round}, ${row.name}: ${failure ?? `${sample?.wall.toFixed(2)} s`}`);
      }
      if (failure !== undefined) return false;
    }
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
