import { forEachConcurrent } from "../base/concurrent.ts";
import { Failure } from "../base/failure.ts";
import { plural } from "../base/numbers.ts";
import {
  movedTo,
  movePointer,
  readPointer,
  readRelease,
  readReplaceable,
  type Replaceable,
} from "./current.ts";
import { fileKey, isOwnKey, objectsOf, releaseKey, type Pointer, type Release } from "./format.ts";
import { partsOf } from "./parts.ts";
import { Damaged, type Store } from "./store.ts";

export interface ListedRelease {
  name: string;
  isCurrent: boolean;
  /** Undefined where the release cannot be read. */
  pages: number | undefined;
  /** When it was last published, in milliseconds; undefined where it is missing. */
  published: number | undefined;
}

/** @throws Failure where nothing was ever published. */
async function existing(store: Store): Promise<Replaceable> {
  const found = await readReplaceable(store);
  if (found.etag === undefined) throw new Failure(NOTHING);
  return found;
}

/** @throws Failure where nothing was ever published. @throws Damaged */
export async function currentRelease(store: Store): Promise<string> {
  const found = await readPointer(store);
  if (found === undefined) throw new Failure(NOTHING);
  return found.pointer.release;
}

const NOTHING = "Nothing has been published to this bucket.";

/** Newest first: the current one, then those before it; if the pointer is damaged, all that are in the bucket. */
export async function listReleases(
  store: Store,
  concurrency: number,
): Promise<{ listed: ListedRelease[]; damage: Damaged | undefined }> {
  const { pointer, releases: names, damage } = await existing(store);
  const listed = new Map<string, ListedRelease>();
  await forEachConcurrent(names, concurrency, async (name) => {
    const seen = await store.see(releaseKey(name));
    const published = seen && Date.now() - seen.age;
    const isCurrent = name === pointer?.release;
    listed.set(name, { name, isCurrent, pages: await pagesOf(store, name), published });
  });
  return { listed: names.flatMap((name) => listed.get(name) ?? []), damage };
}

async function pagesOf(store: Store, name: string): Promise<number | undefined> {
  try {
    return (await readRelease(store, name)).pages;
  } catch (cause) {
    if (cause instanceof Damaged) return undefined;
    throw cause;
  }
}

/**
 * Makes a former release current: the last one, or the one that is named; gives its name. Looks first whether the bucket
 * still has all of it.
 */
export async function rollBack(store: Store, named?: string): Promise<string> {
  const before = await existing(store);
  const wanted = chosen(before, named);
  const lacking = await lackingOf(store, await readRelease(store, wanted));
  if (lacking.length > 0)
    throw new Failure(
      `The release ${wanted} is incomplete: the bucket lacks ${plural(lacking.length, "object")} of it, such as ${lacking[0]}. Nothing was moved. Name another release, or publish again.`,
    );
  const winner = await movePointer(store, before, (now) => {
    if (!now.releases.includes(wanted))
      throw new Failure(`Somebody removed ${wanted} at the same time. Nothing was moved.`);
    return movedTo(wanted, now);
  });
  if (winner !== undefined && winner !== wanted)
    throw new Failure(
      `Somebody published at the same time: the current release is ${winner}. Nothing was moved.`,
    );
  return wanted;
}

/** @throws Failure */
function chosen({ pointer, releases, damage }: Replaceable, named: string | undefined): string {
  const current = pointer?.release;
  const former = releases.filter((name) => name !== current);
  if (named === undefined && damage !== undefined)
    throw new Failure(
      `${damage.message} Name the release that should be current: npm run releases lists them.`,
    );
  const found = named === undefined ? former.slice(0, 1) : former.filter((name) => name.startsWith(named));
  const [wanted, ...others] = found;
  if (others.length > 0)
    throw new Failure(`${named} begins the names of ${found.length} releases; name more of it.`);
  if (wanted !== undefined) return wanted;
  throw new Failure(
    named === undefined
      ? "There is no release before the current one."
      : current?.startsWith(named) === true
        ? `${named} is the current release already.`
        : `There is no former release ${named}: npm run releases lists them.`,
  );
}

/**
 * The objects of a release that the bucket does not have, or has with another size. It is listed, as one list answers for
 * a thousand objects.
 */
async function lackingOf(store: Store, release: Release): Promise<string[]> {
  const lacking = objectsOf(release);
  const sizes = new Map(Object.values(release.files).map(([name, bytes]) => [fileKey(name), bytes]));
  for (const prefix of ["shards/", "files/"])
    for await (const { key, size } of store.list(prefix)) {
      const expected = sizes.get(key);
      if (expected === undefined ? size > 0 : size === expected) lacking.delete(key);
    }
  return [...lacking].sort();
}

export interface Checked {
  objects: number;
  /** What is wrong, an object a line. */
  problems: string[];
}

/** Reads every object of the current release, inflates it and compares its hash. */
export async function checkRelease(
  store: Store,
  concurrency: number,
  progress?: (done: number, of: number) => void,
): Promise<Checked> {
  const problems: string[] = [];
  const read = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (cause) {
      if (!(cause instanceof Damaged)) throw cause;
      problems.push(cause.message);
      return undefined;
    }
  };
  const release = await read(async () => readRelease(store, await currentRelease(store)));
  if (release === undefined) return { objects: 1, problems };
  const parts = partsOf(release);
  let done = 0;
  await forEachConcurrent(parts, concurrency, async (part) => {
    await read(() => part.read(store));
    progress?.(++done, parts.length);
  });
  return { objects: parts.length + 2, problems: problems.sort() };
}

/**
 * What a publisher in flight has put, and may have found and relied on, is younger than this (publish.ts), by the store's
 * own clock.
 */
const FORGOTTEN_MS = 24 * 3_600_000;

export interface Pruned {
  removed: number;
  bytes: number;
  /** Unused, but too young to be removed. */
  young: number;
  /** With names that this program does not give, and left. */
  foreign: number;
}

/** Removes what neither the current nor the latest former releases need. @throws Damaged */
export async function pruneReleases(store: Store, keep: number, forgotten = FORGOTTEN_MS): Promise<Pruned> {
  const before = await existing(store);
  const { pointer } = before;
  // Without it, the needed objects are not known.
  if (pointer === undefined) throw before.damage ?? new Failure(NOTHING);
  const needed = new Set<string>();
  for (const name of [pointer.release, ...pointer.former.slice(0, keep)]) {
    // One that cannot be read would seem to need nothing.
    for (const key of objectsOf(await readRelease(store, name))) needed.add(key);
    needed.add(releaseKey(name));
  }
  // First of all: nobody may go back to a release of which something has been removed.
  if (pointer.former.length > keep) {
    const shortened = (now: Pointer): Pointer => ({ ...now, former: now.former.slice(0, keep) });
    const winner = await movePointer(store, before, (now) => shortened(now.pointer ?? pointer));
    if (winner !== undefined && winner !== pointer.release)
      throw new Failure(
        `Somebody published at the same time: the current release is ${winner}. Nothing was removed.`,
      );
  }
  const pruned: Pruned = { removed: 0, bytes: 0, young: 0, foreign: 0 };
  for (const prefix of ["shards/", "files/", "releases/"])
    for await (const { key, size, age } of store.list(prefix)) {
      if (needed.has(key)) continue;
      // The object's owner is unknown, and its name might lead to another site's objects.
      if (!isOwnKey(key)) pruned.foreign++;
      else if (!(age > forgotten)) pruned.young++;
      else {
        await store.remove(key);
        pruned.removed++;
        pruned.bytes += size;
      }
    }
  return pruned;
}
