// The small build of zod: the Worker contains this module.
import * as z from "zod/mini";
import { instantAt, instantOf } from "../base/instant.ts";
import { jsonIn } from "../source/json/object.ts";
import { Damaged, sha256, shardKey } from "../outputs/shards/format.ts";
import { countSchema, namedSchema, shardsSchema } from "../outputs/shards/schema.ts";
import { NewerFormat } from "./store.ts";

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
