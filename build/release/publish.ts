import { readFileSync } from "node:fs";
import { join } from "node:path";
import { forEachConcurrent } from "../base/concurrent.ts";
import { Failure } from "../base/failure.ts";
import { printInstant, type Instant } from "../base/instant.ts";
import { isUnchanged, recordStat, statAt } from "../base/stat.ts";
import type { Output } from "../pipeline/outcome.ts";
import { OF_A_PAGE } from "../output/foreign.ts";
import { layoutOf } from "../output/layout.ts";
import { areAlike, movedTo, movePointer, readRelease, readReplaceable } from "./current.ts";
import { Damaged, sha256, shardKey } from "../shards/format.ts";
import { openPacker, type PageFile } from "../shards/packer.ts";
import { planShards, type PlannedShard } from "../shards/plan.ts";
import {
  fileKey,
  objectsOf,
  printRelease,
  releaseKey,
  type Pointer,
  type PublicationNote,
  type Release,
} from "./format.ts";
import { loadUploadCache, saveUploadCache, type UploadCache } from "./upload-cache.ts";
import type { ObjectStore } from "./store.ts";

export interface PublishOptions {
  /** The bucket's key in the saved data. */
  address: string;
  /** Maximum number of objects that are packed and uploaded at a time. */
  concurrency: number;
  /** Whether to upload every object, so that damaged and missing objects in the bucket are replaced. */
  full?: boolean | undefined;
  /** Called with the bytes that are uploaded so far and in all, both before compression. */
  progress?: ((done: number, of: number) => void) | undefined;
  /** The instant of the output; the current time by default. */
  at?: number | undefined;
  /** The outputs of later instants, sorted by time. Each is valid only until the next is requested. */
  ahead?: (() => AsyncIterable<{ at: Instant; output: Output }>) | undefined;
  note?: PublicationNote | undefined;
  /** Whether to count the uploads without making them. */
  isDry?: boolean | undefined;
  /** Called with warnings for the operator about a successful publication. */
  warn?: ((message: string) => void) | undefined;
}

export interface PublishResult {
  release: string;
  pages: number;
  /** The uploaded objects, including the pointer, and their compressed bytes. */
  put: number;
  bytes: number;
  /** Objects that the bucket already had. */
  kept: number;
  then: Pointer["then"];
  /** The release that was current before, if it can be read, and the one that is current now. */
  before: Release | undefined;
  after: Release;
}

/** Another publisher moved the pointer first. */
export class Lost extends Failure {
  constructor(current: string) {
    super(
      `Another publish ran at the same time: the current release is ${current}. It is complete, and yours was not published. Publish again if yours should follow.`,
    );
  }
}

/** @throws Failure if the store ignores conditions: two publishers could then overwrite each other's release. */
async function refuseUnsafe(store: ObjectStore, key: string, bytes: Uint8Array): Promise<void> {
  if (!(await store.keepsConditions(key, bytes)))
    throw new Failure(
      "The store ignores If-Match or If-None-Match, so two people who publish at the same time could overwrite each other's release. Nothing was published. Use a store that supports conditional requests, or a version of it that does (docs/releases.md).",
    );
}

/**
 * Maximum age, in milliseconds, at which an existing object is used instead of uploaded again. `prune` removes unused
 * objects that are older than a day, so a younger one outlives a publication of at most `MAX_PUBLISH_MS`.
 */
const RELIABLE_MS = 12 * 3_600_000;
/** Maximum milliseconds of a publication. */
const MAX_PUBLISH_MS = 10 * 3_600_000;

/** Uploads the missing objects of an output and of the timeline's outputs, then makes the output the current release. */
export async function publish(
  output: Output,
  bucket: ObjectStore,
  {
    address,
    concurrency,
    at = Date.now(),
    ahead,
    note,
    full = false,
    isDry = false,
    progress,
    warn,
  }: PublishOptions,
): Promise<PublishResult> {
  const start = performance.now();
  const store = isDry ? withoutPuts(bucket) : bucket;
  const remembered = loadUploadCache(output.cache);
  const before = await readReplaceable(store, at, full);
  const current = before.pointer?.release;
  const last = current === undefined ? undefined : await readUsable(store, current);
  const base = full ? undefined : last;
  const isFirst = remembered.left[address] === undefined;
  const isExpected = base !== undefined && remembered.left[address] === current;
  const there = base === undefined ? new Set<string>() : objectsOf(base);
  if (before.pointer !== undefined && !full)
    for (const key of await timelineObjects(store, before.pointer)) there.add(key);
  const upload = new Uploader(store, there, !isExpected && !full, () => {
    // If this publisher is killed, the next one has to look for each object in the bucket.
    if (isDry || remembered.left[address] === undefined) return;
    delete remembered.left[address];
    save(output, remembered);
  });
  const known: KnownObjects = { shards: new Map(), files: new Map() };
  const packing = { upload, remembered, known, concurrency, progress };
  const { release, objects } = await packRelease(output, packing);
  const { name, bytes } = printRelease(release);
  if (name !== current || base === undefined) await upload.putRelease(name, bytes);
  if (isFirst) await refuseUnsafe(store, releaseKey(name), bytes);
  const then: Pointer["then"] = [];
  for await (const later of ahead?.() ?? []) {
    const packed = await packRelease(later.output, packing);
    const printed = printRelease(packed.release);
    for (const key of packed.objects) objects.add(key);
    // An instant at which only findings change has the same release as the one before.
    if (printed.name === (then.at(-1)?.[1] ?? name)) continue;
    await upload.putRelease(printed.name, printed.bytes);
    then.push([printInstant(later.at), printed.name]);
  }
  const kept = objects.size - upload.parts;
  if (!areAlike(before.pointer, { release: name, then })) {
    if (performance.now() - start > MAX_PUBLISH_MS)
      throw new Failure(
        "Publishing took too long. Publish again: objects that are already uploaded are not uploaded again.",
      );
    const notes =
      note === undefined
        ? {}
        : Object.fromEntries([name, ...then.map(([, later]) => later)].map((of) => [of, note]));
    const winner = await movePointer(store, before, at, (now) => movedTo(name, now, then, notes));
    if (winner !== undefined && !areAlike(winner, { release: name, then })) throw new Lost(winner.release);
    upload.count++;
  }
  if (before.damage !== undefined)
    warn?.(
      `${before.damage.message} It was replaced. The releases found in the bucket are the former ones now; some of them may never have been published.`,
    );
  if (!isDry) save(output, { ...known, left: { ...remembered.left, [address]: name } });
  return {
    release: name,
    pages: release.pages,
    put: upload.count,
    bytes: upload.bytes,
    kept,
    then,
    before: last,
    after: release,
  };
}

type KnownObjects = Pick<UploadCache, "shards" | "files">;

/** The state that all releases of one publication share. */
interface Packing {
  upload: Uploader;
  remembered: UploadCache;
  /** The objects of this publication, whether uploaded or kept. */
  known: KnownObjects;
  concurrency: number;
  progress: PublishOptions["progress"];
}

/** Uploads the missing objects of an output. */
async function packRelease(
  output: Output,
  { upload, remembered, known, concurrency, progress }: Packing,
): Promise<{ release: Release; objects: Set<string> }> {
  const plan = planShards(output.table);
  if (plan.pages === 0) throw new Failure("There are no pages to publish.");
  const shards: Release["shards"] = plan.shards.map(() => null);
  const toPack: { remainder: number; shard: PlannedShard }[] = [];
  for (const [remainder, shard] of plan.shards.entries()) {
    if (shard === undefined) continue;
    const named = known.shards.get(shard.digest) ?? remembered.shards.get(shard.digest);
    if (named !== undefined && upload.has(shardKey(named[0]))) {
      shards[remainder] = named;
      known.shards.set(shard.digest, named);
    } else toPack.push({ remainder, shard });
  }

  let done = 0;
  const of = toPack.reduce((sum, { shard }) => sum + shard.bytes, 0);
  const packer = openPacker(toPack.length);
  try {
    await forEachConcurrent(toPack, concurrency, async ({ remainder, shard }) => {
      await packer.pack(filesOf(output, shard), async (named, zip) => {
        await upload.put(shardKey(named[0]), zip);
        shards[remainder] = named;
        known.shards.set(shard.digest, named);
      });
      progress?.((done += shard.bytes), of);
    });
  } finally {
    await packer.close();
  }

  const files: Release["files"] = {};
  await forEachConcurrent(output.files, concurrency, async (path) => {
    const at = join(output.root, path);
    const stat = recordStat(statAt(at));
    const last = known.files.get(path) ?? remembered.files.get(path);
    if (last !== undefined && isUnchanged(stat, last.stat) && upload.has(fileKey(last.name))) {
      files[path] = [last.name, stat.size];
      known.files.set(path, last);
      return;
    }
    const bytes = readFileSync(at);
    const name = sha256(bytes);
    files[path] = [name, bytes.length];
    known.files.set(path, { stat, name });
    await upload.put(fileKey(name), () => Promise.resolve(bytes));
  });
  const headers = output.headers.toString();
  const bulk = output.bulk ? true : undefined;
  const release: Release = { format: 1, pages: plan.pages, shards, files, headers, bulk };
  return { release, objects: objectsOf(release) };
}

/** The store without its uploads. */
const withoutPuts = (store: ObjectStore): ObjectStore => ({
  ...store,
  put: () => Promise.resolve(),
  putIf: () => Promise.resolve(true),
  keepsConditions: () => Promise.resolve(true),
});

/** The objects of the releases in a timeline, except those of damaged releases. */
async function timelineObjects(store: ObjectStore, { then }: Pointer): Promise<Set<string>> {
  const objects = new Set<string>();
  for (const [, name] of then) {
    const release = await readUsable(store, name);
    if (release === undefined) continue;
    for (const key of objectsOf(release)) objects.add(key);
    objects.add(releaseKey(name));
  }
  return objects;
}

const filesOf = ({ root }: Output, shard: PlannedShard): PageFile[] => {
  const { pages } = layoutOf(root);
  return shard.ids().map((id) => ({ id, path: join(pages, `${id}`, OF_A_PAGE) }));
};

/** A release; undefined if it is damaged or missing. Its objects then count as unknown. */
async function readUsable(store: ObjectStore, name: string): Promise<Release | undefined> {
  try {
    return await readRelease(store, name);
  } catch (cause) {
    if (cause instanceof Damaged) return undefined;
    throw cause;
  }
}

/** Uploads each object that the bucket does not have. */
class Uploader {
  count = 0;
  /** The uploaded objects that are not releases. */
  parts = 0;
  bytes = 0;
  private readonly store: ObjectStore;
  private readonly there: Set<string>;
  private readonly isDoubted: boolean;
  private readonly begin: () => void;

  /**
   * @param there the keys that the bucket certainly has.
   * @param isDoubted whether another publisher may have uploaded more objects, so that the bucket is asked for each of them.
   * @param begin called before each upload.
   */
  constructor(store: ObjectStore, there: Set<string>, isDoubted: boolean, begin: () => void) {
    this.store = store;
    this.there = there;
    this.isDoubted = isDoubted;
    this.begin = begin;
  }

  has = (key: string): boolean => this.there.has(key);

  async put(key: string, make: () => Promise<Uint8Array>): Promise<void> {
    if (this.there.has(key)) return;
    this.there.add(key);
    if (this.isDoubted) {
      const found = await this.store.see(key);
      if (found !== undefined && found.size > 0 && found.age < RELIABLE_MS) return;
    }
    this.begin();
    await this.write(key, await make());
    this.parts++;
  }

  /** Uploads without looking in the bucket first: a release is small, and the list of all needed objects. */
  async putRelease(name: string, bytes: Uint8Array): Promise<void> {
    const key = releaseKey(name);
    if (this.there.has(key)) return;
    this.there.add(key);
    this.begin();
    await this.write(key, bytes);
  }

  private async write(key: string, bytes: Uint8Array): Promise<void> {
    await this.store.put(key, bytes);
    this.count++;
    this.bytes += bytes.length;
  }
}

function save({ cache }: Output, manifest: UploadCache): void {
  try {
    saveUploadCache(cache, manifest);
  } catch {
    // The next publication only has more to do.
  }
}
