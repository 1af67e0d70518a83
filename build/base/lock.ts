import { randomUUID } from "node:crypto";
import { closeSync, openSync, readFileSync, readlinkSync, rmSync, writeFileSync, readdirSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { Failure, Obstructed } from "./failure.ts";
import { statIfThere, readText } from "./file.ts";
import { makeFolder, removeEmpty } from "./paths.ts";

type State = "running" | "gone" | "unknown";

/** Another build of the same output is running, or may be running. */
export class Locked extends Failure {
  constructor(path: string, { pid, host, since }: Holder, state: State) {
    super(
      state === "running"
        ? `Another build of this output is running (process ${pid}, since ${since}). Wait until it has ended, then build again.`
        : `Another build of this output was started on ${host} (process ${pid}, ${since}), so this machine cannot see whether it is still running. If it is not, remove ${path}, then build again.`,
    );
  }
}

/** The process that holds a lock, with facts that show whether it is still running. */
export interface Holder {
  id: string;
  host: string;
  /** Differs between machines with the same hostname, and between the containers of a machine. */
  machine: string;
  pid: number;
  /** In clock ticks of the kernel. A process id is reused, but not with the same start time. */
  started: string;
  since: string;
}

/** Maximum wait, in milliseconds, for a lock file to be written or removed by another process. */
const TIMEOUT_MS = 2000;
/** Pause between two attempts, in milliseconds. */
const PAUSE_MS = 10;
/** Maximum number of bytes read from a lock file; no lock is longer. */
const MAX_LOCK_BYTES = 4096;

const NAME = /^[\w.-]{1,255}$/;

export const thisProcess = (): Holder => ({
  id: randomUUID(),
  host:
    hostname()
      .replaceAll(/[^\w.-]/g, "-")
      .slice(0, 255) || "-",
  machine: systemText("/etc/machine-id") + known(() => readlinkSync("/proc/self/ns/pid")),
  pid: process.pid,
  started: startOf(process.pid) ?? "",
  since: new Date().toISOString(),
});

/**
 * Takes the lock at a path, and creates its folder if needed. Returns a function that releases the lock and removes the
 * created folders that are empty. The lock of a process that has ended is taken over.
 *
 * @throws Locked if a running process holds the lock, or a process whose state is unknown.
 * @throws Obstructed if a folder is at the path.
 */
export function takeLock(path: string): () => void {
  const mine = thisProcess();
  let made: string | undefined;
  const prepare = (): void => {
    made = makeFolder(dirname(path)) ?? made;
  };
  const unlock = (): void => {
    try {
      release(path, mine);
    } finally {
      removeEmpty(dirname(path), made);
    }
  };
  try {
    const other = acquire(path, mine, prepare);
    if (other !== undefined) throw new Locked(path, other, stateOf(other, mine));
    clearLeftovers(path, mine);
  } catch (cause) {
    unlock();
    throw cause;
  }
  return unlock;
}

function acquire(path: string, mine: Holder, prepare: () => void): Holder | undefined {
  let seen: FoundLock | undefined;
  let seenAt = 0;
  for (;;) {
    const found = look(path);
    if (found === undefined) {
      prepare();
      put(path, mine);
      continue;
    }
    if (found.holder?.id === mine.id) return undefined;
    if (found.holder !== undefined && stateOf(found.holder, mine) !== "gone") return found.holder;
    if (seen === undefined || !isSame(seen, found)) [seen, seenAt] = [found, performance.now()];
    // A lock file without a valid holder may not be completely written yet.
    if (found.isFile && found.holder === undefined && performance.now() - seenAt < TIMEOUT_MS) pause();
    else remove(path, mine, prepare, found);
  }
}

/** Releases the lock, unless another process has taken it, for example after a user removed the lock as left over. */
function release(path: string, mine: Holder): void {
  if (look(path)?.holder?.id === mine.id) rmSync(path, { force: true });
}

/** If another process is faster, the caller looks again. */
function put(path: string, mine: Holder): void {
  let file: number;
  try {
    file = openSync(path, "wx");
  } catch (cause) {
    if (["EEXIST", "ENOENT"].includes((cause as NodeJS.ErrnoException).code ?? "")) return;
    throw cause;
  }
  try {
    writeFileSync(file, JSON.stringify(mine));
  } catch (cause) {
    rmSync(path, { force: true });
    throw cause;
  } finally {
    closeSync(file);
  }
}

/**
 * Removes the lock of a process that has ended. A second lock protects this step: otherwise, if two processes find the same
 * old lock, the second could remove the new lock of the first. A left-over second lock is removed in the same way.
 */
function remove(path: string, mine: Holder, prepare: () => void, dead: FoundLock): void {
  const guard = `${path}${GUARD}`;
  const start = performance.now();
  for (;;) {
    const other = acquire(guard, mine, prepare);
    if (other === undefined) break;
    if (performance.now() - start > TIMEOUT_MS) throw new Locked(guard, other, "unknown");
    pause();
  }
  try {
    const now = look(path);
    if (now !== undefined && isSame(now, dead)) rmSync(path, { force: true });
  } finally {
    release(guard, mine);
  }
}

const GUARD = ".takeover";

/** Removes the second locks of killed processes. */
function clearLeftovers(path: string, mine: Holder): void {
  for (let guard = `${path}${GUARD}`; look(guard) !== undefined; guard += GUARD)
    if (acquire(guard, mine, () => undefined) === undefined) release(guard, mine);
}

/** Whether a file in the lock's folder is the lock, or a second one. */
export const isOfLock = (path: string, name: string): boolean =>
  name.startsWith(basename(path)) && name.slice(basename(path).length).replaceAll(GUARD, "") === "";

const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);

interface FoundLock {
  isFile: boolean;
  /** Differs if another file is at the path. */
  identity: string;
  /** Undefined if the content is not valid. */
  holder: Holder | undefined;
}

const isSame = (a: FoundLock, b: FoundLock): boolean =>
  a.identity === b.identity && a.holder?.id === b.holder?.id;

function look(path: string): FoundLock | undefined {
  const stat = statIfThere(path);
  if (stat === undefined) return undefined;
  const { type, inode, size, mtime } = stat;
  if (type === "folder") throw new Obstructed(path, "a file");
  const isFile = type === "file";
  return {
    isFile,
    identity: `${inode} ${size} ${mtime}`,
    holder: isFile ? parse(readText(path, MAX_LOCK_BYTES)) : undefined,
  };
}

function parse(text: string | undefined): Holder | undefined {
  let holder: Partial<Record<string, unknown>> | null;
  try {
    holder = JSON.parse(text ?? "") as typeof holder;
  } catch {
    return undefined;
  }
  const { id, host, machine, pid, started, since } = holder ?? {};
  const texts = [id, host, machine, started, since];
  if (!texts.every((one) => typeof one === "string") || !Number.isSafeInteger(pid)) return undefined;
  // Messages show these two texts.
  if (!NAME.test(host as string) || !/^[\d:.TZ-]{1,30}$/.test(since as string)) return undefined;
  return holder as unknown as Holder;
}

/** Only the kernel that runs a process knows its state, and each container has its own process ids. */
function stateOf({ host, machine, pid, started }: Holder, here: Holder): State {
  if (host !== here.host || machine !== here.machine) return "unknown";
  if (pid <= 0) return "gone";
  try {
    process.kill(pid, 0);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EPERM") return "gone";
  }
  const now = startOf(pid);
  if (now === undefined || started === "") return pid === process.pid ? "running" : "unknown";
  return now === started ? "running" : "gone";
}

/** Undefined if the system has no `/proc`. */
function startOf(pid: number): string | undefined {
  const stat = systemText(`/proc/${pid}/stat`);
  if (stat === "") return undefined;
  // The second field is the command in parentheses, which may contain any character; the start time is the 22nd field.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A process that has ended no longer holds a lock, even if its parent has not waited for it yet.
  return fields[0] === "Z" || fields[0] === "X" ? "ended" : fields[19];
}

/** What the system knows; empty if it has no such file or link. */
function known(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return "";
  }
}

const systemText = (path: string): string => known(() => readFileSync(path, "utf8"));

/**
 * Takes the lock of a dotfolder in which a command stages files, and returns a function that releases it. Both
 * remove staged files that were not moved into place, also those of a killed command.
 *
 * @param isStaged whether an entry of the folder has the name of a staged file.
 * @param busy the error if another command holds the lock.
 */
export function openStaging(
  folder: string,
  isStaged: (name: string) => boolean,
  busy: (lock: string) => Failure,
): () => void {
  // A link could lead elsewhere, and files would be staged and removed there.
  if ((statIfThere(folder)?.type ?? "folder") !== "folder")
    throw new Failure(`${folder} is not a folder. Remove it, then run the command again.`);
  const lock = join(folder, "lock");
  let unlock: () => void;
  try {
    unlock = takeLock(lock);
  } catch (cause) {
    throw cause instanceof Locked ? busy(lock) : cause;
  }
  const clear = (): void => {
    for (const name of readdirSync(folder))
      if (isStaged(name)) rmSync(join(folder, name), { recursive: true, force: true });
  };
  try {
    clear();
  } catch (cause) {
    unlock();
    throw cause;
  }
  return () => {
    try {
      clear();
    } finally {
      unlock();
    }
  };
}
