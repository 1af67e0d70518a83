import { join } from "node:path";
import { forEachConcurrent } from "../base/concurrent.ts";
import { isInside } from "../base/paths.ts";
import { HEADERS_NAME, REDIRECTS_NAME } from "../base/api.ts";
import { redirects } from "../hosting/paths.ts";
import { assertEmpty, StagedFolder } from "../output/staged-folder.ts";
import { readRelease } from "./current.ts";
import { releaseKey } from "./format.ts";
import { partsOf } from "./read.ts";
import { currentRelease } from "./releases.ts";
import { type ObjectStore } from "./store.ts";
import { Damaged } from "../shards/format.ts";

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
  const name = await currentRelease(store, Date.now());
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
