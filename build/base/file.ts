import {
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { statBehind, type FileStat, type Stat } from "./stat.ts";

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

export const readText = (path: string, limit: number): string | undefined =>
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
