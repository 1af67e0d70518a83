import { constants, fstatSync, lstatSync, type Stats } from "node:fs";
import { relative } from "node:path";

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

function statIn({ mode, size, mtimeMs, ctimeMs, ino }: Stats): Stat {
  const format = mode & constants.S_IFMT;
  const type = format === constants.S_IFREG ? "file" : format === constants.S_IFDIR ? "folder" : "other";
  return { size, mtime: mtimeMs, ctime: ctimeMs, inode: ino, type };
}

export const statBehind = (handle: number): Stat => statIn(fstatSync(handle));

/** The entry at a path, without following links; undefined if there is none, or if a part of the path is a file. */
export function statIfThere(path: string): Stat | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats && statIn(stats);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw cause;
  }
}

/** @throws the system's error if there is no entry at the path. */
export const statAt = (path: string): Stat => statIn(lstatSync(path));

/** A path from the current folder if it is shorter, because the system looks up every folder of a path each time. */
export function nearer(path: string): string {
  const relativePath = relative("", path) || ".";
  return relativePath.length < path.length ? relativePath : path;
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
