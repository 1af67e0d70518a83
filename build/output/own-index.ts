import { join } from "node:path";
import { Failure, Obstructed } from "../base/failure.ts";
import { readBytes } from "../base/file.ts";
import { isFolder, statIfThere } from "../base/stat.ts";
import { objectIn } from "../json/object.ts";
import type { Layout } from "./layout.ts";

/** The index of files that an option of `_site.json` adds to the output. It shows that the build wrote these files. */
export interface OwnIndex {
  path: string;
  option: string;
  /** Its folder, then the folders of the other files. */
  folders: readonly [string, ...string[]];
  isOwn: (index: Readonly<Record<string, unknown>>) => boolean;
}

/** Maximum bytes of an index that is read to find out whether the build wrote it. */
const MAX_INDEX_BYTES = 32 * 2 ** 20;

export function hasOwnIndex({ root }: Layout, { path, folders, isOwn }: OwnIndex): boolean {
  if (!isFolder(join(root, folders[0]))) return false;
  const bytes = readBytes(join(root, path), MAX_INDEX_BYTES);
  const index = objectIn(bytes?.toString("utf8") ?? "");
  return index !== undefined && Number.isInteger(index["format"]) && isOwn(index);
}

/** The obstacle to such files: a third-party index, or a file in the place of a folder. */
export function obstacleToIndex(layout: Layout, index: OwnIndex): Failure | undefined {
  const { root } = layout;
  const folder = index.folders
    .map((path) => join(root, path))
    .find((path) => (statIfThere(path)?.type ?? "folder") !== "folder");
  if (folder !== undefined) return new Obstructed(folder, "a folder");
  const file = join(root, index.path);
  return statIfThere(file)?.type === "file" && !hasOwnIndex(layout, index)
    ? new Failure(
        `${file}: the build did not write this file, and would replace it. It is left as it is: move it away, or remove "${index.option}" from _site.json.`,
      )
    : undefined;
}
