import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SeenStat } from "../base/stat.ts";
import type { Named } from "../shards/format.ts";

/** What publishing an output remembers for the next time, beside the build's own manifest. */
export interface ReleaseManifest {
  /** Shards by the digest of what the build knows of their pages' files. */
  shards: Map<string, Named>;
  /** What was read of each other file, by its path. */
  files: Map<string, { stat: SeenStat; name: string }>;
  /** By bucket the release that was left there, unless a publisher has been at work since. */
  left: Record<string, string>;
}

const NAME = "releases.json";
// internal: a manifest of another format is not read
const FORMAT = 3;

/** @param cache the folder of the output's manifests. */
export function loadReleases(cache: string): ReleaseManifest {
  try {
    const saved = JSON.parse(readFileSync(join(cache, NAME), "utf8")) as {
      format: number;
      shards: Record<string, Named>;
      files: Record<string, { stat: SeenStat; name: string }>;
      left: Record<string, string>;
    };
    const { format, shards, files, left } = saved;
    if (format === FORMAT)
      return { shards: new Map(Object.entries(shards)), files: new Map(Object.entries(files)), left };
  } catch {
    // None, or one that cannot be read: everything is found out again.
  }
  return { shards: new Map(), files: new Map(), left: {} };
}

/** Where it cannot be saved, the next publication has more to do; it never trusts more for that. */
export function saveReleases(cache: string, { shards, files, left }: ReleaseManifest): void {
  const path = join(cache, NAME);
  const [byDigest, byPath] = [Object.fromEntries(shards), Object.fromEntries(files)];
  writeFileSync(`${path}.new`, JSON.stringify({ format: FORMAT, shards: byDigest, files: byPath, left }));
  renameSync(`${path}.new`, path);
}
