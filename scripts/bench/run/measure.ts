import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchMemory } from "./memory.ts";

export interface Command {
  file: string;
  args: readonly string[];
  folder: string;
  env?: Record<string, string>;
}

export interface Measurement {
  /** Seconds from start to end. */
  wall: number;
  /** Seconds of processor time (user and system) of the process and of all descendants that were waited for. */
  cpu: number;
  /** Peak memory of the largest process, in bytes; undefined if the machine does not report it. */
  memory: number | undefined;
}

export interface FailedRun {
  failure: string;
}

export const hasFailed = (outcome: Measurement | FailedRun): outcome is FailedRun => "failure" in outcome;

/** The tool that measures CPU time and memory, because Node does not report those of a process's children. */
export type Meter = "time" | "times";

/** GNU `time` measures both exactly. The shell's `times` measures CPU time; memory is then watched from outside. */
export function findMeter(): Meter {
  const { status, stderr } = spawnSync("/usr/bin/time", ["-f", "%M", "true"], { encoding: "utf8" });
  return status === 0 && /^\d+\s*$/.test(stderr) ? "time" : "times";
}

export const METER_NAMES: Record<Meter, string> = {
  time: "GNU time (CPU and peak memory as the kernel counts them)",
  times: "the shell's times (CPU) and /proc, read every 10 ms (peak memory)",
};

/** Maximum length of the end of a command's output that is kept, in UTF-16 units. */
const MAX_OUTPUT_LENGTH = 20_000;

/** Runs and measures a command. It fails if the command fails or takes longer than `limit` seconds. */
export async function measure(
  command: Command,
  meter: Meter,
  limit: number,
): Promise<Measurement | FailedRun> {
  const folder = mkdtempSync(join(tmpdir(), "measure-"));
  const notes = join(folder, "notes");
  try {
    const [file, ...args] = wrapped(command, meter, notes);
    const started = performance.now();
    // A separate process group, so that a run over its limit ends with all its descendants.
    const child = spawn(file, args, {
      cwd: command.folder,
      env: { ...process.env, ...command.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const stop = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    };
    const memory = meter === "times" && child.pid !== undefined ? watchMemory(child.pid) : undefined;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, limit * 1_000);
    process.once("exit", stop);

    let said = "";
    const listen = (chunk: Buffer): void => {
      said = (said + chunk.toString()).slice(-MAX_OUTPUT_LENGTH);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);

    let ended = started;
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", () => (ended = performance.now()));
      child.once("close", resolve);
    }).finally(() => {
      clearTimeout(timer);
      process.off("exit", stop);
    });
    const peak = memory?.();
    if (late) return { failure: `not finished within ${limit} s` };
    if (status !== 0) return { failure: reasonOf(status, said) };
    return { wall: (ended - started) / 1_000, ...usageOf(readFileSync(notes, "utf8"), meter, peak) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function wrapped({ file, args }: Command, meter: Meter, notes: string): [string, ...string[]] {
  if (meter === "time") return ["/usr/bin/time", "-f", "%U %S %M", "-o", notes, file, ...args];
  const script = '"$@"; status=$?; times >"$0"; exit $status';
  return ["/bin/sh", "-c", script, notes, file, ...args];
}

/**
 * Parses the meter's output: `user system kilobytes`, or the two lines of `times`, of which the second is about the
 * children.
 */
export function usageOf(
  notes: string,
  meter: Meter,
  watched: number | undefined,
): { cpu: number; memory: number | undefined } {
  const last = notes.trim().split("\n").at(-1) ?? "";
  if (meter === "time") {
    const [user = 0, system = 0, kilobytes = 0] = last.split(" ").map(Number);
    return { cpu: user + system, memory: kilobytes * 1_024 };
  }
  const seconds = [...last.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => Number(m) * 60 + Number(s));
  return { cpu: seconds.reduce((a, b) => a + b, 0), memory: watched };
}

/** The reason for a command's failure in a few words: its own words, if it printed any. */
export function reasonOf(status: number | null, said: string): string {
  if (/heap out of memory|ENOMEM|cannot allocate memory/i.test(said)) return "out of memory";
  if (status === 137) return "killed by the system (SIGKILL), most likely out of memory";
  const lines = said.split("\n").map((line) => line.trim());
  const words =
    lines.findLast((line) => /error|fail|cannot/i.test(line)) ?? lines.findLast((line) => line !== "");
  return `exit status ${status}${words === undefined ? "" : `: ${words.slice(0, 160)}`}`;
}
