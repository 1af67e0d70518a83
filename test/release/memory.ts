import {
  POINTER,
  printRelease,
  releaseKey,
  type Release,
  type ObjectStore,
} from "../../build/release/format.ts";
import { sha256, shardKey, type Shard } from "../../build/outputs/shards/format.ts";
import { nameOf, zip, type PageBytes } from "../../build/outputs/shards/zip.ts";
import { expect } from "vitest";
import { publish } from "../../build/release/publish.ts";
import { openReader } from "../../build/release/reader.ts";
import { build } from "../../build/site/build.ts";
import type { BuildOptions } from "../../build/site/outcome.ts";

/** A bucket in memory. */
export interface MemoryBucket extends ObjectStore {
  objects: Map<string, Uint8Array>;
  /** The keys of all reads, uploads and removals. */
  reads: string[];
  puts: string[];
  removed: string[];
  /** The age of every object, in milliseconds. */
  age: number;
}

export function bucketOf(objects: Iterable<[string, Uint8Array]> = []): MemoryBucket {
  const infoOf = (key: string, { length: size }: Uint8Array) => ({ key, size, age: bucket.age });
  const bucket: MemoryBucket = {
    objects: new Map(objects),
    reads: [],
    puts: [],
    removed: [],
    age: 0,
    get: (key, range) => {
      bucket.reads.push(key);
      const all = bucket.objects.get(key);
      if (all === undefined) return Promise.resolve(undefined);
      const start =
        range === undefined ? 0 : "last" in range ? Math.max(0, all.length - range.last) : range.start;
      const end = range === undefined || "last" in range ? all.length : start + range.length;
      return Promise.resolve({
        bytes: all.subarray(start, end),
        start,
        size: all.length,
        etag: `"${all.length}"`,
      });
    },
    head: (key) => {
      const found = bucket.objects.get(key);
      return Promise.resolve(found && infoOf(key, found));
    },
    put: (key, bytes) => {
      bucket.puts.push(key);
      bucket.objects.set(key, bytes);
      return Promise.resolve();
    },
    putIf: (key, bytes) => bucket.put(key, bytes).then(() => true),
    keepsConditions: () => Promise.resolve(true),
    async *list(prefix) {
      for (const [key, bytes] of bucket.objects)
        if (key.startsWith(prefix)) yield await Promise.resolve(infoOf(key, bytes));
    },
    remove: (key) => {
      bucket.removed.push(key);
      return Promise.resolve();
    },
  };
  return bucket;
}

/** Builds a site and publishes it to a bucket. */
export async function publishTo(bucket: ObjectStore, options: BuildOptions): Promise<void> {
  await build(options, async ({ output, findings }) => {
    if (output === undefined) throw new Error(JSON.stringify(findings));
    await publish(output, bucket, { address: "memory", concurrency: 4 });
  });
}

export const pageOf = (id: number): PageBytes => ({
  id,
  bytes: Buffer.from(JSON.stringify({ id, title: `Page ${id} `.repeat(1 + (id % 5)) })),
});

const HEADERS =
  "/api/v2/pages/*\n  Content-Type: application/json\n  Vary: Accept\n/bulk/shards/*\n  Cache-Control: immutable\n";

/** A bucket with one release of these pages. */
export function published(ids: readonly number[], count: number, more: Partial<Release> = {}) {
  const objects: [string, Buffer][] = [];
  const named: Release["shards"] = [];
  const shards: Shard[] = [];
  for (let remainder = 0; remainder < count; remainder++) {
    const pages = ids.filter((id) => id % count === remainder).map(pageOf);
    const name = nameOf(pages);
    const bytes = pages.reduce((sum, page) => sum + page.bytes.length, 0);
    named.push(pages.length === 0 ? null : [name, bytes]);
    if (pages.length === 0) continue;
    objects.push([shardKey(name), zip(pages)]);
    shards.push({ key: shardKey(name), name, bytes, remainder, count });
  }
  const release: Release = {
    format: 1,
    pages: ids.length,
    shards: named,
    files: {},
    headers: HEADERS,
    ...more,
  };
  objects.push(...pointing(printRelease(release).bytes));
  return { bucket: bucketOf(objects), shards };
}

/** A reader of a bucket in memory; whatever it reports fails the test. */
export const readerOf = (bucket: MemoryBucket) =>
  openReader(bucket, { memory: 1e6, isShared: true, now: () => 0, report: (line) => expect.fail(line) });

/** The objects that make a release with any bytes the current one. */
export function pointing(bytes: Buffer): [string, Buffer][] {
  const release = sha256(bytes);
  const pointer = Buffer.from(JSON.stringify({ format: 1, release, former: [] }));
  return [
    [releaseKey(release), bytes],
    [POINTER, pointer],
  ];
}
