import { constants } from "node:fs";

/** Facts by which an unchanged file is recognized. Times are in milliseconds, with fractions. */
export interface FileStat {
  size: number;
  mtime: number;
  ctime: number;
  inode: number;
}

/** The entry at a path or behind a handle. */
export interface Stat extends FileStat {
  type: "file" | "folder" | "other";
}

export interface StatCalls {
  /** Does not follow links; undefined if there is no entry. */
  lstat(path: string): Stat | undefined;
  fstat(handle: number): Stat;
}

/** `mode` as the system returns it. */
export function statOf(mode: number, size: number, mtime: number, ctime: number, inode: number): Stat {
  const format = mode & constants.S_IFMT;
  const type = format === constants.S_IFREG ? "file" : format === constants.S_IFDIR ? "folder" : "other";
  return { size, mtime, ctime, inode, type };
}
