import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BULK_INDEX, BULK_SHARDS } from "../base/api.ts";
import { removeEmpty } from "../base/paths.ts";
import { isFolder } from "../base/stat.ts";
import type { Layout } from "./layout.ts";
import { hasOwnIndex, type OwnIndex } from "./own-index.ts";

/** The bulk download in an output: an index, and shards that are named by their content. */

const FOLDER = "bulk";
const SHARD = /^[\da-f]{64}\.zip$/;

export const shardPath = (name: string): string => `${BULK_SHARDS}/${name}.zip`;

export const BULK: OwnIndex = {
  path: BULK_INDEX,
  option: "bulk",
  folders: [FOLDER, BULK_SHARDS],
  isOwn: ({ shards }) => Array.isArray(shards),
};

/** The published files of shards, including those that the index does not name. */
const shardFilesIn = ({ root }: Layout): string[] =>
  isFolder(join(root, FOLDER)) && isFolder(join(root, BULK_SHARDS))
    ? readdirSync(join(root, BULK_SHARDS), { withFileTypes: true })
        .filter((entry) => SHARD.test(entry.name) && !entry.isDirectory())
        .map(({ name }) => name)
    : [];

/** Whether there is any file of a bulk download that a build wrote. */
export const hasBulk = (layout: Layout): boolean =>
  isFolder(join(layout.root, FOLDER)) && (shardFilesIn(layout).length > 0 || hasOwnIndex(layout, BULK));

export function removeOtherShards(layout: Layout, names: ReadonlySet<string>): void {
  for (const file of shardFilesIn(layout))
    if (!names.has(file.slice(0, -".zip".length))) rmSync(join(layout.root, BULK_SHARDS, file));
}

/** Removes a bulk download, its index first; only files that the build wrote. */
export function removeBulk(layout: Layout): void {
  if (!hasBulk(layout)) return;
  if (hasOwnIndex(layout, BULK)) rmSync(join(layout.root, BULK_INDEX));
  removeOtherShards(layout, new Set());
  for (const folder of [BULK_SHARDS, FOLDER]) removeEmpty(join(layout.root, folder));
}
