import { createHash } from "node:crypto";
import { shardCount } from "./format.ts";

/** The pages of one remainder, before any of them is read. */
export interface PlannedShard {
  /** Ascending. */
  ids: number[];
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

interface ShardPlan {
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

export const countPages = (ids: Float64Array): number => ids.filter((id) => id > 0).length;

export function planShards(table: PageColumns): ShardPlan {
  const pages = countPages(table.id);
  const count = shardCount(pages);
  const rows = rowsByRemainder(table.id, count, () => true);
  const shards = Array.from({ length: count }, (_, remainder) => planned(table, rows.get(remainder)));
  return { pages, shards };
}

function planned(
  { id, outSize, outMtime, outCtime, outInode }: PageColumns,
  rows: readonly number[] | undefined,
): PlannedShard | undefined {
  if (rows === undefined) return undefined;
  const hash = createHash("sha256");
  for (const column of [id, outSize, outMtime, outCtime, outInode])
    hash.update(Float64Array.from(rows, (row) => column[row] ?? 0));
  return {
    ids: rows.map((row) => id[row] ?? 0),
    digest: hash.digest("hex"),
    bytes: rows.reduce((sum, row) => sum + (outSize[row] ?? 0), 0),
  };
}
