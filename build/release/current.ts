import {
  isOwnKey,
  parsePointer,
  parseRelease,
  pointerAt,
  POINTER,
  releaseKey,
  type Pointer,
  type Release,
} from "./format.ts";
import { Missing, NewerFormat, Unavailable, type ReadableStore, type ObjectStore } from "./store.ts";
import { Damaged } from "../outputs/shards/format.ts";

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
  const key = releaseKey(name);
  const found = await store.get(key);
  if (found === undefined) throw new Missing(key);
  return { release: parseRelease(name, found.bytes), put: found.put };
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

export type PointedReleases = Pick<Pointer, "release" | "then">;

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
