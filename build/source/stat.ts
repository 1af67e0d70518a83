import { lstatSync, type Stats } from "node:fs";

/** By what a file is known to be the same as before. Times are in milliseconds, with fractions. */
export interface FileStat {
  size: number;
  mtime: number;
  ctime: number;
  inode: number;
}

export const statOf = (stats: Stats): FileStat => ({
  size: stats.size,
  mtime: stats.mtimeMs,
  ctime: stats.ctimeMs,
  inode: stats.ino,
});

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
export function settledStat(stats: Stats, now = Date.now()): FileStat {
  const stat = statOf(stats);
  const tick = isCoarse(stat.ctime) ? COARSE_TICK : FINE_TICK;
  return Math.max(stat.ctime, stat.mtime) > now - tick ? { ...stat, ctime: Number.NaN } : stat;
}

export const sameStat = (a: FileStat, b: FileStat): boolean =>
  a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.inode === b.inode;

/** What lies at a path, links not followed; undefined where nothing does, also where a part of the path is a file. */
export function lstatIfThere(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw cause;
  }
}
