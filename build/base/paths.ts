import { mkdirSync, readdirSync, realpathSync, rmdirSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { isMainThread } from "node:worker_threads";
import { isFolder, statIfThere } from "./stat.ts";

/**
 * The real path of a folder that may not exist yet: links in the part that does exist are followed, and where a file
 * system takes no notice of case, names are spelled as they stand there. Two paths of one folder give the same.
 */
export function realPath(path: string): string {
  const absolute = resolve(path);
  try {
    return spelled(realpathSync(absolute));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT" || dirname(absolute) === absolute) throw cause;
    return join(realPath(dirname(absolute)), absolute.slice(dirname(absolute).length));
  }
}

function spelled(path: string): string {
  const above = dirname(path);
  if (above === path) return path;
  const folder = spelled(above);
  const name = basename(path);
  return join(folder, otherSpelling(folder, name) ?? name);
}

/** How a file that is found by this name is spelled in its folder, where that is another spelling. */
export function otherSpelling(folder: string, name: string): string | undefined {
  const upper = name.toUpperCase();
  // A folder may be large: it is only listed where case may make no difference.
  const found = [name, name === upper ? name.toLowerCase() : upper].map((one) =>
    statIfThere(join(folder, one)),
  );
  if (found.includes(undefined)) return undefined;
  try {
    const names = readdirSync(folder);
    return names.includes(name) ? undefined : names.find((entry) => entry.toUpperCase() === upper);
  } catch {
    // A folder that may be passed through and not be read.
    return undefined;
  }
}

export const isInside = (inner: string, outer: string): boolean =>
  inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);

/**
 * Makes a folder and those above it; gives the topmost that was made. (On a read-only disk `mkdir` with `recursive` says
 * that there is no such folder.)
 */
export function makeFolder(path: string): string | undefined {
  try {
    mkdirSync(path);
    return path;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" && dirname(path) !== path) {
      const made = makeFolder(dirname(path));
      return makeFolder(path) === undefined ? made : (made ?? path);
    }
    if (isFolder(path)) return undefined;
    throw cause;
  }
}

/** Removes a folder, and those above it as far as `top`, as long as nothing lies in them. */
export function removeEmpty(path: string, top = path): void {
  try {
    rmdirSync(path);
  } catch {
    return;
  }
  if (path !== top && isInside(path, top)) removeEmpty(dirname(path), top);
}

let isTaken = false;

/**
 * Calls `use` with a short way to a folder: the working directory is there until it ends. For each file that is asked for
 * the system walks the whole path, so that a long one takes half as long again. All threads have one working directory,
 * so nothing may ask for another relative path meanwhile; a second caller, or one on another thread, gets the folder's
 * own path.
 */
export async function withShortWay<T>(folder: string, use: (way: string) => Promise<T>): Promise<T> {
  if (isTaken || !isMainThread) return use(folder);
  const before = process.cwd();
  process.chdir(folder);
  isTaken = true;
  try {
    return await use(".");
  } finally {
    isTaken = false;
    process.chdir(before);
  }
}
