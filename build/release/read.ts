import { PAGES, shardPath } from "../base/api.ts";
import { childrenPath } from "../base/website.ts";
import { Damaged, sha256, shardAt, type Shard, type Shards } from "../outputs/shards/format.ts";
import {
  bufferOf,
  openPage,
  openShard,
  parseDirectory,
  readEnd,
  type Directory,
  type UnzippedPage,
} from "../outputs/shards/unzip.ts";
import type { PageBytes } from "../outputs/shards/zip.ts";
import { fileKey, type Release } from "./format.ts";
import { Missing, type ReadableStore } from "./store.ts";

/** Bytes at the end of a shard that are read first: the whole directory, if the shard has the usual size. */
const TAIL_BYTES = 16_384;

/** Reads a directory, with one read of the store; with two if the shard has very many pages. */
export async function readDirectory(store: ReadableStore, shard: Shard): Promise<Directory> {
  const { key } = shard;
  const tail = await store.get(key, { last: TAIL_BYTES });
  if (tail === undefined) throw new Missing(key);
  const bytes = bufferOf(tail.bytes);
  if (tail.start + bytes.length !== tail.size) throw new Damaged(key, "it changed while it was read");
  const end = readEnd(key, bytes, tail.size);
  const length = tail.start - end.start;
  if (length <= 0) return parseDirectory(shard, bytes.subarray(-length), end);
  const rest = await store.get(key, { start: end.start, length });
  if (rest?.bytes.length !== length) throw new Damaged(key, "it changed while it was read");
  return parseDirectory(shard, Buffer.concat([rest.bytes, bytes]), end);
}

/**
 * Reads a whole shard, with one read of the store, and compares its hash.
 *
 * @param use gets each page before the hash has been compared.
 * @throws Damaged
 */
export const readShard = async (
  store: ReadableStore,
  shard: Shard,
  use?: (page: PageBytes) => void,
): Promise<Directory> => openShard(await zipOf(store, shard), shard, use);

async function zipOf(store: ReadableStore, { key }: Shard): Promise<Uint8Array> {
  const found = await store.get(key);
  if (found === undefined) throw new Missing(key);
  return found.bytes;
}

/** Reads one page, with one read of the store. @throws Damaged if the page does not match the directory. */
export async function readPage(
  store: ReadableStore,
  key: string,
  directory: Directory,
  index: number,
): Promise<UnzippedPage> {
  const start = directory.starts[index] ?? 0;
  const found = await store.get(key, { start, length: (directory.starts[index + 1] ?? 0) - start });
  if (found === undefined) throw new Missing(key);
  return openPage(key, directory, index, bufferOf(found.bytes));
}

export interface ReleasePart {
  key: string;
  /** Compares the object's hash, after `use` got each output file in the object. @throws Damaged */
  read: (store: ReadableStore, use?: (path: string, bytes: Uint8Array) => void) => Promise<void>;
}

export function partsOf(release: Release): ReleasePart[] {
  const parts: ReleasePart[] = [];
  const addShards = (shards: Shards, pathOf: (id: number) => string, isBulk = false): void => {
    for (const remainder of shards.keys()) {
      const shard = shardAt({ shards }, remainder);
      if (shard === undefined) continue;
      parts.push({
        key: shard.key,
        read: async (store, use) => {
          const zip = await zipOf(store, shard);
          openShard(zip, shard, ({ id, bytes }) => use?.(pathOf(id), bytes));
          if (isBulk) use?.(shardPath(shard.name), zip);
        },
      });
    }
  };
  addShards(release.shards, (id) => `${PAGES}/${id}/index.json`, release.bulk);
  addShards(release.index ?? [], childrenPath);
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
