import { accessSync, constants } from "node:fs";
import { dirname, join } from "node:path";
import { PAGES } from "../../base/api.ts";
import { Obstructed } from "../../base/failure.ts";
import { isFolder, statIfThere } from "../../base/file.ts";

/** The paths in an output folder (“Output” in docs/reference.md). */
export interface Layout {
  /** The output folder's real path. */
  root: string;
  /** `api/v2/pages`: the build removes everything below it that it did not write. */
  pages: string;
  /** The folder for new files until all are written, on the same file system, so that they can be renamed into place. */
  staging: string;
  /** The lock of the running build. It is in the output, so that builds from any checkout see it. */
  lock: string;
}

const STAGING = ".building";

export const layoutOf = (root: string): Layout => ({
  root,
  pages: join(root, PAGES),
  staging: join(root, STAGING),
  lock: join(root, STAGING, "lock"),
});

/** @throws Obstructed if a link or a file is on the way to the pages or to the staging folder. */
export function assertFolders({ root, staging }: Layout): void {
  let path = root;
  const folders = [path, staging, ...PAGES.split("/").map((part) => (path = join(path, part)))];
  for (const folder of folders) {
    const stat = statIfThere(folder);
    if (stat !== undefined && stat.type !== "folder") throw new Obstructed(folder, "a folder");
  }
}

/** The obstacle to a file at a path in the output: a file in the place of a folder, or a folder in the place of the file. */
export function obstacleTo(layout: Layout, path: string): Obstructed | undefined {
  const file = join(layout.root, path);
  // A link to a folder does not count as a folder: the build does not write through links.
  for (let folder = dirname(file); folder !== layout.root; folder = dirname(folder))
    if ((statIfThere(folder)?.type ?? "folder") !== "folder") return new Obstructed(folder, "a folder");
  return isFolder(file) ? new Obstructed(file, "a file") : undefined;
}

/** The nearest existing folder at or above a path. */
export function nearestFolder(path: string): string {
  let folder = path;
  while (!isFolder(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

export const WRITABLE = constants.W_OK | constants.X_OK;

/** @throws the system's error if the nearest existing folder at or above a path is not writable. */
export const assertWritable = (path: string): void => accessSync(nearestFolder(path), WRITABLE);
