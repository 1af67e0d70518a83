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
  const { id: ids } = table;
  let pages = 0;
  for (let row = 0; row < ids.length; row++) if ((ids[row] ?? 0) > 0) pages++;
  if (pages === 0) throw new Failure("There are no pages to publish.");
  const rows: number[][] = Array.from({ length: shardCount(pages) }, () => []);
  for (let row = 0; row < ids.length; row++) {
    const id = ids[row] ?? 0;
    if (id > 0) rows[id % rows.length]?.push(row);
  }
  return { pages, shards: rows.map((some) => (some.length === 0 ? undefined : planned(table, some))) };
}

/** What is known of a page: its id, and its file's size, times and inode. */
const KNOWN = 5;

function planned({ id, outSize, outMtime, outCtime, outInode }: PageTable, rows: number[]): PlannedShard {
  rows.sort((a, b) => (id[a] ?? 0) - (id[b] ?? 0));
  const known = new Float64Array(KNOWN * rows.length);
  let bytes = 0;
  for (const [i, row] of rows.entries()) {
    const at = KNOWN * i;
    known[at] = id[row] ?? 0;
    known[at + 1] = outSize[row] ?? 0;
    known[at + 2] = outMtime[row] ?? 0;
    known[at + 3] = outCtime[row] ?? 0;
    known[at + 4] = outInode[row] ?? 0;
    bytes += outSize[row] ?? 0;
  }
  const digest = createHash("sha256").update(known).digest("hex");
  return { ids: rows.map((row) => id[row] ?? 0), digest, bytes };
}
