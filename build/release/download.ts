import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { forEachConcurrent } from "../base/concurrent.ts";
import { Failure } from "../base/failure.ts";
import { isInside, makeFolder, removeEmpty } from "../base/paths.ts";
import { HEADERS_NAME, REDIRECTS_NAME } from "../base/api.ts";
import { redirects } from "../hosting/redirects.ts";
import { Locked, takeLock } from "../base/lock.ts";
import { readRelease } from "./current.ts";
import { releaseKey } from "./format.ts";
import { partsOf } from "./parts.ts";
import { currentRelease } from "./releases.ts";
import { type ObjectStore } from "./store.ts";
import { Damaged } from "../shards/format.ts";

/** The folder inside the target in which a download is staged until it is complete. */
const STAGING = ".downloading";
/** In the staging folder: the names to rename into the target, written before the first rename. */
const PLACED = "placed.json";

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
  assertEmpty(folder);
  const name = await currentRelease(store, Date.now());
  const release = await readRelease(store, name);
  const staged = join(folder, STAGING);
  const files = join(staged, "files");
  const made = makeFolder(folder);
  const unlock = lock(folder, join(staged, "lock"));
  const clear = (): void => {
    unlock();
    rmSync(staged, { recursive: true, force: true });
  };
  const write = (path: string, bytes: Uint8Array | string): void => {
    const at = join(files, path);
    if (!isInside(at, files)) throw new Damaged(releaseKey(name), `${path} leads out of the folder`);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, bytes);
  };
  try {
    removeLeftovers(folder);
    write(HEADERS_NAME, release.headers);
    write(REDIRECTS_NAME, redirects());
    const parts = partsOf(release);
    let done = 0;
    await forEachConcurrent(parts, concurrency, async (part) => {
      await part.read(store, write);
      progress?.(++done, parts.length);
    });
    const names = readdirSync(files);
    writeFileSync(join(staged, PLACED), JSON.stringify(names));
    for (const one of names) renameSync(join(files, one), join(folder, one));
  } catch (cause) {
    removeLeftovers(folder);
    clear();
    if (made !== undefined) removeEmpty(folder, made);
    throw cause;
  }
  clear();
  return release.pages;
}

/** @throws Failure if the folder contains anything except leftovers of a killed download. */
function assertEmpty(folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) throw new Failure(`${folder}: expected an empty folder, or none, found a file.`);
  const left = new Set([STAGING, ...placedIn(folder)]);
  if (readdirSync(folder).some((name) => !left.has(name)))
    throw new Failure(`${folder}: expected an empty folder, or none, found files in it.`);
}

/** The names in the folder that a killed download has left there. */
function placedIn(folder: string): string[] {
  try {
    const placed = JSON.parse(readFileSync(join(folder, STAGING, PLACED), "utf8")) as string[];
    return readdirSync(folder).filter((name) => placed.includes(name));
  } catch {
    return [];
  }
}

function removeLeftovers(folder: string): void {
  for (const name of placedIn(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  for (const name of [PLACED, "files"]) rmSync(join(folder, STAGING, name), { recursive: true, force: true });
}

function lock(folder: string, path: string): () => void {
  try {
    return takeLock(path);
  } catch (cause) {
    if (!(cause instanceof Locked)) throw cause;
    throw new Failure(`${folder}: another download into this folder is running. Wait until it has ended.`);
  }
}
