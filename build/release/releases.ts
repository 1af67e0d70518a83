import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../base/failure.ts";
import { redirects } from "../hosting/redirects.ts";
import { PAGES } from "../output/layout.ts";
import { atATime } from "./at-a-time.ts";
import { movedTo, movePointer, readPointer, readRelease, type CurrentPointer } from "./current.ts";
import { fileKey, objectsOf, releaseKey, sha256, shardKey, type Release } from "./format.ts";
import { Damaged, Missing, type Store } from "./store.ts";
import { unzip } from "./zip.ts";

export interface ListedRelease {
  name: string;
  isCurrent: boolean;
  /** Undefined where the release cannot be read. */
  pages: number | undefined;
  /** When it was last published, in milliseconds; undefined where it is missing. */
  published: number | undefined;
}

/** @throws Failure where nothing was ever published. */
async function existing(store: Store): Promise<CurrentPointer> {
  const found = await readPointer(store);
  if (found === undefined) throw new Failure("Nothing has been published to this bucket.");
  return found;
}

/** Newest first: the current one, then those before it. */
export async function listReleases(store: Store, jobs: number): Promise<ListedRelease[]> {
  const { pointer } = await existing(store);
  const names = [pointer.release, ...pointer.former];
  const listed = new Map<string, ListedRelease>();
  await atATime(jobs, names, async (name) => {
    const seen = await store.see(releaseKey(name));
    const published = seen && Date.now() - seen.age;
    const isCurrent = name === pointer.release;
    listed.set(name, { name, isCurrent, pages: await pagesOf(store, name), published });
  });
  return names.flatMap((name) => listed.get(name) ?? []);
}

async function pagesOf(store: Store, name: string): Promise<number | undefined> {
  try {
    return (await readRelease(store, name)).pages;
  } catch (cause) {
    if (cause instanceof Damaged) return undefined;
    throw cause;
  }
}

/** Makes a former release current: the last one, or the one that is named; gives its name. */
export async function rollBack(store: Store, named?: string): Promise<string> {
  const before = await existing(store);
  const { release: current, former } = before.pointer;
  const found = named === undefined ? former.slice(0, 1) : former.filter((name) => name.startsWith(named));
  const [wanted, ...others] = found;
  if (wanted === undefined)
    throw new Failure(
      named === undefined
        ? "There is no release before the current one."
        : current.startsWith(named)
          ? `${named} is the current release already.`
          : `There is no former release ${named}: npm run releases lists them.`,
    );
  if (others.length > 0)
    throw new Failure(`${named} begins the names of ${found.length} releases; name more of it.`);
  await readRelease(store, wanted);
  const winner = await movePointer(store, before, (now) => {
    if (now?.former.includes(wanted) !== true)
      throw new Failure(`Somebody removed ${wanted} at the same time. Nothing was moved.`);
    return movedTo(wanted, now);
  });
  if (winner !== undefined && winner !== wanted)
    throw new Failure(
      `Somebody published at the same time: the current release is ${winner}. Nothing was moved.`,
    );
  return wanted;
}

export interface Checked {
  objects: number;
  /** What is wrong, an object a line. */
  problems: string[];
}

/** Reads every object of the current release, inflates it and compares its hash. */
export async function checkRelease(
  store: Store,
  jobs: number,
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
  const { pointer } = await existing(store);
  const release = await read(() => readRelease(store, pointer.release));
  if (release === undefined) return { objects: 1, problems };
  const parts = partsOf(release);
  let done = 0;
  await atATime(jobs, parts, async (part) => {
    await read(() => part.read(store));
    progress?.(++done, parts.length);
  });
  return { objects: parts.length + 2, problems: problems.sort() };
}

/** The objects of a release, and how each is read and held against its name. */
interface Part {
  read: (store: Store, use?: (path: string, bytes: Uint8Array) => void) => Promise<void>;
}

function partsOf({ shards, files }: Release): Part[] {
  const parts: Part[] = [];
  for (const [remainder, shard] of shards.entries()) {
    if (shard === null) continue;
    const [name] = shard;
    const key = shardKey(name);
    parts.push({
      read: async (store, use) => {
        for (const { id, bytes } of await unzip(store, key, name)) {
          if (id % shards.length !== remainder) throw new Damaged(key, `page ${id} belongs to another shard`);
          use?.(`${PAGES}/${id}/index.json`, bytes);
        }
      },
    });
  }
  for (const [path, [name]] of Object.entries(files)) {
    const key = fileKey(name);
    parts.push({
      read: async (store, use) => {
        const found = await store.get(key);
        if (found === undefined) throw new Missing(key);
        if (sha256(found.bytes) !== name) throw new Damaged(key, "its hash is another");
        use?.(path, found.bytes);
      },
    });
  }
  return parts;
}

/** Brings the current release back as an output folder; gives the number of its pages. @throws Damaged */
export async function downloadRelease(
  store: Store,
  folder: string,
  jobs: number,
  progress?: (done: number, of: number) => void,
): Promise<number> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Failure(`${folder}: expected an empty folder, or none, found files in it.`);
  const { pointer } = await existing(store);
  const release = await readRelease(store, pointer.release);
  const write = (path: string, bytes: Uint8Array | string): void => {
    if (path.split("/").includes("..") || path.startsWith("/"))
      throw new Damaged(releaseKey(pointer.release), `${path} leads out of the folder`);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  };
  write("_headers", release.headers);
  write("_redirects", redirects());
  const parts = partsOf(release);
  let done = 0;
  await atATime(jobs, parts, async (part) => {
    await part.read(store, write);
    progress?.(++done, parts.length);
  });
  return release.pages;
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
}

/** Removes what neither the current nor the latest former releases need. */
export async function pruneReleases(store: Store, keep: number, forgotten = FORGOTTEN_MS): Promise<Pruned> {
  const before = await existing(store);
  const { pointer } = before;
  const needed = new Set<string>();
  for (const name of [pointer.release, ...pointer.former.slice(0, keep)]) {
    // One that cannot be read would seem to need nothing.
    for (const key of objectsOf(await readRelease(store, name))) needed.add(key);
    needed.add(releaseKey(name));
  }
  // First of all: nobody may go back to a release of which something has been removed.
  if (pointer.former.length > keep) {
    const winner = await movePointer(store, before, (now = pointer) => ({
      ...now,
      former: now.former.slice(0, keep),
    }));
    if (winner !== undefined && winner !== pointer.release)
      throw new Failure(
        `Somebody published at the same time: the current release is ${winner}. Nothing was removed.`,
      );
  }
  const pruned: Pruned = { removed: 0, bytes: 0, young: 0 };
  for (const prefix of ["shards/", "files/", "releases/"])
    for await (const { key, size, age } of store.list(prefix)) {
      if (needed.has(key)) continue;
      if (!(age > forgotten)) pruned.young++;
      else {
        await store.remove(key);
        pruned.removed++;
        pruned.bytes += size;
      }
    }
  return pruned;
}
