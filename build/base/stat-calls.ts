import type { Stats } from "node:fs";

/** What a build uses of the system's answer. */
export type SystemStat = Pick<Stats, "mode" | "ino" | "size" | "mtimeMs" | "ctimeMs">;

/** The calls that ask the system. */
export interface StatCalls {
  /** Links not followed; undefined where nothing lies there. */
  lstat(path: string): SystemStat | undefined;
  fstat(handle: number): SystemStat;
}
