import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { forEachConcurrent } from "../base/concurrent.ts";
import { Failure } from "../base/failure.ts";
import { printInstant, type Instant } from "../base/instant.ts";
import { isUnchanged, recordStat, statAt, type RecordedStat } from "../base/file.ts";
import type { Output } from "../site/outcome.ts";
import { OF_A_PAGE } from "../site/output/foreign.ts";
import { layoutOf } from "../site/output/layout.ts";
import {
  areAlike,
  movedTo,
  movePointer,
  readReplaceable,
  readUsable,
  fileKey,
  objectsOf,
  printRelease,
  releaseKey,
  type Pointer,
  type PublicationNote,
  type Release,
  type ObjectStore,
} from "./format.ts";
import { childrenPath, parentInPath } from "../base/website.ts";
import { sha256, shardKey, type Named } from "../outputs/shards/format.ts";
import { openPacker } from "../outputs/shards/packer.ts";
import { planShards, type PageColumns, type PlannedShard } from "../outputs/shards/plan.ts";
import { listenArguments, wranglerEnvironment } from "../hosting/cloudflare/wrangler.ts";
import type { Listen } from "../hosting/listen.ts";
import { openR2, type R2Bucket } from "./r2.ts";

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
  /** Whether a notice follows: the object `NOTIFIED` is removed when it is delivered. */
  notifies?: boolean | undefined;
  /** Called with warnings for the operator about a successful publication. */
  warn?: ((message: string) => void) | undefined;
}

/**
 * The object with the name of the release of the last delivered notice, while a later notice is not delivered; empty before
 * the first.
 */
export const NOTIFIED = "notified";

export type PublishResult = Awaited<ReturnType<typeof publish>>;

/** Another publisher moved the pointer first. */
export class PublishConflict extends Failure {
  constructor(current: string) {
    super(
      `Another publish ran at the same time: the current release is ${current}. It is complete, and yours was not published. Publish again if yours should follow.`,
    );
  }
}

/** @throws Failure if the store ignores conditions: two publishers could overwrite each other's release. */
async function refuseUnsafe(store: ObjectStore, key: string, bytes: Uint8Array): Promise<void> {
  if (!(await store.keepsConditions(key, bytes)))
    throw new Failure(
      "The store ignores If-Match or If-None-Match, so two people who publish at the same time could overwrite each other's release. Nothing was published. Use a store that supports conditional requests, or a version of it that does (docs/hosting.md).",
    );
}

/**
 * Maximum age, in milliseconds, at which an existing object is used instead of uploaded again. `prune`
 * removes unused objects older than a day, so a younger one outlives a publication (`MAX_PUBLISH_MS`).
 */
const RELIABLE_MS = 12 * 3_600_000;
/** Maximum milliseconds of a publication. */
const MAX_PUBLISH_MS = 10 * 3_600_000;

/** Uploads the missing objects of an output and of the timeline, then makes the output current. */
export async function publish(output: Output, bucket: ObjectStore, options: PublishOptions) {
  const { address, at = Date.now(), ahead, note, full = false, isDry = false, notifies, warn } = options;
  const start = performance.now();
  const store = isDry ? withoutPuts(bucket) : bucket;
  const cache = loadUploadCache(output.cache);
  const before = await readReplaceable(store, at, full);
  const current = before.pointer?.release;
  const written = before.written?.release;
  const last = current === undefined ? undefined : await readUsable(store, current);
  const base = full ? undefined : last;
  const isFirst = cache.left[address] === undefined;
  const isExpected = base !== undefined && cache.left[address] === current;
  const knownKeys = base === undefined ? new Set<string>() : objectsOf(base);
  if (before.pointer !== undefined && !full)
    for (const key of await timelineObjects(store, before.pointer)) knownKeys.add(key);
  const upload = openUpload(options, store, cache, knownKeys, !isExpected && !full, () => {
    // If this publisher is killed, the next one has to look for each object in the bucket.
    if (isDry || cache.left[address] === undefined) return;
    delete cache.left[address];
    saveUploadCache(output.cache, cache);
  });
  const { release, name, bytes, keys } = await upload.pack(output);
  if (name !== current || base === undefined) await upload.putRelease(name, bytes);
  if (isFirst) await refuseUnsafe(store, releaseKey(name), bytes);
  const then: Pointer["then"] = [];
  for await (const later of ahead?.() ?? []) {
    const packed = await upload.pack(later.output);
    for (const key of packed.keys) keys.add(key);
    // An instant at which only findings change has the same release as the one before.
    if (packed.name === (then.at(-1)?.[1] ?? name)) continue;
    await upload.putRelease(packed.name, packed.bytes);
    then.push([printInstant(later.at), packed.name]);
  }
  const kept = keys.size - upload.done.parts;
  const isSame = areAlike(before.written, { release: name, then });
  const found = notifies === true ? await store.get(NOTIFIED) : undefined;
  let unnotified = found && Buffer.from(found.bytes).toString();
  if (notifies === true && unnotified === undefined && !isSame) {
    unnotified = written ?? "";
    await store.put(NOTIFIED, Buffer.from(unnotified));
  }
  // Also if time has passed since: then the pages that it changed are part of this publication.
  if (!isSame) {
    if (performance.now() - start > MAX_PUBLISH_MS)
      throw new Failure(
        "Publishing took too long. Publish again: objects that are already uploaded are not uploaded again.",
      );
    const noted = note === undefined ? [] : [name, ...then.map(([, later]) => later)];
    const notes = Object.fromEntries(noted.map((of) => [of, note as PublicationNote]));
    const winner = await movePointer(store, before, at, (now) => movedTo(name, now, then, notes));
    if (winner !== undefined && !areAlike(winner, { release: name, then }))
      throw new PublishConflict(winner.release);
    upload.done.count++;
  }
  if (before.damage !== undefined)
    warn?.(
      `${before.damage.message} It was replaced. The releases found in the bucket are the former ones now; some of them may never have been published.`,
    );
  if (!isDry) saveUploadCache(output.cache, { ...upload.used, left: { ...cache.left, [address]: name } });
  return {
    release: name,
    pages: release.pages,
    /** The uploaded objects, including the pointer, and their compressed bytes. */
    put: upload.done.count,
    bytes: upload.done.bytes,
    /** Objects that the bucket already had. */
    kept,
    then,
    /** Absent if no notice is due. Its release is the one before the changes, if it can be read. */
    unnotified: unnotified === undefined ? undefined : { since: await readUsable(store, unnotified) },
    /** The release that is current now. */
    after: release,
  };
}

/**
 * The uploads of one publication: the objects of its releases that the bucket does not have.
 *
 * @param knownKeys the keys that the bucket certainly has.
 * @param mustProbe whether another publisher may have uploaded more objects: looks for each in the bucket.
 * @param begin called before each upload.
 */
function openUpload(
  { concurrency, progress }: Pick<PublishOptions, "concurrency" | "progress">,
  store: ObjectStore,
  cache: UploadCache,
  knownKeys: Set<string>,
  mustProbe: boolean,
  begin: () => void,
) {
  /** The uploaded objects with their bytes; `parts` are those that are not releases. */
  const done = { count: 0, parts: 0, bytes: 0 };
  /** The objects of this publication, whether uploaded or kept. */
  const used: Pick<UploadCache, "shards" | "files"> = { shards: {}, files: {} };

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    await store.put(key, bytes);
    done.count++;
    done.bytes += bytes.length;
  }

  async function put(key: string, make: () => Promise<Uint8Array>): Promise<void> {
    if (knownKeys.has(key)) return;
    knownKeys.add(key);
    if (mustProbe) {
      const found = await store.head(key);
      if (found !== undefined && found.size > 0 && found.age < RELIABLE_MS) return;
    }
    begin();
    await write(key, await make());
    done.parts++;
  }

  async function putFile(file: string, path: string): Promise<Named> {
    const stat = recordStat(statAt(file));
    const last = used.files[path] ?? cache.files[path];
    if (last !== undefined && isUnchanged(stat, last.stat) && knownKeys.has(fileKey(last.name))) {
      used.files[path] = last;
      return [last.name, stat.size];
    }
    const bytes = readFileSync(file);
    const name = sha256(bytes);
    used.files[path] = { stat, name };
    await put(fileKey(name), () => Promise.resolve(bytes));
    return [name, bytes.length];
  }

  /** @param pathOf the path in the output of the file with an id. */
  async function putShards(
    planned: readonly (PlannedShard | undefined)[],
    pathOf: (id: number) => string,
  ): Promise<Release["shards"]> {
    const named: Release["shards"] = planned.map(() => null);
    const toPack: { remainder: number; shard: PlannedShard }[] = [];
    for (const [remainder, shard] of planned.entries()) {
      if (shard === undefined) continue;
      const known = used.shards[shard.digest] ?? cache.shards[shard.digest];
      if (known !== undefined && knownKeys.has(shardKey(known[0]))) {
        named[remainder] = known;
        used.shards[shard.digest] = known;
      } else toPack.push({ remainder, shard });
    }
    let packed = 0;
    const of = toPack.reduce((sum, { shard }) => sum + shard.bytes, 0);
    const packer = openPacker(toPack.length);
    try {
      await forEachConcurrent(toPack, concurrency, async ({ remainder, shard }) => {
        await packer.pack(
          shard.ids.map((id) => ({ id, path: pathOf(id) })),
          async (name, zip) => {
            await put(shardKey(name[0]), zip);
            named[remainder] = name;
            used.shards[shard.digest] = name;
          },
        );
        progress?.((packed += shard.bytes), of);
      });
    } finally {
      await packer.close();
    }
    return named;
  }

  return {
    done,
    used,
    /** Uploads the missing objects of an output, except the release. */
    async pack(output: Output) {
      const plan = planShards(output.table);
      if (plan.pages === 0) throw new Failure("There are no pages to publish.");
      const { root } = output;
      const { pages } = layoutOf(root);
      const shards = await putShards(plan.shards, (id) => join(pages, `${id}`, OF_A_PAGE));
      const index = output.index
        ? await putShards(planShards(columnsOfIndex(output)).shards, (id) => join(root, childrenPath(id)))
        : undefined;
      const files: Release["files"] = {};
      const others = output.files.filter((path) => parentInPath(path) === undefined);
      await forEachConcurrent(others, concurrency, async (path) => {
        files[path] = await putFile(join(root, path), path);
      });
      const headers = output.headers.toString();
      const bulk = output.bulk ? true : undefined;
      const release: Release = { format: 1, pages: plan.pages, shards, index, files, headers, bulk };
      return { release, ...printRelease(release), keys: objectsOf(release) };
    },
    /** Uploads without looking in the bucket first: a release is small, and the list of all needed objects. */
    async putRelease(name: string, bytes: Uint8Array): Promise<void> {
      const key = releaseKey(name);
      if (knownKeys.has(key)) return;
      knownKeys.add(key);
      begin();
      await write(key, bytes);
    },
  };
}

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

/** The files of the pages below each page, by that page's id. */
function columnsOfIndex({ root, files }: Output): PageColumns {
  const ids = files.flatMap((path) => parentInPath(path) ?? []);
  const stats = ids.map((id) => statAt(join(root, childrenPath(id))));
  return {
    id: Float64Array.from(ids),
    outSize: Uint32Array.from(stats, ({ size }) => size),
    outMtime: Float64Array.from(stats, ({ mtime }) => mtime),
    outCtime: Float64Array.from(stats, ({ ctime }) => ctime),
    outInode: Float64Array.from(stats, ({ inode }) => inode),
  };
}

/** The data that a publication saves for the next one, in the folder of the build's manifest. */
interface UploadCache {
  /** Shards, by a digest of their pages' files as the build's manifest describes them. */
  shards: Record<string, Named>;
  /** By path: the stat and name of each file that is not a page. */
  files: Record<string, { stat: RecordedStat; name: string }>;
  /** By bucket: the release last published from here; removed while a publication is unfinished. */
  left: Record<string, string>;
}

const NAME = "releases.json";
const FORMAT = 3;

/** @param cache the folder of the output's manifests. */
function loadUploadCache(cache: string): UploadCache {
  try {
    const saved = JSON.parse(readFileSync(join(cache, NAME), "utf8")) as UploadCache & { format: number };
    if (saved.format === FORMAT) return saved;
  } catch {
    // Missing or damaged: the publication reads everything again.
  }
  return { shards: {}, files: {}, left: {} };
}

/** Replaces the saved data atomically. If that fails, the next publication only has more to do. */
function saveUploadCache(cache: string, { shards, files, left }: UploadCache): void {
  const path = join(cache, NAME);
  try {
    writeFileSync(`${path}.new`, JSON.stringify({ format: FORMAT, shards, files, left }));
    renameSync(`${path}.new`, path);
  } catch {
    // Nothing is saved.
  }
}

/** The configuration of the Worker that serves a bucket. */
export const BUCKET_CONFIGURATION = "wrangler.bucket.jsonc";

const configurationOf = (site: string): string => resolve(site, BUCKET_CONFIGURATION);

/** Publishes an output to wrangler's local R2, which stores it in a folder. */
export async function publishLocally(site: string, output: Output, folder: string): Promise<void> {
  Object.assign(process.env, wranglerEnvironment);
  const wrangler = createRequire(resolve(site, "package.json")).resolve("wrangler");
  const { getPlatformProxy } = (await import(pathToFileURL(wrangler).href)) as typeof import("wrangler");
  const proxy = await getPlatformProxy<{ BUCKET: R2Bucket; PREFIX: string }>({
    configPath: configurationOf(site),
    persist: { path: resolve(folder, "v3") },
  });
  try {
    const { BUCKET, PREFIX } = proxy.env;
    await publish(output, openR2(BUCKET, PREFIX), { address: folder, concurrency: 8 });
  } finally {
    await proxy.dispose();
  }
}

/** The arguments of `wrangler` that serve the bucket in a folder with the Worker. */
export const bucketArguments = (site: string, folder: string, listen: Listen): string[] => [
  "dev",
  "--local",
  "--config",
  configurationOf(site),
  "--persist-to",
  resolve(folder),
  ...listenArguments(listen),
];
