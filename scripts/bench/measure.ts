import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { Failure } from "../../build/base/failure.ts";

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
