import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { measure, type Measurement } from "./measure.ts";
import type { MeasuredSite } from "./site.ts";

/** A measured command. */
export interface Row {
  name: string;
  /** The work that the build does and this command does not. */
  leavesOut?: string;
  isPeer?: true;
  command: (site: MeasuredSite, output: string) => readonly string[];
  /** Runs before the clock starts, and may return a function that undoes its changes. */
  before?: ((site: MeasuredSite) => (() => void) | undefined) | undefined;
  /** The command's own measurement, if it is about a part of its work. */
  measured?: (output: string) => Measurement;
}

/** The measurements of one row, one of each round, or the reason why it failed. */
export interface Result {
  row: Row;
  samples: Measurement[];
  failure?: string;
}

/** Maximum rest before a run, in milliseconds: the machine completes earlier work, such as freeing memory. */
const MAX_REST_MS = 3000;

/**
 * Measures each row `rounds` times, after a first round without results, which loads all programs and the content into the
 * file cache. Every other round has the reverse order. The rows of a series run one after another in one output folder. A
 * command ends after `limit` seconds, and a failed one does not run again.
 */
export async function runRounds(
  site: MeasuredSite,
  series: readonly (readonly Row[])[],
  rounds: number,
  limit: number,
  report: (line: string) => void,
): Promise<Result[]> {
  const all = series.map((rows) => rows.map((row): Result => ({ row, samples: [] })));
  const folder = `${site.content}-run`;
  const output = join(folder, "public");
  for (let round = 0; round <= rounds; round++)
    for (const results of round % 2 === 0 ? all : all.toReversed()) {
      // A new folder, so that a full build cannot profit from an earlier build's manifest.
      mkdirSync(folder);
      for (const result of results) {
        if (results.some(({ failure }) => failure !== undefined)) break;
        const { row, samples } = result;
        const undo = row.before?.(site);
        spawnSync("sync");
        await pause(Math.min(MAX_REST_MS, site.pages / 20));
        const outcome = await measure(row.command(site, output), join(folder, "notes"), limit);
        undo?.();
        if (typeof outcome === "string") result.failure = outcome;
        else if (round > 0) samples.push(row.measured?.(output) ?? outcome);
        report(`round ${round}, ${row.name}: ${result.failure ?? "measured"}`);
      }
      rmSync(folder, { recursive: true, force: true });
    }
  return all.flat();
}
