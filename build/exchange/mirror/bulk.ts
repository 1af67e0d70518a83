import { BULK_INDEX } from "../../base/api.ts";
import { forEachConcurrent } from "../../base/concurrent.ts";
import { Failure } from "../../base/failure.ts";
import { setTimeout as delay } from "node:timers/promises";
import { Damaged, shardAt, type BulkIndex, type Shard } from "../../outputs/shards/format.ts";
import { openPacker, type Packer } from "../../outputs/shards/packer.ts";
import { rowsByRemainder } from "../../outputs/shards/plan.ts";
import { parseIndex } from "../../outputs/shards/schema.ts";
import { openShard, type Directory } from "../../outputs/shards/unzip.ts";
import type { MirrorHost } from "./host.ts";
import { keepPage, removePages, type MirrorWork } from "./work.ts";

/** Maximum bytes of an index, which is enough for about 200,000 shards. */
const MAX_INDEX_BYTES = 16 * 2 ** 20;
/** Maximum bytes of a shard's uncompressed pages: a ZIP file could inflate to a thousand times its size. */
const MAX_SHARD_BYTES = 512 * 2 ** 20;
/** Maximum reads of the index. It is read again if its shards are missing, as after a new release. */
const MAX_READINGS = 5;
/** Maximum downloads of one shard if it arrives damaged. */
const MAX_DOWNLOADS = 2;
/** Milliseconds to wait if the index is still the same although its shards no longer exist. */
const PAUSE_MS = 1000;

/** The index of the bulk download; undefined if the host has none. @throws Failure if it is invalid. */
export async function readIndex(host: MirrorHost): Promise<BulkIndex | undefined> {
  const fetched = await host.fetch(`/${BULK_INDEX}`);
  if (fetched.kind === "missing") return undefined;
  const unusable = (reason: string): Failure =>
    new Failure(`${host.address}/${BULK_INDEX}: ${reason}. Nothing was changed.`);
  if (fetched.kind === "unusable") throw unusable(fetched.reason);
  if (fetched.bytes.length > MAX_INDEX_BYTES)
    throw unusable(`the index has more than ${MAX_INDEX_BYTES / 2 ** 20} MiB`);
  const index = parseIndex(fetched.bytes);
  if (typeof index === "string") throw unusable(`this is not the index of a bulk download: ${index}`);
  return index;
}

/**
 * Downloads the shards whose pages differ from those in the folder. It stores no state, but computes the hash
 * of each shard from the folder's pages, so an interrupted run continues, and local damage is found.
 */
export async function mirrorBulk(work: MirrorWork, first: BulkIndex): Promise<void> {
  const { host, report, options } = work;
  let index = first;
  for (let reading = 1; ; reading++) {
    const missing = await downloadShards(work, index);
    if (missing.length === 0) return;
    if (reading === MAX_READINGS) {
      for (const { key } of missing)
        report.damaged.push(`bulk/${key}: the index names it, but the host does not have it`);
      return;
    }
    const next = await readIndex(host);
    if (next === undefined)
      throw new Failure(`${host.address}: the host has stopped offering a bulk download.`);
    if (JSON.stringify(next) === JSON.stringify(index)) await (options.wait ?? delay)(PAUSE_MS);
    index = next;
  }
}

/** @returns the shards that the host does not have. */
async function downloadShards(work: MirrorWork, index: BulkIndex): Promise<Shard[]> {
  const { folder, options, report } = work;
  const count = index.shards.length;
  const ids = folder.ids();
  const rows = rowsByRemainder(ids, count, () => true);
  const missing: Shard[] = [];
  report.damaged = [];
  report.pages = 0;
  let done = 0;
  const packer = openPacker(rows.size);
  try {
    await forEachConcurrent(index.shards.keys(), options.concurrency, async (remainder) => {
      const local = (rows.get(remainder) ?? []).map((row) => ids[row] ?? 0);
      const shard = shardAt(index, remainder);
      if (shard === undefined) removePages(work, local);
      else if ((await nameOfLocal(work, packer, local)) === shard.name) report.pages += local.length;
      else if (!(await downloadShard(work, shard, local))) missing.push(shard);
      options.progress?.(++done, count);
    });
  } finally {
    await packer.close();
  }
  if (missing.length === 0 && report.damaged.length === 0 && report.pages !== index.pages)
    report.damaged.push(
      `${BULK_INDEX}: it promises ${index.pages} pages, and its shards have ${report.pages}`,
    );
  return missing;
}

const nameOfLocal = async (
  { folder }: MirrorWork,
  packer: Packer,
  local: readonly number[],
): Promise<string | undefined> =>
  local.length === 0
    ? undefined
    : packer.pack(
        local.map((id) => ({ id, path: folder.fileOf(id) })),
        ([name]) => Promise.resolve(name),
      );

/** Downloads a shard and writes its pages. @returns whether the host has the shard. */
async function downloadShard(work: MirrorWork, shard: Shard, local: readonly number[]): Promise<boolean> {
  const { host, report } = work;
  const path = `/bulk/${shard.key}`;
  if (shard.bytes > MAX_SHARD_BYTES) {
    report.damaged.push(
      `${path.slice(1)}: the index promises more than ${MAX_SHARD_BYTES / 2 ** 20} MiB of pages`,
    );
    return true;
  }
  let reason = "";
  for (let download = 1; download <= MAX_DOWNLOADS; download++) {
    const fetched = await host.fetch(path);
    if (fetched.kind === "missing") return false;
    if (fetched.kind === "unusable") reason = fetched.reason;
    else
      try {
        writePages(work, openShard(fetched.bytes, shard), fetched.bytes, shard, local);
        return true;
      } catch (cause) {
        if (!(cause instanceof Damaged)) throw cause;
        reason = cause.message.slice(shard.key.length + 2).replace(/\.$/, "");
      }
  }
  report.damaged.push(`${path.slice(1)}: ${reason}`);
  return true;
}

/** Inflates and writes the pages of a shard one by one, after the hash of all of them was compared. */
function writePages(
  work: MirrorWork,
  { ids }: Directory,
  zip: Uint8Array,
  shard: Shard,
  local: readonly number[],
): void {
  openShard(zip, shard, ({ id, bytes }) => keepPage(work, id, bytes));
  work.report.pages += ids.length;
  const kept = new Set(ids);
  removePages(
    work,
    local.filter((id) => !kept.has(id)),
  );
}
