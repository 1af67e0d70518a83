import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BULK_INDEX, BULK_SHARDS } from "../base/api.ts";
import { Failure, Obstructed } from "../base/failure.ts";
import { readBytes } from "../base/file.ts";
import { removeEmpty } from "../base/paths.ts";
import { isFolder, statIfThere } from "../base/stat.ts";
import { objectIn } from "../json/object.ts";
import type { Layout } from "./layout.ts";

/** The bulk download in an output: an index, and shards that are named by their content. */

const FOLDER = "bulk";
const SHARD = /^[\da-f]{64}\.zip$/;

export const shardPath = (name: string): string => `${BULK_SHARDS}/${name}.zip`;

/** Maximum bytes of an index that is read to find out whether the build wrote it. */
const MAX_INDEX_BYTES = 32 * 2 ** 20;

/** The obstacle to a bulk download: a third-party index, or a file in the place of a folder. */
export function obstacleToBulk(layout: Layout): Failure | undefined {
  const { root } = layout;
  const folder = [FOLDER, BULK_SHARDS]
    .map((path) => join(root, path))
    .find((path) => (statIfThere(path)?.type ?? "folder") !== "folder");
  if (folder !== undefined) return new Obstructed(folder, "a folder");
  const index = join(root, BULK_INDEX);
  return statIfThere(index)?.type === "file" && !hasOwnIndex(layout)
    ? new Failure(
        `${index}: the build did not write this file, and would replace it. It is left as it is: move it away, or remove "bulk" from _site.json.`,
      )
    : undefined;
}

function hasOwnIndex({ root }: Layout): boolean {
  if (!isFolder(join(root, FOLDER))) return false;
  const bytes = readBytes(join(root, BULK_INDEX), MAX_INDEX_BYTES);
  const index = objectIn(bytes?.toString("utf8") ?? "");
  return Number.isInteger(index?.["format"]) && Array.isArray(index?.["shards"]);
}

/** The published files of shards, including those that the index does not name. */
const shardFilesIn = ({ root }: Layout): string[] =>
  isFolder(join(root, FOLDER)) && isFolder(join(root, BULK_SHARDS))
    ? readdirSync(join(root, BULK_SHARDS), { withFileTypes: true })
        .filter((entry) => SHARD.test(entry.name) && !entry.isDirectory())
        .map(({ name }) => name)
    : [];

/** Whether there is any file of a bulk download that a build wrote. */
export const hasBulk = (layout: Layout): boolean =>
  isFolder(join(layout.root, FOLDER)) && (shardFilesIn(layout).length > 0 || hasOwnIndex(layout));

export function removeOtherShards(layout: Layout, names: ReadonlySet<string>): void {
  for (const file of shardFilesIn(layout))
    if (!names.has(file.slice(0, -".zip".length))) rmSync(join(layout.root, BULK_SHARDS, file));
}

/** Removes a bulk download, its index first; only files that the build wrote. */
export function removeBulk(layout: Layout): void {
  if (!hasBulk(layout)) return;
  if (hasOwnIndex(layout)) rmSync(join(layout.root, BULK_INDEX));
  removeOtherShards(layout, new Set());
  for (const folder of [BULK_SHARDS, FOLDER]) removeEmpty(join(layout.root, folder));
}
