import { constants } from "node:fs";

/** By what a file is known to be the same as before. Times are in milliseconds, with fractions. */
export interface FileStat {
  size: number;
  mtime: number;
  ctime: number;
  inode: number;
}

/** What lies at a path, or behind a handle. */
export interface Stat extends FileStat {
  type: "file" | "folder" | "other";
}

/** The calls that ask the system. */
export interface StatCalls {
  /** Links not followed; undefined where nothing lies there. */
  lstat(path: string): Stat | undefined;
  fstat(handle: number): Stat;
}

/** `mode` is the system's. */
export function statOf(mode: number, size: number, mtime: number, ctime: number, inode: number): Stat {
  const format = mode & constants.S_IFMT;
  const type = format === constants.S_IFREG ? "file" : format === constants.S_IFDIR ? "folder" : "other";
  return { size, mtime, ctime, inode, type };
}
