import { constants, fstatSync, lstatSync } from "node:fs";
import { bareCalls } from "./node20/stat.ts";
import type { StatCalls, SystemStat } from "./stat-calls.ts";

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

const calls: StatCalls = bareCalls() ?? {
  lstat: (path) => lstatSync(path, { throwIfNoEntry: false }),
  fstat: (handle) => fstatSync(handle),
};

function statusOf({ mode, ino, size, mtimeMs, ctimeMs }: SystemStat): Status {
  const format = mode & constants.S_IFMT;
  const type = format === constants.S_IFREG ? "file" : format === constants.S_IFDIR ? "folder" : "other";
  return { type, stat: { size, mtime: mtimeMs, ctime: ctimeMs, inode: ino } };
}

export const statusBehind = (handle: number): Status => statusOf(calls.fstat(handle));

/** What lies at a path, links not followed; undefined where nothing does, also where a part of the path is a file. */
export function statusIfThere(path: string): Status | undefined {
  try {
    const stats = calls.lstat(path);
    return stats && statusOf(stats);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw cause;
  }
}

export const statIfThere = (path: string): FileStat | undefined => statusIfThere(path)?.stat;

/** @throws the system's error where nothing lies at the path. */
export const statAt = (path: string): FileStat => statusOf(lstatSync(path)).stat;

export const isFolder = (path: string): boolean => statusIfThere(path)?.type === "folder";

/** The coarsest tick of a clock that stamps files with fractions of a second, with room; and of those without. */
const FINE_TICK = 25;
const COARSE_TICK = 2000;

/** The time is of a clock that stamps files with whole seconds. */
export const isCoarse = (time: number): boolean => time % 1000 === 0;

/** Whether something may have changed after a moment, both by one file system's clock. */
export const isAfter = (time: number, moment: number): boolean =>
  time > moment || (time === moment && isCoarse(time));

/**
 * A stat as it was when a file was read. A racy one (git's word) is so young that the file could change again within the
 * same tick of the file system's clock and keep its times: it is never the same as a later one.
 */
export interface SeenStat extends FileStat {
  racy: boolean;
}

export function seen(stat: FileStat, now = Date.now()): SeenStat {
  const tick = isCoarse(stat.ctime) ? COARSE_TICK : FINE_TICK;
  return { ...stat, racy: Math.max(stat.ctime, stat.mtime) > now - tick };
}

export const isUnchanged = (now: FileStat, before: SeenStat): boolean =>
  !before.racy && sameStat(now, before);

export const sameStat = (a: FileStat, b: FileStat): boolean =>
  a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.inode === b.inode;
