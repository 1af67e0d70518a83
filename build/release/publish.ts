import { readFileSync } from "node:fs";
import { join } from "node:path";
import { forEachConcurrent } from "../base/concurrent.ts";
import { Failure } from "../base/failure.ts";
import { isUnchanged, seen, statAt } from "../base/stat.ts";
import type { Output } from "../pipeline/outcome.ts";
import { layoutOf } from "../output/layout.ts";
import { movedTo, movePointer, readRelease, readReplaceable } from "./current.ts";
import {
  fileKey,
  objectsOf,
  printRelease,
  releaseKey,
  sha256,
  shardKey,
  type Named,
  type Release,
} from "./format.ts";
import { loadReleases, saveReleases, type ReleaseManifest } from "./manifest.ts";
import { openPacker } from "./packer.ts";
import { planShards, type PlannedShard } from "./plan.ts";
import { Damaged, type Store } from "./store.ts";

export interface PublishOptions {
  /** Names the bucket in what is remembered. */
  address: string;
  /** How many objects are packed and put at a time. */
  concurrency: number;
  /** Puts every object, whatever the bucket has: what is damaged or missing there is mended. */
  full?: boolean | undefined;
  /** Is told again and again how many bytes, before they are deflated, of how many are where they belong. */
  progress?: ((done: number, of: number) => void) | undefined;
  /** Is given what the operator should know, although it is published. */
  warn?: ((message: string) => void) | undefined;
}

export interface Published {
  release: string;
  pages: number;
  /** Objects that were put, the pointer too, and their bytes as they were put. */
  put: number;
  bytes: number;
  /** Objects that the bucket had. */
  kept: number;
}

/** Another publisher moved the pointer first. */
export class Lost extends Failure {
  constructor(current: string) {
    super(
      `Somebody else published at the same time: the current release is ${current}. Nothing of it was lost, and nothing of yours was published. Publish again if yours should follow.`,
    );
  }
}

/** @throws Failure unless two publishers are safe from each other in this store. */
async function refuseUnsafe(store: Store, key: string, bytes: Uint8Array): Promise<void> {
  if (!(await store.keepsConditions(key, bytes)))
    throw new Failure(
      "The store ignores If-Match or If-None-Match, so that one of two who publish at the same time could undo what the other published. Nothing was published. Use a store or a version of it that supports conditional puts (docs/releases.md).",
    );
}

/**
 * No object that `prune` could take for forgotten is relied on: it removes what has been lying unused for a day. An
 * object that is younger than half of that, found by a publisher that is done within the other half, stays.
 */
const RELIABLE_MS = 12 * 3_600_000;
const LONGEST_MS = 10 * 3_600_000;

/** Puts what the bucket lacks of an output, then makes it the current release. */
export async function publish(
  output: Output,
  store: Store,
  { address, concurrency, full = false, progress, warn }: PublishOptions,
): Promise<Published> {
  const start = performance.now();
  const remembered = loadReleases(output.cache);
  const before = await readReplaceable(store, full);
  const current = before.pointer?.release;
  const base = full || current === undefined ? undefined : await readUsable(store, current);
  const isFirst = remembered.left[address] === undefined;
  const isExpected = base !== undefined && remembered.left[address] === current;
  const there = base === undefined ? new Set<string>() : objectsOf(base);
  const upload = new Upload(store, there, !isExpected && !full, () => {
    // Should this publisher be killed, the next one asks what there is.
    if (remembered.left[address] === undefined) return;
    delete remembered.left[address];
    save(output, remembered);
  });

  const plan = planShards(output.table);
  const shards: Release["shards"] = plan.shards.map(() => null);
  const toPack: { remainder: number; shard: PlannedShard }[] = [];
  const known = new Map<string, Named>();
  for (const [remainder, shard] of plan.shards.entries()) {
    if (shard === undefined) continue;
    const named = remembered.shards.get(shard.digest);
    if (named !== undefined && upload.has(shardKey(named[0]))) {
      shards[remainder] = named;
      known.set(shard.digest, named);
    } else toPack.push({ remainder, shard });
  }

  let done = 0;
  const of = toPack.reduce((sum, { shard }) => sum + shard.bytes, 0);
  const packer = openPacker(layoutOf(output.root).pages, toPack.length);
  try {
    await forEachConcurrent(toPack, concurrency, async ({ remainder, shard }) => {
      await packer.pack(shard.ids(), async (named, zip) => {
        await upload.put(shardKey(named[0]), zip);
        shards[remainder] = named;
        known.set(shard.digest, named);
      });
      progress?.((done += shard.bytes), of);
    });
  } finally {
    await packer.close();
  }

  const files: Release["files"] = {};
  const knownFiles: ReleaseManifest["files"] = new Map();
  await forEachConcurrent(output.files, concurrency, async (path) => {
    const at = join(output.root, path);
    const stat = seen(statAt(at));
    const last = remembered.files.get(path);
    if (last !== undefined && isUnchanged(stat, last.stat) && upload.has(fileKey(last.name))) {
      files[path] = [last.name, stat.size];
      knownFiles.set(path, last);
      return;
    }
    const bytes = readFileSync(at);
    const name = sha256(bytes);
    files[path] = [name, bytes.length];
    knownFiles.set(path, { stat, name });
    await upload.put(fileKey(name), () => Promise.resolve(bytes));
  });

  const headers = output.headers.toString();
  const release: Release = { format: 1, pages: plan.pages, shards, files, headers };
  const { name, bytes } = printRelease(release);
  const kept = objectsOf(release).size - upload.count;
  if (name !== current || base === undefined)
    await upload.put(releaseKey(name), () => Promise.resolve(bytes), true);
  if (isFirst) await refuseUnsafe(store, releaseKey(name), bytes);
  if (name !== current) {
    if (performance.now() - start > LONGEST_MS)
      throw new Failure("Publishing took too long. Publish again: what was put is not put again.");
    const winner = await movePointer(store, before, (now) => movedTo(name, now));
    if (winner !== undefined && winner !== name) throw new Lost(winner);
    upload.count++;
  }
  if (before.damage !== undefined)
    warn?.(
      `${before.damage.message} It was replaced. The releases found in the bucket are the former ones now; some of them may never have been published.`,
    );
  save(output, { shards: known, files: knownFiles, left: { ...remembered.left, [address]: name } });
  return { release: name, pages: plan.pages, put: upload.count, bytes: upload.bytes, kept };
}

/** A release that cannot be read spares nothing, and everything is looked for. */
async function readUsable(store: Store, name: string): Promise<Release | undefined> {
  try {
    return await readRelease(store, name);
  } catch (cause) {
    if (cause instanceof Damaged) return undefined;
    throw cause;
  }
}

/** Puts each object that the bucket does not have. */
class Upload {
  count = 0;
  bytes = 0;
  private readonly store: Store;
  private readonly there: Set<string>;
  private readonly isDoubted: boolean;
  private readonly begin: () => void;

  /** @param there what the current release needs. @param isDoubted whether others may have put more. */
  constructor(store: Store, there: Set<string>, isDoubted: boolean, begin: () => void) {
    this.store = store;
    this.there = there;
    this.isDoubted = isDoubted;
    this.begin = begin;
  }

  has = (key: string): boolean => this.there.has(key);

  async put(key: string, make: () => Promise<Uint8Array>, always = false): Promise<void> {
    if (this.there.has(key)) return;
    this.there.add(key);
    if (this.isDoubted && !always) {
      const found = await this.store.see(key);
      if (found !== undefined && found.size > 0 && found.age < RELIABLE_MS) return;
    }
    this.begin();
    const bytes = await make();
    await this.store.put(key, bytes);
    this.count++;
    this.bytes += bytes.length;
  }
}

function save({ cache }: Output, manifest: ReleaseManifest): void {
  try {
    saveReleases(cache, manifest);
  } catch {
    // The next publication has more to do.
  }
}
