import { lstatSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { BULK_INDEX, BULK_SHARDS } from "../../base/api.ts";
import { Failure, Obstructed } from "../../base/failure.ts";
import { readText, isFolder, statIfThere } from "../../base/file.ts";
import { removeEmpty } from "../../base/paths.ts";
import { CHANGED_FILE, INDEX_FILE, WEBSITE_FOLDER } from "../../base/website.ts";
import { KINDS } from "../../browse/data-files.ts";
import { FOLDER, HOME, INDEX, isOwnIndex, isOwnName } from "../../outputs/browse/files.ts";
import { objectIn, type JsonObject } from "../../source/json/object.ts";
import { assertWritable, type Layout } from "./layout.ts";

/** Files that a build adds to the output if they are wanted, and otherwise removes. */
export interface OwnFiles {
  /** The path of the file that shows that a build wrote the others. */
  index: string;
  isOwn: (index: string) => boolean;
  /** Whether the names of the others show it too. */
  areNamesSure?: true;
  /** The names of the others by their folder, outer folders first. */
  folders: Readonly<Record<string, (name: string) => boolean>>;
  /** The message about a third-party file in the place of the index. */
  refusal: string;
}

/** Files that an option of `_site.json` adds. */
const ofOption = (
  option: string,
  isOwn: (index: JsonObject) => boolean,
): Pick<OwnFiles, "isOwn" | "refusal"> => ({
  isOwn: (text) => {
    const index = objectIn(text);
    return index !== undefined && Number.isInteger(index["format"]) && isOwn(index);
  },
  refusal: `the build did not write this file, and would replace it. It is left as it is: move it away, or remove "${option}" from _site.json.`,
});

export const BROWSE: OwnFiles = {
  index: INDEX,
  isOwn: isOwnIndex,
  folders: {
    [FOLDER]: isOwnName,
    ...Object.fromEntries(
      KINDS.map((kind) => [`${FOLDER}/${kind}`, (name: string) => isOwnName(`${kind}/${name}`)]),
    ),
  },
  refusal:
    "the build did not write this page, and would replace it. The page is left as it is: move it away, or build with --no-browse.",
};

export const BULK: OwnFiles = {
  index: BULK_INDEX,
  areNamesSure: true,
  folders: {
    [dirname(BULK_SHARDS)]: () => false,
    [BULK_SHARDS]: (name) => /^[\da-f]{64}\.zip$/.test(name),
  },
  ...ofOption("bulk", ({ shards }) => Array.isArray(shards)),
};

export const WEBSITE: OwnFiles = {
  index: INDEX_FILE,
  folders: {
    [WEBSITE_FOLDER]: (name) => `${WEBSITE_FOLDER}/${name}` === CHANGED_FILE,
    [`${WEBSITE_FOLDER}/pages`]: (name) => /^[1-9]\d{0,15}(?:-\d+)?\.json$/.test(name),
    [`${WEBSITE_FOLDER}/lists`]: (name) => /^[\w.-]+\.json$/.test(name),
    [`${WEBSITE_FOLDER}/addresses`]: (name) => /^[\da-f]{1,4}\.json$/.test(name),
  },
  ...ofOption("index", ({ digits }) => Number.isInteger(digits)),
};

/** Maximum bytes of an index that are read to find out whether the build wrote it. */
const MAX_INDEX_BYTES = 32 * 2 ** 20;

const hasIndex = ({ root }: Layout, { index, isOwn }: OwnFiles): boolean =>
  isFolder(join(root, dirname(index))) && isOwn(readText(join(root, index), MAX_INDEX_BYTES) ?? "");

/** Whether there are such files that a build wrote. */
export const hasOwnFiles = (layout: Layout, own: OwnFiles): boolean =>
  hasIndex(layout, own) || (own.areNamesSure === true && ownFilesIn(layout, own).length > 0);

/** The sorted paths of the files besides the index that have the names of the build's. Links are not followed. */
export function ownFilesIn({ root }: Layout, { folders }: OwnFiles): string[] {
  const paths: string[] = [];
  const isMissing = new Set<string>();
  for (const [folder, isOwnFile] of Object.entries(folders)) {
    if (isMissing.has(dirname(folder)) || !isFolder(join(root, folder))) isMissing.add(folder);
    else
      for (const entry of readdirSync(join(root, folder), { withFileTypes: true }))
        if (isOwnFile(entry.name) && !entry.isDirectory()) paths.push(`${folder}/${entry.name}`);
  }
  return paths.sort();
}

/** The data files of the browse UI. */
export const dataFilesIn = (layout: Layout): string[] =>
  ownFilesIn(layout, BROWSE).filter((path) => path === HOME || dirname(path) !== FOLDER);

/** The obstacle to such files: a third-party index, or a file in the place of a folder. */
export function obstacleToOwnFiles(layout: Layout, own: OwnFiles): Failure | undefined {
  const { root } = layout;
  const folder = Object.keys(own.folders)
    .map((path) => join(root, path))
    .find((path) => (statIfThere(path)?.type ?? "folder") !== "folder");
  if (folder !== undefined) return new Obstructed(folder, "a folder");
  const index = join(root, own.index);
  // A device, FIFO or socket contains nothing.
  const entry = lstatSync(index, { throwIfNoEntry: false });
  const mayContain = entry?.isFile() === true || entry?.isSymbolicLink() === true;
  return mayContain && !hasIndex(layout, own) ? new Failure(`${index}: ${own.refusal}`) : undefined;
}

interface Kept {
  has: (path: string) => boolean;
}

/** The files that a build wrote and that are not kept; if none is kept, the index too, as the last one. */
function obsoleteFiles(layout: Layout, own: OwnFiles, kept: Kept | undefined): string[] {
  if (kept !== undefined) return ownFilesIn(layout, own).filter((path) => !kept.has(path));
  if (!hasOwnFiles(layout, own)) return [];
  return [...ownFilesIn(layout, own), ...(hasIndex(layout, own) ? [own.index] : [])];
}

/** Checks permissions first, because a build that has begun to remove files cannot undo that. @throws the system's error */
export function assertRemovable(layout: Layout, own: OwnFiles, kept?: Kept): void {
  for (const folder of new Set(obsoleteFiles(layout, own, kept).map(dirname)))
    assertWritable(join(layout.root, folder));
}

/** Removes the files that a build wrote, except those that are kept. */
export function removeFiles(layout: Layout, own: OwnFiles, kept?: Kept): void {
  const obsolete = obsoleteFiles(layout, own, kept);
  if (kept === undefined && obsolete.length === 0) return;
  for (const path of obsolete) rmSync(join(layout.root, path));
  for (const folder of Object.keys(own.folders).reverse()) removeEmpty(join(layout.root, folder));
}
