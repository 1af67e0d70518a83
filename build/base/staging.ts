import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./failure.ts";
import { Locked, takeLock } from "./lock.ts";
import { statIfThere } from "./stat.ts";

/**
 * Takes the lock of a dotfolder in which a command stages files, and returns a function that releases it. Both
 * remove staged files that were not moved into place, also those of a killed command.
 *
 * @param isStaged whether an entry of the folder has the name of a staged file.
 * @param busy the error if another command holds the lock.
 */
export function openStaging(
  folder: string,
  isStaged: (name: string) => boolean,
  busy: (lock: string) => Failure,
): () => void {
  // A link could lead elsewhere, and files would be staged and removed there.
  if ((statIfThere(folder)?.type ?? "folder") !== "folder")
    throw new Failure(`${folder} is not a folder. Remove it, then run the command again.`);
  const lock = join(folder, "lock");
  let unlock: () => void;
  try {
    unlock = takeLock(lock);
  } catch (cause) {
    throw cause instanceof Locked ? busy(lock) : cause;
  }
  const clear = (): void => {
    for (const name of readdirSync(folder))
      if (isStaged(name)) rmSync(join(folder, name), { recursive: true, force: true });
  };
  try {
    clear();
  } catch (cause) {
    unlock();
    throw cause;
  }
  return () => {
    try {
      clear();
    } finally {
      unlock();
    }
  };
}
