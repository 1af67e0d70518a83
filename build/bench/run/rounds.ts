import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Contender, Row } from "./candidate.ts";
import { isFailure, measure, type Measurement, type Meter } from "./measure.ts";
import type { Site } from "./site.ts";

/** What was measured of one row, by round; a row that failed keeps what it had and says why it ended. */
export interface Result {
  row: Row;
  samples: Map<number, Measurement>;
  failure?: string;
}

export interface Conditions {
  meter: Meter;
  /** Seconds that a single run may take. */
  limit: number;
  rounds: (contender: Contender) => number;
  /** Whether a round that is not counted brings everybody's program and the content into the file cache first. */
  warmUp: boolean;
  /** Milliseconds before each run: what the machine still does for the one before, such as giving back memory. */
  rest: number;
  /** A folder that no run has used before: what a build remembers of an output must not make a full build cheap. */
  freshFolder: () => string;
  say: (line: string) => void;
}

/**
 * Runs every contender in every round, in the opposite order every other round, so that nobody always comes first.
 */
export async function runRounds(
  site: Site,
  contenders: readonly Contender[],
  conditions: Conditions,
): Promise<Result[]> {
  const results = new Map<Row, Result>();
  for (const { rows } of contenders) for (const row of rows) results.set(row, { row, samples: new Map() });

  const last = Math.max(...contenders.map(conditions.rounds));
  for (let round = conditions.warmUp ? 0 : 1; round <= last; round++) {
    const order = round % 2 === 0 ? contenders : contenders.toReversed();
    for (const contender of order) {
      if (round > conditions.rounds(contender)) continue;
      if (contender.rows.some((row) => results.get(row)?.failure !== undefined)) continue;
      await runOnce(contender, site, round, results, conditions);
    }
  }
  return [...results.values()];
}

async function runOnce(
  contender: Contender,
  site: Site,
  round: number,
  results: ReadonlyMap<Row, Result>,
  { meter, limit, rest, freshFolder, say }: Conditions,
): Promise<void> {
  const folder = freshFolder();
  mkdirSync(folder);
  try {
    for (const { row, command, before, fault } of contender.runs(site, join(folder, "public"))) {
      const result = results.get(row);
      if (result === undefined) throw new Error(`${row.name} is no row of its contender`);
      const restore = before?.();
      spawnSync("sync");
      await pause(rest);
      const outcome = await measure(command, meter, limit);
      const failure = isFailure(outcome) ? outcome.failure : fault?.();
      restore?.();
      if (failure !== undefined) {
        result.failure = failure;
        say(`${row.name}: ${failure}`);
        return;
      }
      if (isFailure(outcome) || round === 0) continue;
      result.samples.set(round, outcome);
      say(`round ${round}, ${row.name}: ${outcome.wall.toFixed(2)} s`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
