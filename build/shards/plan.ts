import { createHash } from "node:crypto";
import { shardCount } from "./format.ts";

/** The pages of one remainder, before any of them is read. */
export interface PlannedShard {
  /** Ascending. */
  ids: () => number[];
  /** A hash of the manifest's columns for these pages: it changes if the file of one of them changes. */
  digest: string;
  /** The total size of the pages before they are deflated. */
  bytes: number;
}

/** The columns of the build's table about published pages. The id is 0 if a row has no published page. */
export interface PageColumns {
  id: Float64Array;
  outSize: Uint32Array;
  outMtime: Float64Array;
  outCtime: Float64Array;
  outInode: Float64Array;
}

export interface ShardPlan {
  pages: number;
  /** By remainder of the id; undefined if no page has the remainder. */
  shards: (PlannedShard | undefined)[];
}

/** The rows of the pages with each remainder of the id, by ascending id. */
export function rowsByRemainder(
  ids: Float64Array,
  count: number,
  isWanted: (remainder: number) => boolean,
): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  for (let row = 0; row < ids.length; row++) {
    const id = ids[row] as number;
    if (!(id > 0) || !isWanted(id % count)) continue;
    const among = rows.get(id % count);
    if (among === undefined) rows.set(id % count, [row]);
    else among.push(row);
  }
  for (const among of rows.values()) among.sort((a, b) => (ids[a] as number) - (ids[b] as number));
  return rows;
}

export const countPages = (ids: Float64Array): number => {
  let pages = 0;
  for (const id of ids) if (id > 0) pages++;
  return pages;
};

/** Numbers per page in the table below: the id, and the size, times and inode of the file. */
const KNOWN = 5;

export function planShards(table: PageColumns): ShardPlan {
  const { id: ids, outSize, outMtime, outCtime, outInode } = table;
  const pages = countPages(ids);
  const count = shardCount(pages);
  // By shard: the position of its first page; the last entry is the number of pages.
  const ends = new Uint32Array(count + 1);
  for (const id of ids) if (id > 0) (ends[(id % count) + 1] as number)++;
  for (let shard = 1; shard <= count; shard++) (ends[shard] as number) += ends[shard - 1] as number;
  const starts = ends.slice();
  const known = new Float64Array(KNOWN * pages);
  for (let row = 0; row < ids.length; row++) {
    const id = ids[row] as number;
    if (!(id > 0)) continue;
    const at = KNOWN * (starts[id % count] as number);
    (starts[id % count] as number)++;
    known[at] = id;
    known[at + 1] = outSize[row] as number;
    known[at + 2] = outMtime[row] as number;
    known[at + 3] = outCtime[row] as number;
    known[at + 4] = outInode[row] as number;
  }
  const shards = Array.from({ length: count }, (_, shard) =>
    planned(known.subarray(KNOWN * (ends[shard] as number), KNOWN * (ends[shard + 1] as number))),
  );
  return { pages, shards };
}

function planned(known: Float64Array): PlannedShard | undefined {
  if (known.length === 0) return undefined;
  let bytes = 0;
  for (let at = 1; at < known.length; at += KNOWN) bytes += known[at] as number;
  return {
    ids: () => [...known.filter((_, at) => at % KNOWN === 0).sort()],
    digest: createHash("sha256").update(known).digest("hex"),
    bytes,
  };
}
