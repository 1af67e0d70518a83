import { createHash } from "node:crypto";
// The small build of zod: the Worker contains this module.
import * as z from "zod/mini";
import { Damaged, NewerFormat } from "./store.ts";

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

/** A shard and what its release says of it: the ZIP file is checked against this. */
export interface Shard {
  key: string;
  name: string;
  /** Of its pages together, before they are deflated. */
  bytes: number;
  /** The remainder of each of its ids by the number of shards. */
  remainder: number;
  count: number;
}

/** The shard of the pages with this remainder; undefined if there are none. */
export function shardAt({ shards }: Release, remainder: number): Shard | undefined {
  const named = shards[remainder];
  if (named === undefined || named === null) return undefined;
  const [name, bytes] = named;
  return { key: shardKey(name), name, bytes, remainder, count: shards.length };
}

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

/** Whether an object has one of the names above; any other object is third-party. */
export const isOwnKey = (key: string): boolean => OWN_KEY.test(key);
const OWN_KEY = /^(?:shards\/[\da-f]{64}\.zip|files\/[\da-f]{64}|releases\/[\da-f]{64}\.json)$/;

const count = z.int().check(z.nonnegative());
const name = z.string().check(z.regex(NAME));
const named = z.readonly(z.tuple([name, count]));
/** A relative path that leads nowhere else. */
const path = z.string().check(z.refine((at) => !at.includes("\0") && !at.split("/").some(isNoName)));
const isNoName = (part: string): boolean => part === "" || part === "." || part === "..";

const release: z.ZodMiniType<Release> = z.object({
  format: z.literal(1),
  pages: count,
  shards: z.array(z.nullable(named)).check(z.minLength(1)),
  files: z.record(path, named),
  headers: z.string(),
});
const pointer: z.ZodMiniType<Pointer> = z.object({
  format: z.literal(1),
  release: name,
  former: z.array(name),
});
const newer = z.object({ format: z.int().check(z.gt(1)) });

/** @throws Damaged if these are not the bytes of that release. */
export function parseRelease(of: string, bytes: Uint8Array): Release {
  const key = releaseKey(of);
  if (sha256(bytes) !== of) throw new Damaged(key, "its hash is another");
  return parse(key, bytes, release);
}

/** @throws Damaged */
export const parsePointer = (bytes: Uint8Array): Pointer => parse(POINTER, bytes, pointer);

function parse<T>(key: string, bytes: Uint8Array, schema: z.ZodMiniType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    throw new Damaged(key, "it is not JSON");
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (newer.safeParse(value).success) throw new NewerFormat(key);
  const at = parsed.error.issues[0]?.path.map(String).join("/") ?? "";
  throw new Damaged(key, `it has an unexpected value${at === "" ? "" : ` at ${at}`}`);
}
