import { constants, fstatSync, lstatSync, type Stats } from "node:fs";

/** By what a file is known to be the same as before. Times are in milliseconds, with fractions. */
export interface FileStat {
  size: number;
  mtime: number;
  ctime: number;
  inode: number;
}

/** What lies at a path, or behind a handle. */
export interface Status {
  type: "file" | "folder" | "other";
  stat: FileStat;
}

/** The calls that ask the system. */
export interface StatCalls {
  /** Links not followed; undefined where nothing lies there. */
  lstat(path: string): Status | undefined;
  fstat(handle: number): Status;
}

export const documented: StatCalls = {
  lstat(path) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats && statusIn(stats);
  },
  fstat: (handle) => statusIn(fstatSync(handle)),
};

const statusIn = ({ mode, size, mtimeMs, ctimeMs, ino }: Stats): Status =>
  statusOf(mode, size, mtimeMs, ctimeMs, ino);

function statusOf(mode: number, size: number, mtime: number, ctime: number, inode: number): Status {
  const format = mode & constants.S_IFMT;
  const type = format === constants.S_IFREG ? "file" : format === constants.S_IFDIR ? "folder" : "other";
  return { type, stat: { size, mtime, ctime, inode } };
}

/** What lies below Node's own calls, and answers with numbers. */
interface Binding {
  lstat(path: string, bigint: false, request: undefined, throwIfNoEntry: false): Numbers | undefined;
  fstat(handle: number, bigint: false, request: undefined, shouldNotThrow: false): Numbers;
}

/** Filled again by the next call. */
type Numbers = Float64Array;

/**
 * A build asks for hundreds of thousands of stats, and Node 20 gives each four Dates, which take longer than the
 * system's answer; later versions make them when they are asked for. Node 20 has had its last release, so what lies
 * below its calls stays as it is.
 *
 * @returns undefined on other versions, and where it may not be used.
 */
export function bare(): StatCalls | undefined {
  if (!process.versions.node.startsWith("20.")) return undefined;
  let binding: Binding;
  try {
    binding = (process as unknown as { binding(name: "fs"): Binding }).binding("fs");
  } catch {
    return undefined;
  }
  return {
    lstat(path) {
      const numbers = binding.lstat(path, false, undefined, false);
      return numbers && statusAmong(numbers);
    },
    fstat: (handle) => statusAmong(binding.fstat(handle, false, undefined, false)),
  };
}

const statusAmong = (n: Numbers): Status =>
  statusOf(n[1] ?? 0, n[8] ?? 0, milliseconds(n[12], n[13]), milliseconds(n[14], n[15]), n[7] ?? 0);

const milliseconds = (seconds = 0, nanoseconds = 0): number => seconds * 1e3 + nanoseconds / 1e6;

const calls = bare() ?? documented;

export const statusBehind = (handle: number): Status => calls.fstat(handle);

/** What lies at a path, links not followed; undefined where nothing does, also where a part of the path is a file. */
export function statusIfThere(path: string): Status | undefined {
  try {
    return calls.lstat(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw cause;
  }
}

export const statIfThere = (path: string): FileStat | undefined => statusIfThere(path)?.stat;

/** @throws the system's error where nothing lies at the path. */
export const statAt = (path: string): FileStat => statusIn(lstatSync(path)).stat;

export const isFolder = (path: string): boolean => statusIfThere(path)?.type === "folder";

/** The coarsest tick of a clock that stamps files with fractions of a second, with room; and of those without. */
const FINE_TICK = 25;
const COARSE_TICK = 2000;

/** The time is of a clock that stamps files with whole seconds. */
const isCoarse = (time: number): boolean => time % 1000 === 0;

/** Whether something may have changed after a moment, both by one file system's clock. */
export const isAfter = (time: number, moment: number): boolean =>
  time > moment || (time === moment && isCoarse(time));

/**
 * A stat that is worth remembering: a file that changed within the last tick of the file system's clock could change
 * again without a trace, so its times are given as NaN, which is never the same as anything.
 */
export function settled(stat: FileStat, now = Date.now()): FileStat {
  const tick = isCoarse(stat.ctime) ? COARSE_TICK : FINE_TICK;
  return Math.max(stat.ctime, stat.mtime) > now - tick ? { ...stat, ctime: Number.NaN } : stat;
}

export const sameStat = (a: FileStat, b: FileStat): boolean =>
  a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.inode === b.inode;
