import { createHash } from "node:crypto";
import { Failure } from "../base/failure.ts";
import type { PageTable } from "../manifest/page-table.ts";
import { shardCount } from "./format.ts";

/** The pages of one remainder, before anything of them is read. */
export interface PlannedShard {
  /** Ascending. */
  ids: number[];
  /** Differs where a file of these pages is not the one that it was: by what the build's manifest knows of them. */
  digest: string;
  /** Before they are deflated. */
  bytes: number;
}

export interface ShardPlan {
  pages: number;
  /** By remainder of the id; undefined where no page has it. */
  shards: (PlannedShard | undefined)[];
}

export function planShards(table: PageTable): ShardPlan {
  const rows: number[] = [];
  for (const [row, id] of table.id.entries()) if (id > 0) rows.push(row);
  const pages = rows.length;
  if (pages === 0) throw new Failure("There are no pages to publish.");
  const count = shardCount(pages);
  const byRemainder: (number[] | undefined)[] = Array.from({ length: count });
  for (const row of rows) (byRemainder[(table.id[row] ?? 0) % count] ??= []).push(row);
  return { pages, shards: byRemainder.map((some) => some && planned(table, some)) };
}

function planned(table: PageTable, rows: number[]): PlannedShard {
  const { id, outSize, outMtime, outCtime, outInode } = table;
  rows.sort((a, b) => (id[a] ?? 0) - (id[b] ?? 0));
  const known = Float64Array.from(
    rows.flatMap((row) =>
      [id, outSize, outMtime, outCtime, outInode].map((column: Float64Array) => column[row] ?? 0),
    ),
  );
  return {
    ids: rows.map((row) => id[row] ?? 0),
    digest: createHash("sha256").update(known).digest("hex"),
    bytes: rows.reduce((sum, row) => sum + (outSize[row] ?? 0), 0),
  };
}
