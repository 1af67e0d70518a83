import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Candidate, BenchRow } from "./candidate.ts";
import { hasFailed, measure, type Measurement, type Meter } from "./measure.ts";
import type { MeasuredSite } from "./site.ts";

/** The measurements of one row, by round. A failed row keeps its samples, with the reason for its failure. */
export interface RowResult {
  row: BenchRow;
  samples: Map<number, Measurement>;
  failure?: string;
}

export interface Conditions {
  meter: Meter;
  /** Seconds that a single run may take. */
  limit: number;
  rounds: (candidate: Candidate) => number;
  /** Whether to run a first round without results, which loads all programs and the content into the file cache. */
  warmUp: boolean;
  /**
   * Milliseconds of rest before each step, in which the machine completes work of the previous step, such as freeing
   * memory.
   */
  rest: number;
  /** A folder that was never used, so that a full build cannot profit from an earlier build's manifest. */
  freshFolder: () => string;
  say: (line: string) => void;
}

/**
 * Runs all candidates in each round. Every other round has the reverse order, so that no candidate always comes first.
 */
export async function runRounds(
  site: MeasuredSite,
  candidates: readonly Candidate[],
  conditions: Conditions,
): Promise<RowResult[]> {
  const results = new Map<BenchRow, RowResult>();
  for (const { rows } of candidates) for (const row of rows) results.set(row, { row, samples: new Map() });

  const last = Math.max(...candidates.map(conditions.rounds));
  for (let round = conditions.warmUp ? 0 : 1; round <= last; round++) {
    const order = round % 2 === 0 ? candidates : candidates.toReversed();
    for (const candidate of order) {
      if (round > conditions.rounds(candidate)) continue;
      if (candidate.rows.some((row) => results.get(row)?.failure !== undefined)) continue;
      await runOnce(candidate, site, round, results, conditions);
    }
  }
  return [...results.values()];
}

async function runOnce(
  candidate: Candidate,
  site: MeasuredSite,
  round: number,
  results: ReadonlyMap<BenchRow, RowResult>,
  { meter, limit, rest, freshFolder, say }: Conditions,
): Promise<void> {
  const folder = freshFolder();
  mkdirSync(folder);
  try {
    for (const { row, command, before, fault, measured } of candidate.steps(site, join(folder, "public"))) {
      const result = results.get(row);
      if (result === undefined) throw new Error(`${row.name} is not a row of its candidate`);
      const restore = before?.();
      spawnSync("sync");
      await pause(rest);
      const outcome = await measure(command, meter, limit);
      const failure = hasFailed(outcome) ? outcome.failure : fault?.();
      restore?.();
      if (failure !== undefined) {
        result.failure = failure;
        say(`${row.name}: ${failure}`);
        return;
      }
      if (hasFailed(outcome) || round === 0) continue;
      const sample = measured?.() ?? outcome;
      result.samples.set(round, sample);
      say(`round ${round}, ${row.name}: ${sample.wall.toFixed(2)} s`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
