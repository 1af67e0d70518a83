import { parsePointer, parseRelease, POINTER, releaseKey, type Pointer, type Release } from "./format.ts";
import { Missing, Unavailable, type Condition, type ReadableStore, type Store } from "./store.ts";

export interface CurrentPointer {
  pointer: Pointer;
  etag: string;
}

/** The pointer; undefined where nothing was ever published. */
export async function readPointer(store: ReadableStore): Promise<CurrentPointer | undefined> {
  const found = await store.get(POINTER);
  return found && { pointer: parsePointer(found.bytes), etag: found.etag };
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
export function movedTo(release: string, before: Pointer | undefined): Pointer {
  const former = before === undefined ? [] : [before.release, ...before.former];
  return { format: 1, release, former: former.filter((name) => name !== release).slice(0, MOST_FORMER) };
}

const MOST_TRIES = 20;

/**
 * Moves the pointer, where the current release is still the one that was read before; what became of the former ones
 * meanwhile is kept.
 *
 * @param next makes the new pointer of the one that there is.
 * @returns the release that somebody else has made current; undefined where the pointer was moved.
 */
export async function movePointer(
  store: Store,
  before: CurrentPointer | undefined,
  next: (now: Pointer | undefined) => Pointer,
): Promise<string | undefined> {
  let now = before;
  for (let i = 0; i < MOST_TRIES; i++) {
    const wanted = next(now?.pointer);
    const condition: Condition = now === undefined ? "absent" : { etag: now.etag };
    if (await store.put(POINTER, Buffer.from(JSON.stringify(wanted)), condition)) return undefined;
    const found = await readPointer(store);
    // It was put after all, and only the answer was lost.
    if (JSON.stringify(found?.pointer) === JSON.stringify(wanted)) return undefined;
    if (found === undefined || found.pointer.release !== before?.pointer.release)
      return found?.pointer.release ?? "none";
    now = found;
  }
  throw new Unavailable(`The bucket refuses again and again to replace ${POINTER}.`);
}
