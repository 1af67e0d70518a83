import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmdirSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { isFolder, statIfThere } from "./file.ts";

/**
 * The real path of a folder that may not exist yet. Links in the existing part are resolved. On a file system that
 * ignores case, names are spelled as on the disk. All paths of one folder give the same result.
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

/** The spelling on the disk of a file that is found by this name, if it differs. */
export function otherSpelling(folder: string, name: string): string | undefined {
  const upper = name.toUpperCase();
  // The folder may be large, so it is listed only if the file system may ignore case.
  const found = [name, name === upper ? name.toLowerCase() : upper].map((one) =>
    statIfThere(join(folder, one)),
  );
  if (found.includes(undefined)) return undefined;
  try {
    const names = readdirSync(folder);
    return names.includes(name) ? undefined : names.find((entry) => entry.toUpperCase() === upper);
  } catch {
    // The folder may be entered, but not listed.
    return undefined;
  }
}

export const isInside = (inner: string, outer: string): boolean =>
  inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);

/** Returns the topmost created folder. `mkdir` with `recursive` misleads: ENOENT on a read-only disk. */
export const makeFolder = (path: string): string | undefined => makeFolderIn(dirname(path), path, false);

function makeFolderIn(parent: string, path: string, isSecondTry: boolean): string | undefined {
  try {
    mkdirSync(path);
    return path;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // A parent can disappear between the tries; /proc reports ENOENT although it is there.
    if (code === "ENOENT" && parent !== path && !(isSecondTry && isFolder(parent))) {
      const made = makeFolder(parent);
      return makeFolderIn(parent, path, true) === undefined ? made : (made ?? path);
    }
    if (isFolder(path)) return undefined;
    throw cause;
  }
}

/** Removes a folder and its parents up to `top`, as long as they are empty. */
export function removeEmpty(path: string, top = path): void {
  try {
    rmdirSync(path);
  } catch {
    return;
  }
  if (path !== top && isInside(path, top)) removeEmpty(dirname(path), top);
}

const MOUNTS = "/proc/self/mountinfo";

/** The files and folders below a folder that are mounts of their own, also of the same disk; none except on Linux. */
export function mountsBelow(folder: string): string[] {
  if (!existsSync(MOUNTS)) return [];
  const above = realPath(folder);
  return readFileSync(MOUNTS, "latin1")
    .split("\n")
    .map((line) =>
      (line.split(" ")[4] ?? "").replaceAll(/\\(\d{3})/g, (_, octal: string) =>
        String.fromCharCode(Number.parseInt(octal, 8)),
      ),
    )
    .map((path) => Buffer.from(path, "latin1").toString("utf8"))
    .filter((path) => path !== above && isInside(path, above))
    .map((path) => join(folder, path.slice(above.length)));
}
