import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

/**
 * `test/guard/setup.ts` calls it after each test file and the file's own hooks. A disk takes milliseconds for each folder,
 * so another process removes them, for which no test waits.
 */
export function removeScratch(): void {
  const folders = made.splice(0);
  if (folders.length > 0) spawn("rm", ["-rf", ...folders], { detached: true, stdio: "ignore" }).unref();
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
