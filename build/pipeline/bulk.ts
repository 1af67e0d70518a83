import { join } from "node:path";
import { BULK_INDEX } from "../base/api.ts";
import { forEachConcurrent } from "../base/concurrent.ts";
import { readBytes } from "../base/file.ts";
import { sameStat, statAt, statIfThere } from "../base/stat.ts";
import { finding, startOf, type Finding } from "../findings/finding.ts";
import type { BulkState, Manifest } from "../manifest/manifest.ts";
import { hasBulk, removeBulk, removeOtherShards, shardFile } from "../output/bulk.ts";
import type { PageTable } from "../manifest/page-table.ts";
import type { Layout } from "../output/layout.ts";
import type { Publication } from "../output/publish.ts";
import { Damaged, MAX_ZIP_BYTES, printIndex, shardCount, type Named, type Shards } from "../shards/format.ts";
import type { Listing } from "../sources/listing.ts";
import type { Discovery } from "./discover.ts";
import type { BuildOptions } from "./outcome.ts";
import type { Plan } from "./plan.ts";
import { responsePath } from "./replace.ts";

/**
 * All pages as ZIP files (“Bulk download” in docs/design.md). An edit of a page changes only one of them.
 */

/** Maximum number of shards that are packed at a time. */
const MAX_CONCURRENCY = 4;

export const wantsBulk = ({ bulk }: BuildOptions, { site }: Discovery): boolean =>
  bulk ?? site?.bulk === true;

/** Whether the bulk download in the output is unchanged, or is missing as it should be. */
export const isBulkUnchanged = (layout: Layout, isWanted: boolean, known: BulkState | undefined): boolean =>
  isWanted ? isAsLeft(layout, known) : !hasBulk(layout);

const isAsLeft = (layout: Layout, known: BulkState | undefined): known is BulkState =>
  known !== undefined &&
  isSame(join(layout.root, BULK_INDEX), known.index) &&
  known.files.every(([name, before]) => isSame(shardFile(layout, name), before));

function isSame(path: string, before: BulkState["index"]): boolean {
  const now = statIfThere(path);
  return now !== undefined && sameStat(now, before);
}

export interface StagedBulk {
  shards: Shards;
  findings: Finding[];
}

/** Packs the shards whose pages were read, or all shards, and stages new ones; before anything is renamed. */
export async function stageBulk(
  publication: Publication,
  { listing }: Discovery,
  plan: Plan,
  outcomes: Uint8Array,
  manifest: Manifest | undefined,
): Promise<StagedBulk> {
  const { layout } = publication;
  const { id: ids } = plan.table;
  const { countPages, rowsByRemainder } = await import("../shards/plan.ts");
  const pages = countPages(ids);
  const count = shardCount(pages);
  const known = isAsLeft(layout, manifest?.bulk) ? manifest?.bulk : undefined;
  const read =
    manifest !== undefined && known?.shards.length === count
      ? remaindersRead(plan, manifest, count)
      : undefined;
  const rows = rowsByRemainder(ids, count, (remainder) => read?.has(remainder) ?? true);
  const shards = Array.from({ length: count }, (_, remainder) =>
    read?.has(remainder) === false ? (known?.shards[remainder] ?? null) : null,
  );
  const published = new Set(known?.files.map(([name]) => name));
  const findings: Finding[] = [];
  const { openPacker } = await import("../shards/packer.ts");
  const packer = openPacker(rows.size);
  try {
    await forEachConcurrent(rows, MAX_CONCURRENCY, async ([remainder, among]) => {
      const files = among.map((row) => {
        const id = ids[row] ?? 0;
        return { id, path: responsePath(layout, id, outcomes[row] ?? 0) };
      });
      await packer.pack(files, async (named, zip) => {
        shards[remainder] = named;
        if (published.has(named[0]) || (await isPublished(layout, named, remainder, count))) return;
        const bytes = await zip();
        if (bytes.length <= MAX_ZIP_BYTES) publication.stageShard(named[0], bytes);
        else findings.push(tooLarge(listing, plan.table, bytes.length, among));
      });
    });
  } finally {
    await packer.close();
  }
  publication.stageStaticFiles(new Map([[BULK_INDEX, printIndex({ pages, shards })]]));
  return { shards, findings };
}

/** The finding about a ZIP file that is too large; its location is the largest page. */
function tooLarge(
  listing: Listing,
  { id, outSize }: PageTable,
  bytes: number,
  among: readonly number[],
): Finding {
  const largest = among.reduce((a, b) => ((outSize[b] ?? 0) > (outSize[a] ?? 0) ? b : a));
  const page = { id: id[largest] ?? 0, size: outSize[largest] ?? 0 };
  const args = { bytes, limit: MAX_ZIP_BYTES, pages: among.length, ...page };
  return finding("bulk-shard-size", args, startOf(listing.path(largest)));
}

/** The remainders of all ids whose pages may have changed, including removed pages. */
function remaindersRead(
  { table, matches, toRead, gone }: Plan,
  manifest: Manifest,
  count: number,
): Set<number> {
  const remainders = new Set<number>();
  for (const file of toRead) {
    remainders.add((table.id[file] ?? 0) % count);
    const old = matches[file] ?? -1;
    if (old !== -1) remainders.add((manifest.table.id[old] ?? 0) % count);
  }
  for (const old of gone) remainders.add((manifest.table.id[old] ?? 0) % count);
  return remainders;
}

/** Whether a valid shard of this name is published, although the manifest does not list it. */
async function isPublished(layout: Layout, named: Named, remainder: number, count: number): Promise<boolean> {
  const [name, bytes] = named;
  const path = shardFile(layout, name);
  const zip = readBytes(path);
  if (zip === undefined) return false;
  const { openShard } = await import("../shards/unzip.ts");
  try {
    openShard(zip, { key: path, name, bytes, remainder, count });
    return true;
  } catch (cause) {
    if (cause instanceof Damaged) return false;
    throw cause;
  }
}

/** Removes the shards that the published index does not name, or the whole bulk download. */
export function settleBulk(layout: Layout, staged: StagedBulk | undefined): BulkState | undefined {
  if (staged === undefined) {
    removeBulk(layout);
    return undefined;
  }
  const names = staged.shards.flatMap((named) => (named === null ? [] : [named[0]]));
  removeOtherShards(layout, new Set(names));
  return {
    shards: staged.shards,
    index: statAt(join(layout.root, BULK_INDEX)),
    files: names.map((name) => [name, statAt(shardFile(layout, name))]),
  };
}
