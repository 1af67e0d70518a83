import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Locked, takeLock } from "../base/lock.ts";

/**
 * Reserves a folder for a local preview, apart from the published output, because pages contain the URL for which they are
 * built. For the same reason, a second preview at the same time gets its own folder, which is removed when that preview
 * ends; if it is killed, the next preview removes the folder.
 */
export function takePreviewFolder(site: string, port: number) {
  const preview = join(site, ".preview");
  removeLeftovers(site, preview);
  const own = lockIfFree(site, "preview");
  const path = own === undefined ? join(preview, String(port)) : preview;
  const release = own ?? takeLock(lockOf(site, `preview-${port}`));
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    release();
    throw cause;
  }
  return {
    path,
    release: () => {
      // Renamed first, so that a build that is being ended no longer writes into it.
      if (path !== preview) rmSync(rename(preview, String(port)), { recursive: true, force: true });
      release();
    },
  };
}

/** The name of a second preview's folder, which is its port. */
const SECOND = /^\d{1,5}$/;
/** The name of a folder that is being removed. */
const REMOVED = /^\.removed-[\da-f-]{36}$/;

function removeLeftovers(site: string, preview: string): void {
  if (!existsSync(preview)) return;
  for (const name of readdirSync(preview)) if (SECOND.test(name)) markRemoved(site, preview, name);
  for (const name of readdirSync(preview))
    if (REMOVED.test(name)) rmSync(join(preview, name), { recursive: true, force: true });
}

/** Renames the folder of a preview that no longer runs, so that its lock is only taken for a moment. */
function markRemoved(site: string, preview: string, name: string): void {
  const release = lockIfFree(site, `preview-${name}`);
  if (release === undefined) return;
  try {
    rename(preview, name);
  } finally {
    release();
  }
}

/** Renames a folder that is to be removed, if it exists. @returns its new path. */
function rename(preview: string, name: string): string {
  const removed = join(preview, `.removed-${randomUUID()}`);
  try {
    renameSync(join(preview, name), removed);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
  }
  return removed;
}

const lockOf = (site: string, lock: string): string => join(site, ".cache", lock, "lock");

/** Undefined if another preview has the lock. */
function lockIfFree(site: string, lock: string): (() => void) | undefined {
  try {
    return takeLock(lockOf(site, lock));
  } catch (cause) {
    if (!(cause instanceof Locked)) throw cause;
    return undefined;
  }
}
