import { fstatSync, lstatSync, type Stats } from "node:fs";
import { bareCalls } from "./node20/stat.ts";
import { statOf, type FileStat, type Stat, type StatCalls } from "./stat-calls.ts";

export type { FileStat } from "./stat-calls.ts";

const statIn = ({ mode, size, mtimeMs, ctimeMs, ino }: Stats): Stat =>
  statOf(mode, size, mtimeMs, ctimeMs, ino);

const calls: StatCalls = bareCalls() ?? {
  lstat(path) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats && statIn(stats);
  },
  fstat: (handle) => statIn(fstatSync(handle)),
};

export const statBehind = (handle: number): Stat => calls.fstat(handle);

/** What lies at a path, links not followed; undefined where nothing does, also where a part of the path is a file. */
export function statIfThere(path: string): Stat | undefined {
  try {
    return calls.lstat(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw cause;
  }
}

/** @throws the system's error where nothing lies at the path. */
export const statAt = (path: string): Stat => statIn(lstatSync(path));

export const isFolder = (path: string): boolean => statIfThere(path)?.type === "folder";

/** The coarsest tick, in milliseconds, of a clock that stamps files with fractions of a second, with room. */
const FINE_TICK = 25;
/** The tick, in milliseconds, of a clock without fractions of a second. */
const COARSE_TICK = 2000;

/** The time is of a clock that stamps files with whole seconds. */
export const isCoarse = (time: number): boolean => time % 1000 === 0;

/** Whether something may have changed after a moment, both by one file system's clock. */
export const isAfter = (time: number, moment: number): boolean =>
  time > moment || (time === moment && isCoarse(time));

/**
 * Whether a folder's time tells of all that was done in it. Of file systems that stamp with whole seconds there are some
 * that do not stamp a folder when something in it is renamed.
 */
export const tellsOfRenames = (ctime: number): boolean => !isCoarse(ctime);

/**
 * A stat as it was when a file was read. A racy one (git's word) is so young that the file could change again within the
 * same tick of the file system's clock and keep its times, or of a folder whose times do not tell all: it is never the
 * same as a later one.
 */
export interface SeenStat extends FileStat {
  racy: boolean;
}

export function seen({ size, mtime, ctime, inode, type }: Stat, now = Date.now()): SeenStat {
  const tick = isCoarse(ctime) ? COARSE_TICK : FINE_TICK;
  const tellsAll = type !== "folder" || tellsOfRenames(ctime);
  return { size, mtime, ctime, inode, racy: !tellsAll || Math.max(ctime, mtime) > now - tick };
}

export const isUnchanged = (now: FileStat, before: SeenStat): boolean =>
  !before.racy && sameStat(now, before);

export const sameStat = (a: FileStat, b: FileStat): boolean =>
  a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.inode === b.inode;
