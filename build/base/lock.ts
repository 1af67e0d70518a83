import { randomUUID } from "node:crypto";
import {
  constants,
  copyFileSync,
  linkSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { Failure, Obstructed } from "./failure.ts";
import { statIfThere } from "./stat.ts";
import { readText } from "./file.ts";
import { makeFolder, removeEmpty } from "./paths.ts";

/** What is known of the process that took a lock. */
type State = "running" | "gone" | "unknown";

/** Another build of the same output is running, or may be. */
export class Locked extends Failure {
  constructor(path: string, { pid, host, since }: Holder, state: State) {
    super(
      state === "running"
        ? `Another build of this output is running (process ${pid}, since ${since}). Wait until it has ended, then build again.`
        : `Another build of this output was started on ${host} (process ${pid}, ${since}), so this machine cannot see whether it is still running. If it is not, remove ${path}, then build again.`,
    );
  }
}

/** Who holds a lock, and what tells whether that process still runs. */
export interface Holder {
  /** Of this very lock. */
  id: string;
  host: string;
  /** Differ between machines of one name, between two starts of one machine, and between its containers. */
  machine: string;
  boot: string;
  processes: string;
  pid: number;
  /** When the process started, in the kernel's ticks: a process id is used again, this pair is not. */
  started: string;
  since: string;
}

/** How long a lock that says nothing is given to be written, where it cannot appear whole; and who replaces one. */
const TIMEOUT_MS = 2000;
const PAUSE_MS = 10;
/** More than any lock is long. */
const LIMIT = 4096;

const NAME = /^[\w.-]{1,255}$/;
const STAGING = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const thisProcess = (): Holder => ({
  id: randomUUID(),
  host:
    hostname()
      .replaceAll(/[^\w.-]/g, "-")
      .slice(0, 255) || "-",
  machine: systemText("/etc/machine-id"),
  boot: systemText("/proc/sys/kernel/random/boot_id"),
  processes: linkText("/proc/self/ns/pid"),
  pid: process.pid,
  started: startOf(process.pid) ?? "",
  since: new Date().toISOString(),
});

/**
 * Takes the lock at a path, in a folder that is made where there is none; gives what releases it, which also removes
 * the folders that were made and hold nothing. A lock whose process is gone is taken over.
 *
 * @throws Locked where a running process holds it, or one of which that cannot be known.
 * @throws Obstructed where a folder lies there.
 */
export function takeLock(path: string): () => void {
  const mine = thisProcess();
  let made: string | undefined;
  const prepare = (): void => {
    made = makeFolder(dirname(path)) ?? made;
  };
  const tidy = (): void => removeEmpty(dirname(path), made);
  try {
    const other = acquire(path, mine, prepare);
    if (other !== undefined) throw new Locked(path, other, stateOf(other, mine));
  } catch (cause) {
    tidy();
    throw cause;
  }
  const unlock = (): void => {
    release(path, mine);
    tidy();
  };
  try {
    clearLeftovers(path, mine);
  } catch (cause) {
    unlock();
    throw cause;
  }
  return unlock;
}

/** Takes the lock, or gives who holds it. */
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
    // One without sense may still be in writing.
    if (found.isFile && found.holder === undefined && performance.now() - seenAt < TIMEOUT_MS) pause();
    else replace(path, mine, prepare, found);
  }
}

/** Releases a lock, but not that of somebody who was told that this one is left over. */
function release(path: string, mine: Holder): void {
  if (look(path)?.holder?.id === mine.id) rmSync(path, { force: true });
}

/** Puts a lock where there is none. A link appears whole or not at all; not all file systems have links. */
const put = (path: string, mine: Holder): void =>
  withStaged(path, mine, (staged) => {
    try {
      linkSync(staged, path);
    } catch (cause) {
      if (isRace(cause)) return;
      copyFileSync(staged, path, constants.COPYFILE_EXCL);
    }
  });

/**
 * Replaces a lock that nobody holds any more. Who does that holds a lock for it: of two who find the same, the later
 * would else replace the lock of the first. Should that one be left over too, it is replaced in the same way.
 */
function replace(path: string, mine: Holder, prepare: () => void, dead: FoundLock): void {
  const guard = `${path}.takeover`;
  const start = performance.now();
  for (;;) {
    const other = acquire(guard, mine, prepare);
    if (other === undefined) break;
    if (performance.now() - start > TIMEOUT_MS) throw new Locked(guard, other, "unknown");
    pause();
  }
  try {
    const now = look(path);
    if (now !== undefined && isSame(now, dead)) withStaged(path, mine, (staged) => renameSync(staged, path));
  } finally {
    release(guard, mine);
  }
}

/** Writes a lock beside the place where it belongs. Where somebody else was first, or tidies up, another look tells. */
function withStaged(path: string, mine: Holder, use: (staged: string) => void): void {
  const staged = `${path}.${randomUUID()}`;
  try {
    writeFileSync(staged, JSON.stringify(mine), { flag: "wx" });
    use(staged);
  } catch (cause) {
    if (!isRace(cause)) throw cause;
  } finally {
    rmSync(staged, { force: true });
  }
}

const isRace = (cause: unknown): boolean =>
  ["EEXIST", "ENOENT"].includes((cause as NodeJS.ErrnoException).code ?? "");

/** What killed processes left while they took the lock. Who is about to take it tries again. */
function clearLeftovers(path: string, mine: Holder): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    const other = join(folder, name);
    if (name === basename(path) || !isOfLock(path, name)) continue;
    if (STAGING.test(name)) rmSync(other, { force: true });
    else if (acquire(other, mine, () => undefined) === undefined) release(other, mine);
  }
}

/** Whether a file in a lock's folder is the lock, or on its way to become it. */
export const isOfLock = (path: string, name: string): boolean =>
  name.replace(STAGING, "").replace(/(?:\.takeover)+$/, "") === basename(path);

const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);

/** What lies in the place of a lock. */
interface FoundLock {
  isFile: boolean;
  /** Differs once something else lies there. */
  identity: string;
  /** Absent where it makes no sense. */
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
    holder: isFile ? parse(readText(path, LIMIT)) : undefined,
  };
}

function parse(text: string | undefined): Holder | undefined {
  let holder: unknown;
  try {
    holder = JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
  if (typeof holder !== "object" || holder === null) return undefined;
  const { id, host, machine, boot, processes, pid, started, since } = holder as Partial<
    Record<string, unknown>
  >;
  const texts = [id, host, machine, boot, processes, started, since];
  if (!texts.every((one) => typeof one === "string") || !Number.isSafeInteger(pid)) return undefined;
  // What is shown to people.
  if (!NAME.test(host as string) || !/^[\d:.TZ-]{1,30}$/.test(since as string)) return undefined;
  return holder as Holder;
}

/** Only the kernel that runs a process knows whether it still does, and each container counts its own. */
function stateOf(holder: Holder, here: Holder): State {
  const differs = (key: "boot" | "processes"): boolean =>
    holder[key] !== "" && here[key] !== "" && holder[key] !== here[key];
  if (holder.host !== here.host || holder.machine !== here.machine) return "unknown";
  if (differs("boot")) return "gone";
  if (differs("processes")) return "unknown";
  return stateHere(holder);
}

function stateHere({ pid, started }: Holder): State {
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

/** The start time of a process, where the system tells it (Linux). */
function startOf(pid: number): string | undefined {
  const stat = systemText(`/proc/${pid}/stat`);
  if (stat === "") return undefined;
  // The second field is the command in parentheses and may hold anything; the start time is the 22nd.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A process that has ended but was not waited for holds nothing.
  return fields[0] === "Z" || fields[0] === "X" ? "ended" : fields[19];
}

/** Empty where the system does not tell. */
function systemText(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}

function linkText(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
