import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/failure.ts";
import { isUnchanged, seen, statAt } from "../base/stat.ts";
import type { Output } from "../pipeline/outcome.ts";
import { layoutOf } from "../output/layout.ts";
import { atATime } from "./at-a-time.ts";
import { movedTo, movePointer, readPointer, readRelease } from "./current.ts";
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
  jobs: number;
  /** Puts every object, whatever the bucket has: what is damaged or missing there is mended. */
  full?: boolean | undefined;
  /** Is told again and again how many bytes, before they are deflated, of how many are where they belong. */
  progress?: ((done: number, of: number) => void) | undefined;
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
  { address, jobs, full = false, progress }: PublishOptions,
): Promise<Published> {
  const start = performance.now();
  const remembered = loadReleases(output.cache);
  const before = await readPointer(store);
  const base = full ? undefined : before && (await readUsable(store, before.pointer.release));
  const current = before?.pointer.release;
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
    await atATime(jobs, toPack, async ({ remainder, shard }) => {
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
  await atATime(jobs, output.files, async (path) => {
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
  if (name !== current) {
    if (performance.now() - start > LONGEST_MS)
      throw new Failure("Publishing took too long. Publish again: what was put is not put again.");
    const winner = await movePointer(store, before, (now) => movedTo(name, now));
    if (winner !== undefined && winner !== name) throw new Lost(winner);
    upload.count++;
  }
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
      if (found !== undefined && found.age < RELIABLE_MS) return;
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
