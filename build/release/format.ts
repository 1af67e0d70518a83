import * as z from "zod/mini";
import { Failure } from "../base/failure.ts";
import { Damaged, sha256, shardKey } from "../outputs/shards/format.ts";
import { instantAt, instantOf } from "../base/instant.ts";
import { jsonIn } from "../source/json/object.ts";
import { countSchema, namedSchema, shardsSchema } from "../outputs/shards/schema.ts";

/** A range of an object's bytes: `length` bytes from `start`, or the `last` bytes. */
export type Range = { start: number; length: number } | { last: number };

export interface FoundObject {
  bytes: Uint8Array;
  /** The offset of the bytes in the object. */
  start: number;
  size: number;
  etag: string;
  /** When it was uploaded, in milliseconds, if the store reports that. */
  put?: number | undefined;
}

export interface ObjectInfo {
  key: string;
  size: number;
  /** Milliseconds since its upload, by the store's own clock. */
  age: number;
}

/** The condition of an upload: the object still has this tag, or does not exist. */
export type Condition = { etag: string } | "absent";

export interface ReadableStore {
  /** @throws Unavailable */
  get: (key: string, range?: Range) => Promise<FoundObject | undefined>;
}

/** An object store with an S3 interface. Keys are below a prefix. */
export interface ObjectStore extends ReadableStore {
  head: (key: string) => Promise<ObjectInfo | undefined>;
  /** @throws Unavailable unless the object is stored. */
  put: (key: string, bytes: Uint8Array) => Promise<void>;
  /** Uploads the object if the condition is true. @returns whether it did. */
  putIf: (key: string, bytes: Uint8Array, condition: Condition) => Promise<boolean>;
  /** Whether the store refuses an upload if the condition is false. It tries with the object's own bytes. */
  keepsConditions: (key: string, bytes: Uint8Array) => Promise<boolean>;
  list: (prefix: string) => AsyncIterable<ObjectInfo>;
  remove: (key: string) => Promise<void>;
}

/** The store cannot be reached or does not respond usefully. */
export class Unavailable extends Failure {}

/** The store refuses, and would refuse the same request again: there is no such bucket, or no permission. */
export class Refused extends Unavailable {}

export class Missing extends Damaged {
  constructor(key: string) {
    super(key, "there is no such object in the bucket");
  }
}

/** @throws Missing */
export async function readObject(store: ReadableStore, key: string, range?: Range): Promise<FoundObject> {
  const found = await store.get(key, range);
  if (found === undefined) throw new Missing(key);
  return found;
}

export class NewerFormat extends Damaged {
  constructor(key: string) {
    super(
      key,
      "it has the format of a newer version of this program. Use that version; if the object is damaged, publish with npm run deploy -- --bucket … --full",
    );
  }
}

const NAME = /^[\da-f]{64}$/;

const nameSchema = z.string().check(z.regex(NAME));
/** A relative path that cannot lead out of its folder. */
const pathSchema = z.string().check(z.refine((at) => !at.includes("\0") && !at.split("/").some(isNoName)));
const isNoName = (part: string): boolean => part === "" || part === "." || part === "..";
const instantSchema = z
  .string()
  .check(z.refine((text) => text.endsWith("Z") && !Number.isNaN(Date.parse(text))));

const releaseSchema = z.object({
  format: z.literal(1),
  pages: countSchema,
  /** By remainder of the id: the shard's name, and its number of bytes before compression. */
  shards: shardsSchema,
  /** The files of the pages below each page, by the remainder of that page's id; left out if there are none. */
  index: z.optional(shardsSchema),
  /** The other files, by path in the output. */
  files: z.record(pathSchema, namedSchema),
  headers: z.string(),
  /** Whether the bucket server offers the shards as a bulk download; left out if it does not. */
  bulk: z.optional(z.literal(true)),
});
/** A release in a bucket (“Releases” in docs/reference.md). Named by content, its objects never change. */
export type Release = z.infer<typeof releaseSchema>;

const noteSchema = z.object({ by: z.optional(z.string()), commit: z.optional(z.string()) });
export type PublicationNote = z.infer<typeof noteSchema>;

const pointerSchema = z.object({
  format: z.literal(2),
  release: nameSchema,
  /** Newest first. */
  former: z.array(nameSchema),
  /** The timeline, sorted by time: from each instant on, another release is the current one. */
  then: z.array(z.tuple([instantSchema, nameSchema])),
  notes: z.optional(z.record(nameSchema, noteSchema)),
});
/** The only object that changes. A pointer of format 1 has no timeline. */
export type Pointer = z.infer<typeof pointerSchema>;

export const currentAt = ({ release, then }: Pointer, milliseconds: number): string =>
  then.findLast(([from]) => instantOf(from) <= instantAt(milliseconds))?.[1] ?? release;

/** The pointer as of an instant: passed entries of the timeline become current and previous releases. */
export function pointerAt(pointer: Pointer, milliseconds: number): Pointer {
  const now = instantAt(milliseconds);
  const passed = pointer.then.filter(([from]) => instantOf(from) <= now).map(([, name]) => name);
  if (passed.length === 0) return pointer;
  const release = currentAt(pointer, milliseconds);
  const before = [...passed.reverse(), pointer.release, ...pointer.former];
  const former = [...new Set(before)].filter((name) => name !== release);
  const then = pointer.then.filter(([from]) => instantOf(from) > now);
  return { ...pointer, release, former, then };
}

export const POINTER = "current.json";
export const fileKey = (name: string): string => `files/${name}`;
export const releaseKey = (name: string): string => `releases/${name}.json`;

export function objectsOf({ shards, index = [], files }: Release): Set<string> {
  const keys = new Set<string>();
  for (const shard of [...shards, ...index]) if (shard !== null) keys.add(shardKey(shard[0]));
  for (const [name] of Object.values(files)) keys.add(fileKey(name));
  return keys;
}

/** The stored bytes of a release, and its name, which is their hash. */
export function printRelease({ format, pages, shards, index, files, headers, bulk }: Release) {
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  const bytes = Buffer.from(JSON.stringify({ format, pages, shards, index, files: sorted, headers, bulk }));
  return { name: sha256(bytes), bytes };
}

/** Whether this program could have given the name; any other object is third-party. */
export const isOwnKey = (key: string): boolean => OWN_KEY.test(key);
const OWN_KEY = /^(?:shards\/[\da-f]{64}\.zip|files\/[\da-f]{64}|releases\/[\da-f]{64}\.json)$/;

const firstPointer = z.object({ format: z.literal(1), release: nameSchema, former: z.array(nameSchema) });
const formatted = z.object({ format: z.int() });

/** @throws Damaged if the bytes do not have the hash `of`, or are not a release. */
export function parseRelease(of: string, bytes: Uint8Array): Release {
  const key = releaseKey(of);
  if (sha256(bytes) !== of) throw new Damaged(key, "its hash does not match");
  return parse(key, valueOf(key, bytes), releaseSchema, 1);
}

/** @throws Damaged */
export function parsePointer(bytes: Uint8Array): Pointer {
  const value = valueOf(POINTER, bytes);
  const first = firstPointer.safeParse(value);
  return first.success ? { ...first.data, format: 2, then: [] } : parse(POINTER, value, pointerSchema, 2);
}

function valueOf(key: string, bytes: Uint8Array): unknown {
  const value = jsonIn(Buffer.from(bytes).toString());
  if (value === undefined) throw new Damaged(key, "it is not JSON");
  return value;
}

const formatOf = (value: unknown): number | undefined => formatted.safeParse(value).data?.format;

/** @param format the newest format that this version reads. */
function parse<T>(key: string, value: unknown, schema: z.ZodMiniType<T>, format: number): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if ((formatOf(value) ?? 0) > format) throw new NewerFormat(key);
  const at = parsed.error.issues[0]?.path.map(String).join("/") ?? "";
  throw new Damaged(key, `it has an unexpected value${at === "" ? "" : ` at ${at}`}`);
}

export async function readPointer(store: ReadableStore) {
  const found = await store.get(POINTER);
  return found && { pointer: parsePointer(found.bytes), etag: found.etag };
}

/** The pointer for a command that replaces it or can work without it. */
export interface Replaceable {
  /** Undefined if there is none, or if it is damaged. */
  pointer: Pointer | undefined;
  /** The pointer as it was written: its release may no longer be the current one. */
  written: PointedReleases | undefined;
  /** Undefined if there is none. */
  etag: string | undefined;
  damage: Damaged | undefined;
  /** The releases to which the site can return, newest first, including the current one if it is known. */
  releases: string[];
}

const NONE = { pointer: undefined, written: undefined };

/**
 * Reads the pointer. If it is damaged, `releases` lists all releases in the bucket, last uploaded first: the
 * order in which they were published is lost.
 *
 * @param at the instant that decides which release is current.
 * @param isForced whether a pointer that a newer version may have written counts as damaged.
 * @throws NewerFormat
 */
export async function readReplaceable(
  store: ObjectStore,
  at: number,
  isForced = false,
): Promise<Replaceable> {
  const found = await store.get(POINTER);
  if (found === undefined) return { ...NONE, etag: undefined, damage: undefined, releases: [] };
  const { bytes, etag } = found;
  try {
    const written = parsePointer(bytes);
    const pointer = pointerAt(written, at);
    return { pointer, written, etag, damage: undefined, releases: [pointer.release, ...pointer.former] };
  } catch (cause) {
    // A newer version can read its own pointer, so it is not damaged.
    if (!(cause instanceof Damaged) || (cause instanceof NewerFormat && !isForced)) throw cause;
    return { ...NONE, etag, damage: cause, releases: await releasesIn(store) };
  }
}

/** The names of all releases in the bucket, last uploaded first. */
async function releasesIn(store: ObjectStore): Promise<string[]> {
  const [before, after] = releaseKey("|").split("|") as [string, string];
  const found: { name: string; age: number }[] = [];
  for await (const { key, age } of store.list(before))
    if (isOwnKey(key)) found.push({ name: key.slice(before.length, -after.length), age });
  return found.sort((a, b) => a.age - b.age).map(({ name }) => name);
}

export const readRelease = async (store: ReadableStore, name: string): Promise<Release> =>
  (await readDatedRelease(store, name)).release;

export async function readDatedRelease(store: ReadableStore, name: string) {
  const { bytes, put } = await readObject(store, releaseKey(name));
  return { release: parseRelease(name, bytes), put };
}

/** A release; undefined if it is damaged or missing. Its objects then count as unknown. */
export async function readUsable(store: ReadableStore, name: string): Promise<Release | undefined> {
  try {
    return await readRelease(store, name);
  } catch (cause) {
    if (cause instanceof Damaged) return undefined;
    throw cause;
  }
}

/** Maximum number of previous releases in the pointer. */
const MAX_FORMER = 100;

/** The pointer with another current release; the one that was current becomes the first previous one. */
export function movedTo(
  release: string,
  { releases, pointer }: Pick<Replaceable, "releases"> & { pointer?: Pointer | undefined },
  then: Pointer["then"] = [],
  notes: Pointer["notes"] = {},
): Pointer {
  const former = releases.filter((name) => name !== release).slice(0, MAX_FORMER);
  return withNotes({ format: 2, release, former, then, notes: { ...pointer?.notes, ...notes } });
}

/** Removes the notes on releases that the pointer does not name. */
export function withNotes({ notes = {}, ...pointer }: Pointer): Pointer {
  const named = new Set([pointer.release, ...pointer.former, ...pointer.then.map(([, name]) => name)]);
  const kept = Object.entries(notes).filter(([name]) => named.has(name));
  return kept.length === 0 ? pointer : { ...pointer, notes: Object.fromEntries(kept) };
}

type PointedReleases = Pick<Pointer, "release" | "then">;

export const areAlike = (one: PointedReleases | undefined, other: PointedReleases | undefined): boolean =>
  one?.release === other?.release && JSON.stringify(one?.then) === JSON.stringify(other?.then);

/** Maximum number of attempts to replace the pointer, if other processes keep changing it. */
const MAX_TRIES = 20;

/**
 * Moves the pointer, if another process has not changed the current release or the timeline since `before`.
 * Concurrent changes of the previous releases are kept.
 *
 * @param at the instant that decides which release is current.
 * @param next makes the new pointer from the current one.
 * @returns the releases of another process's pointer; undefined if the pointer was moved.
 */
export async function movePointer(
  store: ObjectStore,
  before: Replaceable,
  at: number,
  next: (now: Replaceable) => Pointer,
): Promise<PointedReleases | undefined> {
  let now = before;
  for (let i = 0; i < MAX_TRIES; i++) {
    const wanted = next(now);
    const condition = now.etag === undefined ? "absent" : { etag: now.etag };
    if (await store.putIf(POINTER, Buffer.from(JSON.stringify(wanted)), condition)) return undefined;
    const found = await readReplaceable(store, at);
    // The upload succeeded, and only its response was lost.
    if (JSON.stringify(found.pointer) === JSON.stringify(wanted)) return undefined;
    if (
      !areAlike(found.pointer, before.pointer) ||
      (found.etag === undefined) !== (before.etag === undefined)
    )
      return { release: found.pointer?.release ?? "none", then: found.pointer?.then ?? [] };
    now = found;
  }
  throw new Unavailable(`The bucket refuses again and again to replace ${POINTER}.`);
}
