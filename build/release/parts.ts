import { PAGES } from "../base/api.ts";
import { fileKey, type Release } from "./format.ts";
import { Damaged, sha256, shardAt } from "../shards/format.ts";
import { Missing, type ObjectStore } from "./store.ts";
import { readShard } from "./read.ts";

/** An object of a release. */
export interface ReleasePart {
  key: string;
  /**
   * Reads the object and compares its hash.
   *
   * @param use gets each output file in the object, before the hash has been compared.
   * @throws Damaged
   */
  read: (store: ObjectStore, use?: (path: string, bytes: Uint8Array) => void) => Promise<void>;
}

export function partsOf(release: Release): ReleasePart[] {
  const parts: ReleasePart[] = [];
  for (const remainder of release.shards.keys()) {
    const shard = shardAt(release, remainder);
    if (shard === undefined) continue;
    parts.push({
      key: shard.key,
      read: async (store, use) => {
        await readShard(store, shard, ({ id, bytes }) => use?.(`${PAGES}/${id}/index.json`, bytes));
      },
    });
  }
  for (const [path, [name]] of Object.entries(release.files)) {
    const key = fileKey(name);
    parts.push({
      key,
      read: async (store, use) => {
        const found = await store.get(key);
        if (found === undefined) throw new Missing(key);
        if (sha256(found.bytes) !== name) throw new Damaged(key, "its hash does not match");
        use?.(path, found.bytes);
      },
    });
  }
  return parts;
}
