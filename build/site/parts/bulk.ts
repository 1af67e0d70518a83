import { join } from "node:path";
import { BULK_INDEX, shardPath } from "../../base/api.ts";
import { forEachConcurrent } from "../../base/concurrent.ts";
import { readBytes } from "../../base/file.ts";
import { finding, startOf, type Finding } from "../../findings/finding.ts";
import type { BulkState, Manifest } from "../manifest/manifest.ts";
import type { PageTable } from "../manifest/page-table.ts";
import { BULK } from "../output/own-files.ts";
import {
  Damaged,
  MAX_ZIP_BYTES,
  printIndex,
  shardCount,
  type Named,
  type Shard,
  type Shards,
} from "../../outputs/shards/format.ts";
import type { SourceIndex } from "../../source/source-index.ts";
import type { Discovery } from "../discover.ts";
import type { BuildOptions } from "../outcome.ts";
import { areUntouched, optionalPart, type Part, type PartFiles, type Staging } from "./part.ts";
import type { StepContext } from "../step.ts";
import type { Plan } from "../plan.ts";
import { responsePath } from "../replace.ts";

/** Maximum number of shards that are packed at a time. */
const MAX_CONCURRENCY = 4;

export const wantsBulk = ({ bulk }: BuildOptions, { site }: Discovery): boolean =>
  bulk ?? site?.bulk === true;

/** All pages as ZIP files (“Bulk download” in docs/reference.md). An edit of a page changes only one of them. */
export function bulkPart(context: StepContext): Part<BulkState | undefined> {
  const { options, folders, discovery, plan, manifest } = context;
  const { layout } = folders;
  const { id: ids } = plan.table;
  const last = manifest?.bulk;
  let shards: (Named | null)[] = [];
  const wanted = {
    known: undefined,
    isUnchanged: () => last !== undefined && areUntouched(layout, last),
    stage: async ({ publication, pages: { states } }: Staging, files: PartFiles) => {
      // Packing starts its own threads, which need the memory of this one.
      await context.thread.dismiss();
      const { countPages, rowsByRemainder } = await import("../../outputs/shards/plan.ts");
      const pages = countPages(ids);
      const count = shardCount(pages);
      const known = last !== undefined && areUntouched(layout, last) ? last.shards : [];
      const read =
        manifest !== undefined && known.length === count ? remaindersRead(plan, manifest, count) : undefined;
      const rows = rowsByRemainder(ids, count, (remainder) => read?.has(remainder) ?? true);
      shards = Array.from({ length: count }, (_, remainder) =>
        read?.has(remainder) === false ? (known[remainder] ?? null) : null,
      );
      const published = new Set(namesOf(known));
      const findings: Finding[] = [];
      const { openPacker } = await import("../../outputs/shards/packer.ts");
      const packer = openPacker(rows.size);
      try {
        await forEachConcurrent(rows, MAX_CONCURRENCY, async ([remainder, among]) => {
          const responses = among.map((row) => {
            const id = ids[row] ?? 0;
            return { id, path: responsePath(layout, id, states[row]) };
          });
          await packer.pack(responses, async (named, zip) => {
            const [name, bytes] = named;
            shards[remainder] = named;
            const shard = { key: join(layout.root, shardPath(name)), name, bytes, remainder, count };
            if (published.has(name) || (await isValidShard(shard))) return;
            const packed = await zip();
            if (packed.length <= MAX_ZIP_BYTES) publication.stage(shardPath(name), packed);
            else findings.push(tooLarge(discovery.listing, plan.table, packed.length, among));
          });
        });
      } finally {
        await packer.close();
      }
      for (const name of namesOf(shards)) files.keep(shardPath(name));
      // Shards precede the index that names them.
      files.put(BULK_INDEX, printIndex({ pages, shards }));
      return findings;
    },
    state: () => ({ shards }),
  };
  return optionalPart(layout, BULK, wantsBulk(options, discovery) ? wanted : undefined);
}

const namesOf = (shards: Shards): string[] => shards.flatMap((named) => (named === null ? [] : [named[0]]));

/** The finding about a ZIP file that is too large; its location is the largest page. */
function tooLarge(
  listing: SourceIndex,
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
  { table, matches, toRead, removed }: Plan,
  manifest: Manifest,
  count: number,
): Set<number> {
  const remainders = new Set<number>();
  for (const file of toRead) {
    remainders.add((table.id[file] ?? 0) % count);
    const old = matches[file] ?? -1;
    if (old !== -1) remainders.add((manifest.table.id[old] ?? 0) % count);
  }
  for (const old of removed) remainders.add((manifest.table.id[old] ?? 0) % count);
  return remainders;
}

/** Whether a valid shard is published, although the manifest does not list it. */
async function isValidShard(shard: Shard): Promise<boolean> {
  const zip = readBytes(shard.key);
  if (zip === undefined) return false;
  const { openShard } = await import("../../outputs/shards/unzip.ts");
  try {
    openShard(zip, shard);
    return true;
  } catch (cause) {
    if (cause instanceof Damaged) return false;
    throw cause;
  }
}
