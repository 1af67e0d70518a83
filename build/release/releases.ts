import { join } from "node:path";
import { BULK_INDEX, HEADERS_NAME, REDIRECTS_NAME } from "../base/api.ts";
import { forEachConcurrent } from "../base/concurrent.ts";
import { Failure } from "../base/failure.ts";
import { plural } from "../base/numbers.ts";
import { isInside } from "../base/paths.ts";
import { redirects } from "../hosting/paths.ts";
import { assertEmpty, StagedFolder } from "../site/output/staged-folder.ts";
import {
  areAlike,
  movedTo,
  movePointer,
  readRelease,
  readReplaceable,
  readUsable,
  type Replaceable,
  withNotes,
  fileKey,
  isOwnKey,
  objectsOf,
  releaseKey,
  type Pointer,
  type PublicationNote,
  type Release,
  type ObjectStore,
} from "./format.ts";
import { partsOf, type ReleasePart } from "./reader.ts";
import { Damaged, printIndex } from "../outputs/shards/format.ts";

interface ListedRelease {
  name: string;
  isCurrent: boolean;
  /** In the timeline: the instant at which it becomes the current one. */
  from?: string;
  note?: PublicationNote;
  /** Undefined if the release cannot be read. */
  pages: number | undefined;
  /** When it was last uploaded, in milliseconds; undefined if it is missing. */
  published: number | undefined;
}

/** @throws Failure if nothing was ever published. */
async function existing(store: ObjectStore, at: number): Promise<Replaceable> {
  const found = await readReplaceable(store, at);
  if (found.etag === undefined) throw new Failure(NOTHING);
  return found;
}

const NOTHING = "Nothing has been published to this bucket.";

/** The same with the pointer. @throws Damaged */
async function pointed(store: ObjectStore, at: number) {
  const { pointer, damage, ...before } = await existing(store, at);
  if (pointer === undefined) throw damage ?? new Failure(NOTHING);
  return { ...before, damage, pointer };
}

/** The timeline, the current and the previous releases, newest first; all, if the pointer is damaged. */
export async function listReleases(store: ObjectStore, concurrency: number, at = Date.now()) {
  const { pointer, releases, damage } = await existing(store, at);
  const then = (pointer?.then ?? []).toReversed();
  const known = new Map<string, Pick<ListedRelease, "pages" | "published" | "note">>();
  await forEachConcurrent(
    [...new Set([...then.map(([, name]) => name), ...releases])],
    concurrency,
    async (name) => {
      const info = await store.head(releaseKey(name));
      const published = info && Date.now() - info.age;
      const note = pointer?.notes?.[name];
      known.set(name, { pages: (await readUsable(store, name))?.pages, published, ...(note && { note }) });
    },
  );
  const of = (name: string) => known.get(name) ?? { pages: undefined, published: undefined };
  const listed: ListedRelease[] = [
    ...then.map(([from, name]) => Object.assign({ name, isCurrent: false, from }, of(name))),
    ...releases.map((name) => Object.assign({ name, isCurrent: name === pointer?.release }, of(name))),
  ];
  return { listed, damage };
}

/**
 * Makes a previous release current, by default the last one, after checking that the bucket still has all its
 * objects. The timeline is cleared, because its releases are based on the release that is left.
 */
export async function rollBack(store: ObjectStore, named?: string, at = Date.now()) {
  const before = await existing(store, at);
  const wanted = chosen(before, named);
  const lacking = await lackingOf(store, await readRelease(store, wanted));
  if (lacking.length > 0)
    throw new Failure(
      `The release ${wanted} is incomplete: the bucket lacks ${plural(lacking.length, "object")} of it, such as ${lacking[0]}. Nothing was moved. Name another release, or publish again.`,
    );
  const winner = await movePointer(store, before, at, (now) => {
    if (!now.releases.includes(wanted))
      throw new Failure(`Another process removed ${wanted} at the same time. Nothing was moved.`);
    return movedTo(wanted, now);
  });
  if (winner !== undefined && !areAlike(winner, { release: wanted, then: [] }))
    throw new Failure(
      `Another publish ran at the same time: the current release is ${winner.release}. Nothing was moved.`,
    );
  return { release: wanted, cleared: before.pointer?.then.length ?? 0 };
}

/** @throws Failure */
function chosen({ pointer, releases, damage }: Replaceable, named: string | undefined): string {
  const current = pointer?.release;
  const former = releases.filter((name) => name !== current);
  if (named === undefined && damage !== undefined)
    throw new Failure(
      `${damage.message} Name the release that should be current: npx page-api releases lists them.`,
    );
  const found = named === undefined ? former.slice(0, 1) : former.filter((name) => name.startsWith(named));
  const [wanted, ...others] = found;
  if (others.length > 0)
    throw new Failure(`${named} is the beginning of ${found.length} release names; write more characters.`);
  if (wanted !== undefined) return wanted;
  throw new Failure(
    named === undefined
      ? "There is no release before the current one."
      : current?.startsWith(named) === true
        ? `${named} is the current release already.`
        : `There is no former release ${named}: npx page-api releases lists them.`,
  );
}

/** The objects that the bucket lacks, or has with another size. One list request covers 1,000 objects. */
async function lackingOf(store: ObjectStore, release: Release): Promise<string[]> {
  const lacking = objectsOf(release);
  const sizes = new Map(Object.values(release.files).map(([name, bytes]) => [fileKey(name), bytes]));
  for (const prefix of ["shards/", "files/"])
    for await (const { key, size } of store.list(prefix)) {
      const expected = sizes.get(key);
      if (expected === undefined ? size > 0 : size === expected) lacking.delete(key);
    }
  return [...lacking].sort();
}

/** Reads every object of the current release and of the timeline, inflates it and compares its hash. */
export async function checkRelease(
  store: ObjectStore,
  concurrency: number,
  progress?: (done: number, of: number) => void,
  at = Date.now(),
) {
  /** One line per object. */
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
  const found = await read(() => pointed(store, at));
  if (found === undefined) return { objects: 1, problems };
  const { release: current, then } = found.pointer;
  const names = [...new Set([current, ...then.map(([, name]) => name)])];
  // Releases share most of their objects.
  const byKey = new Map<string, ReleasePart>();
  for (const name of names) {
    const release = await read(() => readRelease(store, name));
    for (const part of release === undefined ? [] : partsOf(release)) byKey.set(part.key, part);
  }
  const parts = [...byKey.values()];
  let done = 0;
  await forEachConcurrent(parts, concurrency, async (part) => {
    await read(() => part.read(store));
    progress?.(++done, parts.length);
  });
  return { objects: parts.length + names.length + 1, problems: problems.sort() };
}

/**
 * Minimum age, in milliseconds by the store's clock, of an unused object that is removed. The objects of a
 * running publication are younger (publish.ts).
 */
const MIN_UNUSED_MS = 24 * 3_600_000;

/** Removes objects that no current, coming or latest previous release needs. @throws Damaged */
export async function pruneReleases(
  store: ObjectStore,
  keep: number,
  forgotten = MIN_UNUSED_MS,
  at = Date.now(),
) {
  const before = await pointed(store, at);
  const { pointer } = before;
  const needed = new Set<string>();
  const later = pointer.then.map(([, name]) => name);
  for (const name of [pointer.release, ...later, ...pointer.former.slice(0, keep)]) {
    // Throws for a damaged release, because its objects are not known.
    for (const key of objectsOf(await readRelease(store, name))) needed.add(key);
    needed.add(releaseKey(name));
  }
  // The pointer is shortened before any removal, so that no rollback leads to an incomplete release.
  if (pointer.former.length > keep) {
    const shortened = (now: Pointer): Pointer => withNotes({ ...now, former: now.former.slice(0, keep) });
    const winner = await movePointer(store, before, at, (now) => shortened(now.pointer ?? pointer));
    if (winner !== undefined)
      throw new Failure(
        `Another publish ran at the same time: the current release is ${winner.release}. Nothing was removed.`,
      );
  }
  /** `young`: unused, but too young to be removed. `foreign`: third-party objects, by their names, which are kept. */
  const pruned = { removed: 0, bytes: 0, young: 0, foreign: 0 };
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

const STAGING = ".downloading";

/**
 * Downloads the current release as an output folder. If it fails, it leaves nothing in the folder.
 *
 * @returns the number of pages.
 * @throws Damaged
 */
export async function downloadRelease(
  store: ObjectStore,
  folder: string,
  concurrency: number,
  progress?: (done: number, of: number) => void,
): Promise<number> {
  assertEmpty(folder, STAGING);
  const { release: name } = (await pointed(store, Date.now())).pointer;
  const release = await readRelease(store, name);
  const staged = new StagedFolder(folder, STAGING, "download");
  const write = (path: string, bytes: Uint8Array | string): void => {
    if (!isInside(join(staged.folder, path), staged.folder))
      throw new Damaged(releaseKey(name), `${path} leads out of the folder`);
    staged.writeFile(path, bytes);
  };
  try {
    write(HEADERS_NAME, release.headers);
    write(REDIRECTS_NAME, redirects());
    if (release.bulk === true) write(BULK_INDEX, printIndex(release));
    const parts = partsOf(release);
    let done = 0;
    await forEachConcurrent(parts, concurrency, async (part) => {
      await part.read(store, write);
      progress?.(++done, parts.length);
    });
    staged.commit();
  } catch (cause) {
    staged.abandon();
    throw cause;
  }
  return release.pages;
}
