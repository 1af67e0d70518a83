import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { arch, cpus, loadavg, release, tmpdir, totalmem, type } from "node:os";
import { join } from "node:path";
import { Failure } from "../../build/base/failure.ts";

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
  /** Peak memory of the largest process, in bytes. */
  memory: number;
}

export interface FailedRun {
  failure: string;
}

export const hasFailed = (outcome: Measurement | FailedRun): outcome is FailedRun => "failure" in outcome;

/** Node does not report the processor time and the memory of a process's children. */
const GNU_TIME = "/usr/bin/time";

/** @throws Failure if GNU time is not installed. */
export function assertGnuTime(): void {
  const { status, stderr } = spawnSync(GNU_TIME, ["-f", "%M", "true"], { encoding: "utf8" });
  if (status !== 0 || !/^\d+\s*$/.test(stderr))
    throw new Failure(`${GNU_TIME} is not GNU time. Install it first (Debian: apt-get install time).`);
}

/** Maximum length of the end of a command's output that is kept, in UTF-16 units. */
const MAX_OUTPUT_LENGTH = 20_000;

/** Runs and measures a command. It fails if the command fails or takes longer than `limit` seconds. */
export async function measure(command: Command, limit: number): Promise<Measurement | FailedRun> {
  const folder = mkdtempSync(join(tmpdir(), "measure-"));
  const notes = join(folder, "notes");
  try {
    const started = performance.now();
    // A separate process group, so that a run over its limit ends with all its descendants.
    const args = ["-f", "%U %S %M", "-o", notes, command.file, ...command.args];
    const child = spawn(GNU_TIME, args, {
      cwd: command.folder,
      env: { ...process.env, ...command.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const stop = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    };
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      stop();
    }, limit * 1_000);
    process.once("exit", stop);

    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        printed = (printed + chunk.toString()).slice(-MAX_OUTPUT_LENGTH);
      });

    let ended = started;
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", () => (ended = performance.now()));
      child.once("close", resolve);
    }).finally(() => {
      clearTimeout(timer);
      process.off("exit", stop);
    });
    if (isLate) return { failure: `not finished within ${limit} s` };
    if (status !== 0) return { failure: reasonOf(status, printed) };
    const [user = 0, system = 0, kilobytes = 0] = readFileSync(notes, "utf8").split(" ").map(Number);
    return { wall: (ended - started) / 1_000, cpu: user + system, memory: kilobytes * 1_024 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The reason for a command's failure in a few words: its own words, if it printed any. */
export function reasonOf(status: number | null, printed: string): string {
  if (/heap out of memory|ENOMEM|cannot allocate memory/i.test(printed)) return "out of memory";
  if (status === 137) return "killed by the system (SIGKILL), most likely out of memory";
  const lines = printed.split("\n").map((line) => line.trim());
  const reason =
    lines.findLast((line) => /error|fail|cannot/i.test(line)) ?? lines.findLast((line) => line !== "");
  return `exit status ${status}${reason === undefined ? "" : `: ${reason.slice(0, 160)}`}`;
}

/** The machine, for readers who compare figures of several machines. */
export function describeMachine() {
  const cores = cpus();
  return {
    processor: cores[0]?.model.trim() ?? "unknown processor",
    cores: cores.length,
    /** Bytes. */
    memory: totalmem(),
    system: `${type()} ${release()} ${arch()}`,
    node: process.version,
    npm: spawnSync("npm", ["--version"], { encoding: "utf8" }).stdout.trim(),
    /** The average number of processes that wanted a core in the last minute. */
    load: loadavg()[0] ?? 0,
  };
}

export type Machine = ReturnType<typeof describeMachine>;

/** The name of a file system, such as `tmpfs`. */
export const fileSystemOf = (folder: string): string =>
  spawnSync("stat", ["--file-system", "--format=%T", folder], { encoding: "utf8" }).stdout.trim();
