import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordedStat } from "../base/stat.ts";
import type { Named } from "../shards/format.ts";

/** The data that a publication saves for the next one, in the folder of the build's manifest. */
export interface UploadCache {
  /** Shards, by a digest of their pages' files as the build's manifest describes them. */
  shards: Map<string, Named>;
  /** By path: the stat and name of each file that is not a page. */
  files: Map<string, { stat: RecordedStat; name: string }>;
  /** By bucket: the release last published from here; removed while a publication is unfinished. */
  left: Record<string, string>;
}

const NAME = "releases.json";
const FORMAT = 3;

/** @param cache the folder of the output's manifests. */
export function loadUploadCache(cache: string): UploadCache {
  try {
    const saved = JSON.parse(readFileSync(join(cache, NAME), "utf8")) as {
      format: number;
      shards: Record<string, Named>;
      files: Record<string, { stat: RecordedStat; name: string }>;
      left: Record<string, string>;
    };
    const { format, shards, files, left } = saved;
    if (format === FORMAT)
      return { shards: new Map(Object.entries(shards)), files: new Map(Object.entries(files)), left };
  } catch {
    // Missing or damaged: the publication reads everything again.
  }
  return { shards: new Map(), files: new Map(), left: {} };
}

/** Replaces the saved data atomically. If that fails, the next publication only has more to do. */
export function saveUploadCache(cache: string, { shards, files, left }: UploadCache): void {
  const path = join(cache, NAME);
  const [byDigest, byPath] = [Object.fromEntries(shards), Object.fromEntries(files)];
  writeFileSync(`${path}.new`, JSON.stringify({ format: FORMAT, shards: byDigest, files: byPath, left }));
  renameSync(`${path}.new`, path);
}
