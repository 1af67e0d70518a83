import {
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Failure } from "../failure.ts";

/** Another build of the same output is running. */
export class Locked extends Failure {
  constructor(pid: number) {
    super(
      `Another build of this output is running (process ${pid}). Wait until it has ended, then build again.`,
    );
  }
}

interface Holder {
  pid: number;
  /** When the process started, in the kernel's ticks: a process id is used again, this pair is not. */
  started: string;
}

/** Milliseconds that a lock is given to be written, where it cannot appear whole. */
const IN_WRITING = 2000;

/**
 * Takes the lock in a folder, and clears away what killed builds left there half written; gives what releases it. A lock whose process is gone is taken over.
 *
 * @throws Locked where a running process holds it.
 */
export function takeLock(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "lock");
  const mine: Holder = { pid: process.pid, started: startOf(process.pid) ?? "" };
  const own = `${path}.${process.pid}`;
  writeFileSync(own, JSON.stringify(mine));
  try {
    for (;;) {
      try {
        put(own, path);
        clearLeftovers(folder);
        return () => rmSync(path, { force: true });
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
      }
      const holder = read(path);
      if (holder !== undefined && isRunning(holder)) throw new Locked(holder.pid);
      if (holder === undefined && isYoung(path)) pause();
      else removeStale(path, own, holder);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** Puts a lock at a place where there is none. A link appears whole or not at all; not all file systems have links. */
function put(own: string, path: string): void {
  try {
    linkSync(own, path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") throw cause;
    copyFileSync(own, path, constants.COPYFILE_EXCL);
  }
}

const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);

function isYoung(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) < IN_WRITING;
}

/** Files that end with the process that was writing them. */
function clearLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(/\.(\d+)(?:\.stale)?$/.exec(name)?.[1] ?? Number.NaN);
    // One that runs may be about to find that the lock is taken.
    if (pid > 0 && !isRunning({ pid, started: "" })) rmSync(join(folder, name), { force: true });
  }
}

/** Of two who find the same stale lock only one may remove it: the other could remove the lock that replaced it. */
function removeStale(path: string, own: string, stale: Holder | undefined): void {
  const aside = `${own}.stale`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = read(aside);
  if (moved !== undefined && moved.pid !== stale?.pid && isRunning(moved)) {
    // Not the stale one: somebody took the lock between the look and the move. Give it back.
    try {
      put(aside, path);
    } catch {
      // A third one holds it by now.
    }
  }
  rmSync(aside, { force: true });
}

function read(path: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(path, "utf8")) as Partial<Holder> | null;
    return typeof holder?.pid === "number" ? { pid: holder.pid, started: holder.started ?? "" } : undefined;
  } catch {
    return undefined;
  }
}

function isRunning({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM";
  }
  const now = startOf(pid);
  return now === undefined || started === "" || now === started;
}

/** The start time of a process, where the system tells it (Linux). */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the command in parentheses and may hold anything; the start time is the 22nd.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A process that has ended but was not waited for holds nothing.
    return fields[0] === "Z" ? "ended" : fields[19];
  } catch {
    return undefined;
  }
}
