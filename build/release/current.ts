import {
  isOwnKey,
  parsePointer,
  parseRelease,
  POINTER,
  releaseKey,
  type Pointer,
  type Release,
} from "./format.ts";
import { Damaged, Missing, NewerFormat, Unavailable, type ReadableStore, type Store } from "./store.ts";

export interface CurrentPointer {
  pointer: Pointer;
  etag: string;
}

/** The pointer; undefined where nothing was ever published. */
export async function readPointer(store: ReadableStore): Promise<CurrentPointer | undefined> {
  const found = await store.get(POINTER);
  return found && { pointer: parsePointer(found.bytes), etag: found.etag };
}

/** The pointer as it is for a command that replaces it, or can do without it. */
export interface Replaceable {
  /** Undefined if there is none, or if it is damaged. */
  pointer: Pointer | undefined;
  /** Undefined if there is none. */
  etag: string | undefined;
  damage: Damaged | undefined;
  /** The releases that can be returned to, newest first: the current one too, if it is known. */
  releases: string[];
}

/**
 * Reads the pointer. If it is damaged, the releases in the bucket take its place: those that were put last come first,
 * and their order is lost.
 *
 * @param isForced whether a pointer that a newer version may have written counts as damaged.
 * @throws NewerFormat
 */
export async function readReplaceable(store: Store, isForced = false): Promise<Replaceable> {
  const found = await store.get(POINTER);
  if (found === undefined) return { pointer: undefined, etag: undefined, damage: undefined, releases: [] };
  const { bytes, etag } = found;
  try {
    const pointer = parsePointer(bytes);
    return { pointer, etag, damage: undefined, releases: [pointer.release, ...pointer.former] };
  } catch (cause) {
    // What a newer version wrote is not damaged for that version.
    if (!(cause instanceof Damaged) || (cause instanceof NewerFormat && !isForced)) throw cause;
    return { pointer: undefined, etag, damage: cause, releases: await releasesIn(store) };
  }
}

/** The names of all releases in the bucket, those that were put last first. */
async function releasesIn(store: Store): Promise<string[]> {
  const [before, after] = releaseKey("|").split("|") as [string, string];
  const found: { name: string; age: number }[] = [];
  for await (const { key, age } of store.list(before))
    if (isOwnKey(key)) found.push({ name: key.slice(before.length, -after.length), age });
  return found.sort((a, b) => a.age - b.age).map(({ name }) => name);
}

export async function readRelease(store: ReadableStore, name: string): Promise<Release> {
  const key = releaseKey(name);
  const found = await store.get(key);
  if (found === undefined) throw new Missing(key);
  return parseRelease(name, found.bytes);
}

/** So many former releases are remembered. */
const MOST_FORMER = 100;

/** The pointer that makes a release the current one; the one that was is the first of the former ones. */
export const movedTo = (release: string, { releases }: Pick<Replaceable, "releases">): Pointer => ({
  format: 1,
  release,
  former: releases.filter((name) => name !== release).slice(0, MOST_FORMER),
});

const MOST_TRIES = 20;

/**
 * Moves the pointer, where the current release is still the one that was read before; what became of the former ones
 * meanwhile is kept.
 *
 * @param next makes the new pointer of what there is.
 * @returns the release that somebody else has made current; undefined where the pointer was moved.
 */
export async function movePointer(
  store: Store,
  before: Replaceable,
  next: (now: Replaceable) => Pointer,
): Promise<string | undefined> {
  let now = before;
  for (let i = 0; i < MOST_TRIES; i++) {
    const wanted = next(now);
    const condition = now.etag === undefined ? "absent" : { etag: now.etag };
    if (await store.putIf(POINTER, Buffer.from(JSON.stringify(wanted)), condition)) return undefined;
    const found = await readReplaceable(store);
    // It was put after all, and only the answer was lost.
    if (JSON.stringify(found.pointer) === JSON.stringify(wanted)) return undefined;
    const isSame = found.pointer?.release === before.pointer?.release;
    if (!isSame || (found.etag === undefined) !== (before.etag === undefined))
      return found.pointer?.release ?? "none";
    now = found;
  }
  throw new Unavailable(`The bucket refuses again and again to replace ${POINTER}.`);
}
