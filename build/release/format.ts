import { createHash } from "node:crypto";
import { Damaged } from "./store.ts";

/** What lies in a bucket (DESIGN, section 12). Objects are named by what they hold, so none of them ever changes. */
export interface Release {
  format: 1;
  pages: number;
  /** By remainder of the id: the shard's name, and its pages' bytes before they are deflated. */
  shards: (Named | null)[];
  /** By path in the output. */
  files: Record<string, Named>;
  /** The text of `_headers`. */
  headers: string;
}

export type Named = readonly [name: string, bytes: number];

/** The one object that changes. */
export interface Pointer {
  format: 1;
  release: string;
  /** Newest first. */
  former: string[];
}

export const POINTER = "current.json";
export const shardKey = (name: string): string => `shards/${name}.zip`;
export const fileKey = (name: string): string => `files/${name}`;
export const releaseKey = (name: string): string => `releases/${name}.json`;

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash("sha256").update(bytes).digest("hex");

const PAGES_A_SHARD = 128;

/** The smallest power of two with at most 128 pages a shard on average. */
export function shardCount(pages: number): number {
  let count = 1;
  while (count * PAGES_A_SHARD < pages) count *= 2;
  return count;
}

/** The objects of a release, each once, by key. */
export function objectsOf({ shards, files }: Release): Set<string> {
  const keys = new Set<string>();
  for (const shard of shards) if (shard !== null) keys.add(shardKey(shard[0]));
  for (const [name] of Object.values(files)) keys.add(fileKey(name));
  return keys;
}

/** A release as it is kept, and the name that follows from that. */
export function printRelease({ format, pages, shards, files, headers }: Release): {
  name: string;
  bytes: Buffer;
} {
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  const bytes = Buffer.from(JSON.stringify({ format, pages, shards, files: sorted, headers }));
  return { name: sha256(bytes), bytes };
}

const NAME = /^[\da-f]{64}$/;
const isName = (value: unknown): value is string => typeof value === "string" && NAME.test(value);
const isNamed = (value: unknown): value is Named =>
  Array.isArray(value) && value.length === 2 && isName(value[0]) && Number.isSafeInteger(value[1]);

/** @throws Damaged where these are not the bytes of that release. */
export function parseRelease(name: string, bytes: Uint8Array): Release {
  const key = releaseKey(name);
  if (sha256(bytes) !== name) throw new Damaged(key, "its hash is another");
  const { format, pages, shards, files, headers } = parse(key, bytes) as Partial<Release>;
  const isWhole =
    format === 1 &&
    Number.isSafeInteger(pages) &&
    Array.isArray(shards) &&
    shards.every((shard) => shard === null || isNamed(shard)) &&
    typeof files === "object" &&
    Object.values(files).every(isNamed) &&
    typeof headers === "string";
  if (!isWhole) throw new Damaged(key, "this program does not know its format");
  return { format, pages: pages ?? 0, shards, files, headers };
}

/** @throws Damaged */
export function parsePointer(bytes: Uint8Array): Pointer {
  const { format, release, former } = parse(POINTER, bytes) as Partial<Pointer>;
  if (format !== 1 || !isName(release) || !Array.isArray(former) || !former.every(isName))
    throw new Damaged(POINTER, "this program does not know its format");
  return { format, release, former };
}

function parse(key: string, bytes: Uint8Array): object {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Said below.
  }
  throw new Damaged(key, "it is not JSON");
}
