import {
  constants,
  fstatSync,
  lstatSync,
  type Stats,
  closeSync,
  copyFileSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";

/** Facts by which an unchanged file is recognized. Times are in milliseconds, with fractions. */
export interface FileStat {
  size: number;
  mtime: number;
  ctime: number;
  inode: number;
}

export interface Stat extends FileStat {
  type: "file" | "folder" | "other";
}

function statOf(mode: number, size: number, mtime: number, ctime: number, inode: number): Stat {
  const format = mode & constants.S_IFMT;
  const type = format === constants.S_IFREG ? "file" : format === constants.S_IFDIR ? "folder" : "other";
  return { size, mtime, ctime, inode, type };
}

const statIn = ({ mode, size, mtimeMs, ctimeMs, ino }: Stats): Stat =>
  statOf(mode, size, mtimeMs, ctimeMs, ino);

/** Node's binding below `lstatSync` and `fstatSync`; the next call overwrites its numbers. */
interface Binding {
  lstat(path: string, bigint: false, request: undefined, throwIfNoEntry: false): Numbers | undefined;
  fstat(handle: number, bigint: false, request: undefined, shouldNotThrow: false): Numbers;
}
type Numbers = Float64Array;

/**
 * Only for Node 20, which makes four dates for each stat, and takes as long for that as the system for its call. It has
 * had its last release, so its binding no longer changes.
 */
function bindingOfNode20(): Binding | undefined {
  if (!process.versions.node.startsWith("20.")) return undefined;
  try {
    return (process as unknown as { binding(name: "fs"): Binding }).binding("fs");
  } catch {
    return undefined;
  }
}

const binding = bindingOfNode20();

function lstat(path: string): Stat | undefined {
  if (binding === undefined) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats && statIn(stats);
  }
  const numbers = binding.lstat(path, false, undefined, false);
  return numbers && statFrom(numbers);
}

const statBehind = (handle: number): Stat =>
  binding === undefined
    ? statIn(fstatSync(handle))
    : statFrom(binding.fstat(handle, false, undefined, false));

const statFrom = (n: Numbers): Stat =>
  statOf(n[1] ?? 0, n[8] ?? 0, milliseconds(n[12], n[13]), milliseconds(n[14], n[15]), n[7] ?? 0);

const milliseconds = (seconds = 0, nanoseconds = 0): number => seconds * 1e3 + nanoseconds / 1e6;

/** The entry at a path, without following links; undefined if there is none, or if a part of the path is a file. */
export function statIfThere(path: string): Stat | undefined {
  try {
    return lstat(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw cause;
  }
}

/** @throws the system's error if there is no entry at the path. */
export const statAt = (path: string): Stat => statIn(lstatSync(path));

/**
 * Calls `use` with a short path to a folder, because the system looks up every folder of a path each time. The folder is
 * the working directory meanwhile, which all threads share: `use` is synchronous, waits for other threads that it gives
 * the path to, and has no other relative path.
 */
export function withShortPath<T>(folder: string, use: (path: string) => T): T {
  let before: string;
  try {
    before = process.cwd();
    process.chdir(folder);
  } catch {
    // There is no such folder, or no working directory, or the caller is not on the main thread.
    return use(folder);
  }
  try {
    return use(".");
  } finally {
    process.chdir(before);
  }
}

export const isFolder = (path: string): boolean => statIfThere(path)?.type === "folder";

/** The longest tick, in milliseconds, of file systems that store fractions of a second, with a margin. */
const FINE_TICK_MS = 25;
/** The longest tick, in milliseconds, of file systems that store whole seconds. */
const COARSE_TICK_MS = 2000;

/** Whether a time may come from a file system that stores whole seconds. */
export const isCoarse = (time: number): boolean => time % 1000 === 0;

/** Whether a change may be later than a moment, both by the clock of the same file system. */
export const isAfter = (time: number, moment: number): boolean =>
  time > moment || (time === moment && isCoarse(time));

/** Some file systems that store whole seconds do not update a folder's time on a rename. */
export const hasReliableFolderTime = (ctime: number): boolean => !isCoarse(ctime);

/**
 * The stat of a file when it was read. It is racy (git's term) if the file is so new that it could change again within
 * the same tick and keep its times, or if it is a folder whose time does not show every change. A racy stat never
 * counts as unchanged.
 */
export interface RecordedStat extends FileStat {
  racy: boolean;
}

export function recordStat({ size, mtime, ctime, inode, type }: Stat, now = Date.now()): RecordedStat {
  const tick = isCoarse(ctime) ? COARSE_TICK_MS : FINE_TICK_MS;
  const tellsAll = type !== "folder" || hasReliableFolderTime(ctime);
  return { size, mtime, ctime, inode, racy: !tellsAll || Math.max(ctime, mtime) > now - tick };
}

export const isUnchanged = (now: FileStat, before: RecordedStat): boolean =>
  !before.racy && sameStat(now, before);

export const sameStat = (a: FileStat, b: FileStat): boolean =>
  a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.inode === b.inode;

export function hasStat(path: string, before: FileStat): boolean {
  const now = statIfThere(path);
  return now !== undefined && sameStat(now, before);
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Calls `use` with a regular file, which is open: links are not followed, and opening a FIFO does not wait.
 *
 * @param otherwise called with the system's error if there is no such file, or without one if it is no regular file.
 */
export function withFile<T>(
  path: string,
  use: (file: number, stat: Stat) => T,
  otherwise: (cause?: unknown) => T,
): T {
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (cause) {
    return otherwise(cause);
  }
  try {
    const stat = statBehind(file);
    return stat.type === "file" ? use(file, stat) : otherwise();
  } finally {
    closeSync(file);
  }
}

const nothing = (): undefined => undefined;

/** Reads from a position until the buffer is full or the file ends, and returns the number of bytes read. */
export function readInto(file: number, buffer: Uint8Array, from = 0): number {
  let at = 0;
  while (at < buffer.length) {
    const read = readSync(file, buffer, at, buffer.length - at, from + at);
    if (read === 0) break;
    at += read;
  }
  return at;
}

/** The content of a regular file, up to `limit` bytes. */
export const readBytes = (path: string, limit = Number.POSITIVE_INFINITY): Buffer | undefined =>
  withFile<Buffer | undefined>(
    path,
    (file, { size }) => {
      const bytes = Buffer.alloc(Math.min(size, limit));
      return bytes.subarray(0, readInto(file, bytes));
    },
    nothing,
  );

export const readText = (path: string, limit?: number): string | undefined =>
  readBytes(path, limit)?.toString("utf8");

/** The stat of a regular file, if it has exactly these bytes. */
export const statIfSame = (path: string, bytes: Uint8Array): FileStat | undefined =>
  withFile<FileStat | undefined>(
    path,
    (file, stat) => {
      if (stat.size !== bytes.length) return undefined;
      const found = Buffer.allocUnsafe(bytes.length);
      return readInto(file, found) === bytes.length && found.equals(bytes) ? stat : undefined;
    },
    nothing,
  );

/** Writes bytes, one part after the other, to a new file. @throws EEXIST if the file exists. */
export function writeNew(path: string, ...parts: Uint8Array[]): FileStat {
  const file = openSync(path, "wx");
  try {
    for (const bytes of parts)
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at);
    return statBehind(file);
  } finally {
    closeSync(file);
  }
}

/** Gives a file a second name, or copies it: some file systems have no links, or limit their number. */
export function linkOrCopy(path: string, to: string): void {
  try {
    linkSync(path, to);
  } catch {
    copyFileSync(path, to);
  }
}

/** Gives a staged file its path, atomically. @throws EEXIST if there is a file already. */
export function placeNew(staged: string, path: string): void {
  try {
    linkSync(staged, path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") throw cause;
    // Some file systems have no links, such as exFAT: there, an empty file reserves the path.
    closeSync(openSync(path, "wx"));
    try {
      renameSync(staged, path);
    } catch (refused) {
      rmSync(path);
      throw refused;
    }
  }
}
