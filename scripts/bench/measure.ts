import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { Failure } from "../../build/base/failure.ts";
import type { MeasuredSite } from "./site.ts";

export interface Measurement {
  /** Seconds from start to end. */
  wall: number;
  /** Seconds of processor time (user and system) of the process and of all descendants that were waited for. */
  cpu: number;
  /** Peak memory of the largest process, in bytes. */
  memory: number;
}

/** Node does not report the processor time and the memory of a process's children. */
const GNU_TIME = "/usr/bin/time";

/** @throws Failure if GNU time is not installed. */
export function assertGnuTime(): void {
  const { status, stderr } = spawnSync(GNU_TIME, ["-f", "%M", "true"], { encoding: "utf8" });
  if (status !== 0 || !/^\d+\s*$/.test(stderr))
    throw new Failure(`${GNU_TIME} is not GNU time. Install it first (Debian: apt-get install time).`);
}

/** Runs a command, with notes in a file. Returns the reason if it fails or takes longer than `limit` seconds. */
export async function measure(
  command: readonly string[],
  notes: string,
  limit: number,
): Promise<Measurement | string> {
  const started = performance.now();
  // `timeout` ends a command with all its descendants.
  const args = ["--signal=KILL", String(limit), GNU_TIME, "-f", "%U %S %M", "-o", notes, ...command];
  const running = promisify(execFile)("timeout", args, { maxBuffer: Infinity });
  const stop = (): void => void running.child.kill();
  process.once("exit", stop);
  try {
    await running;
  } catch (cause) {
    const { signal, code, stdout, stderr } = cause as EndedBadly;
    return signal === null ? reasonOf(code, stdout + stderr) : `not finished within ${limit} s`;
  } finally {
    process.off("exit", stop);
  }
  const wall = (performance.now() - started) / 1000;
  const [user = 0, system = 0, kilobytes = 0] = readFileSync(notes, "utf8").split(" ").map(Number);
  return { wall, cpu: user + system, memory: kilobytes * 1024 };
}

type EndedBadly = Record<"stdout" | "stderr", string> & { code: number; signal: string | null };

/** The reason for a command's failure in a few words: its own words, if it printed any. */
function reasonOf(status: number, printed: string): string {
  if (status === 137 || /heap out of memory|ENOMEM|cannot allocate memory/i.test(printed))
    return "out of memory";
  const lines = printed.trim().split("\n");
  const reason = lines.findLast((line) => /error|fail|cannot/i.test(line)) ?? lines.at(-1) ?? "";
  return `exit status ${status}: ${reason.trim().slice(0, 160)}`;
}

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
