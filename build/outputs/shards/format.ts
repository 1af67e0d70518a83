import { createHash } from "node:crypto";
import { Failure } from "../../base/failure.ts";

/** ZIP files of pages, named by the SHA-256 of their pages before they are deflated (“Releases” in docs/reference.md). */

/** The name of a file and its size in bytes; for a shard, the size of its pages before they are deflated. */
export type Named = readonly [name: string, bytes: number];

/** The shards by the remainder of the id; null if no page has the remainder. */
export type Shards = readonly (Named | null)[];

export const shardKey = (name: string): string => `shards/${name}.zip`;

/** The shards of all pages: part of a release, or the index of a bulk download (“Bulk download” in docs/reference.md). */
export interface BulkIndex {
  format: 1;
  pages: number;
  shards: Shards;
}

export const printIndex = ({ pages, shards }: Pick<BulkIndex, "pages" | "shards">): Buffer =>
  Buffer.from(JSON.stringify({ format: 1, pages, shards } satisfies BulkIndex));

/** Maximum bytes of a shard's ZIP file in a bulk download: static hosts refuse larger files. */
export const MAX_ZIP_BYTES = 25 * 2 ** 20;

/** A shard as its release or index describes it. The ZIP file is checked against this description. */
export interface Shard {
  key: string;
  name: string;
  /** The total size of its pages before they are deflated. */
  bytes: number;
  /** The remainder of each of its ids divided by the number of shards. */
  remainder: number;
  count: number;
}

export function shardAt({ shards }: { shards: Shards }, remainder: number): Shard | undefined {
  const named = shards[remainder];
  if (named === undefined || named === null) return undefined;
  const [name, bytes] = named;
  return { key: shardKey(name), name, bytes, remainder, count: shards.length };
}

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash("sha256").update(bytes).digest("hex");

const PAGES_A_SHARD = 128;

/** The smallest power of two with at most 128 pages per shard on average. */
export function shardCount(pages: number): number {
  let count = 1;
  while (count * PAGES_A_SHARD < pages) count *= 2;
  return count;
}

/** A file is missing, or its content does not match its name. */
export class Damaged extends Failure {
  readonly key: string;
  constructor(key: string, reason: string) {
    super(`${key}: ${reason}.`);
    this.key = key;
  }
}
