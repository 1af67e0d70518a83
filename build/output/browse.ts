import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure, Obstructed } from "../base/failure.ts";
import { statIfThere } from "../base/stat.ts";
import { KINDS } from "../browse/data-files.ts";
import { FOLDER, HOME, INDEX, isOwnIndex, isOwnName } from "../browse/files.ts";
import { readText } from "../base/file.ts";
import { removeEmpty } from "../base/paths.ts";
import type { Layout } from "./layout.ts";

/** The browse UI in an output. */

/** Maximum bytes of the page that are read: the mark of the build is at its beginning. */
const MAX_READ_BYTES = 2000;

/** Whether a build wrote the page at the root of the output. */
export const hasBrowseUi = ({ root }: Layout): boolean =>
  isOwnIndex(readText(join(root, INDEX), MAX_READ_BYTES) ?? "");

/** The obstacle to the browse UI: a third-party page, or a file in the place of a folder. */
export function obstacleToBrowseUi(layout: Layout): Failure | undefined {
  const index = join(layout.root, INDEX);
  if (statIfThere(index) !== undefined && !hasBrowseUi(layout))
    return new Failure(
      `${index}: the build did not write this page, and would replace it. The page is left as it is: move it away, or build with --no-browse.`,
    );
  const folder = [FOLDER, ...KINDS.map((kind) => `${FOLDER}/${kind}`)]
    .map((path) => join(layout.root, path))
    .find((path) => (statIfThere(path)?.type ?? "folder") !== "folder");
  return folder === undefined ? undefined : new Obstructed(folder, "a folder");
}

/** Removes the page and its data files; only files that a build wrote. */
export function removeBrowseUi(layout: Layout): void {
  if (!hasBrowseUi(layout)) return;
  const { root } = layout;
  removeOtherBrowseFiles(layout, new Set());
  // The page is last: its mark shows that the other files are the build's.
  rmSync(join(root, INDEX));
  removeEmpty(join(root, FOLDER));
}

/** The sorted paths of the published data files. */
export const dataFilesIn = ({ root }: Layout): string[] =>
  KINDS.flatMap((kind) =>
    namesIn(join(root, FOLDER, kind))
      .filter((name) => isOwnName(`${kind}/${name}`))
      .map((name) => `${FOLDER}/${kind}/${name}`),
  )
    .concat(statIfThere(join(root, HOME))?.type === "file" ? HOME : [])
    .sort();

/** Removes the files below `browse/` that a build wrote, except those with these paths. */
export function removeOtherBrowseFiles({ root }: Layout, kept: ReadonlySet<string>): void {
  for (const prefix of ["", ...KINDS.map((kind) => `${kind}/`)]) {
    for (const name of namesIn(join(root, FOLDER, prefix))) {
      const path = `${FOLDER}/${prefix}${name}`;
      if (isOwnName(prefix + name) && !kept.has(path)) rmSync(join(root, path), { recursive: true });
    }
    if (prefix !== "") removeEmpty(join(root, FOLDER, prefix));
  }
}

function namesIn(folder: string): string[] {
  return statIfThere(folder)?.type === "folder" ? readdirSync(folder) : [];
}
