import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import { plural } from "../../build/base/numbers.ts";
import { Failure } from "../../build/base/failure.ts";

export interface Command {
  file: string;
  args: readonly string[];
  folder: string;
}

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
  { file, args, folder }: Command,
  notes: string,
  limit: number,
): Promise<Measurement | string> {
  const started = performance.now();
  const child = spawn(GNU_TIME, ["-f", "%U %S %M", "-o", notes, file, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    // A separate process group, so that a run over its limit ends with all its descendants.
    detached: true,
  });
  const stop = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  const timer = setTimeout(stop, limit * 1000);
  process.once("exit", stop);
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-20_000)));
  let wall = 0;
  child.once("exit", () => (wall = (performance.now() - started) / 1000));
  const [status, signal] = (await once(child, "close")) as [number | null, string | null];
  clearTimeout(timer);
  process.off("exit", stop);
  if (signal !== null) return `not finished within ${limit} s`;
  if (status !== 0) return reasonOf(status, printed);
  const [user = 0, system = 0, kilobytes = 0] = readFileSync(notes, "utf8").split(" ").map(Number);
  return { wall, cpu: user + system, memory: kilobytes * 1024 };
}

/** The reason for a command's failure in a few words: its own words, if it printed any. */
function reasonOf(status: number | null, printed: string): string {
  if (status === 137 || /heap out of memory|ENOMEM|cannot allocate memory/i.test(printed))
    return "out of memory";
  const lines = printed.trim().split("\n");
  const reason = lines.findLast((line) => /error|fail|cannot/i.test(line)) ?? lines.at(-1) ?? "";
  return `exit status ${status}: ${reason.trim().slice(0, 160)}`;
}

/** The machine, for readers who compare figures of several machines; the load is that before the measurements. */
export const describeMachine = (): string =>
  `${plural(cpus().length, "core")} (${cpus()[0]?.model.trim()}), ${memory(totalmem())} of memory, ${type()} ${release()}, ` +
  `Node ${process.version}; load at the start ${loadavg()[0]?.toFixed(1)}; ` +
  "measured with GNU time (CPU and peak memory as the kernel counts them).";

export const memory = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${(bytes / 2 ** 20).toFixed(0)} MiB`;

/** The name of a file system, such as `tmpfs`. */
export const fileSystemOf = (folder: string): string =>
  spawnSync("stat", ["--file-system", "--format=%T", folder], { encoding: "utf8" }).stdout.trim();
