import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

/** `test/guard/setup.ts` calls it after each test file and the file's own hooks. */
export function removeScratch(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

// A process that a test starts has no hooks.
process.once("exit", removeScratch);

/** An empty folder for a test, on the disk or below a given folder; it is removed after the file's tests. */
export function scratch(name: string, below = tmpdir()): string {
  const folder = mkdtempSync(join(below, `${name}-`));
  made.push(folder);
  return folder;
}

const SHARED_MEMORY = "/dev/shm";

const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/**
 * A folder in memory, where folders are fast, if it has enough space (a container may have 64 MiB). Do not use it for
 * files that a build compares or a kill interrupts: a disk reuses the inode of a removed file, and has timestamps of
 * its own.
 */
export const MEMORY =
  existsSync(SHARED_MEMORY) && freeBytes(SHARED_MEMORY) > 2 ** 28 ? SHARED_MEMORY : tmpdir();
