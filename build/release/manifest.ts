import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Named } from "./format.ts";

/** What publishing an output remembers for the next time, beside the build's own manifest. */
export interface ReleaseManifest {
  /** Shards by the digest of what the build knows of their pages' files. */
  shards: Map<string, Named>;
  /** By bucket the release that was left there, unless a publisher has been at work since. */
  left: Record<string, string>;
}

const NAME = "releases.json";
const FORMAT = 1;

/** @param cache the folder of the output's manifests. */
export function loadReleases(cache: string): ReleaseManifest {
  try {
    const saved = JSON.parse(readFileSync(join(cache, NAME), "utf8")) as {
      format: number;
      shards: Record<string, Named>;
      left: Record<string, string>;
    };
    if (saved.format === FORMAT) return { shards: new Map(Object.entries(saved.shards)), left: saved.left };
  } catch {
    // None, or one that cannot be read: everything is found out again.
  }
  return { shards: new Map(), left: {} };
}

/** Where it cannot be saved, the next publication has more to do; it never trusts more for that. */
export function saveReleases(cache: string, { shards, left }: ReleaseManifest): void {
  const path = join(cache, NAME);
  const text = JSON.stringify({ format: FORMAT, shards: Object.fromEntries(shards), left });
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
