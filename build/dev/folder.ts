import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
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
      if (path !== preview) remove(path);
      release();
    },
  };
}

/** The name of a second preview's folder, which is its port. */
const SECOND = /^\d{1,5}$/;

/** A build that is being ended may still write into the folder. */
const remove = (path: string): void => rmSync(path, { recursive: true, force: true, maxRetries: 5 });

/** Removes the folders of second previews that no longer run. */
function removeLeftovers(site: string, preview: string): void {
  for (const name of existsSync(preview) ? readdirSync(preview) : []) {
    const release = SECOND.test(name) ? lockIfFree(site, `preview-${name}`) : undefined;
    if (release === undefined) continue;
    try {
      remove(join(preview, name));
    } finally {
      release();
    }
  }
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

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Milliseconds between two looks at the parent process. */
const LOOK_MS = 500;

/** Maximum milliseconds between signals that count as one: the terminal and npm both send a Ctrl-C, `timeout` sends two. */
const SAME_MS = 500;

/** Read at the start of the program, because npm may end during the first build. */
const PARENT = process.ppid;

/**
 * Resolves at the first signal to end; a later one ends the process at once. The end of npm counts as a signal, because npm
 * signals only the shell in between, and the preview would keep running.
 */
export function untilInterrupted(): Promise<undefined> {
  const isBelowNpm = process.env["npm_lifecycle_event"] !== undefined;
  return new Promise((resolve) => {
    let first: number | undefined;
    const end = (): void => {
      first ??= performance.now();
      if (performance.now() - first > SAME_MS) process.exit(130);
      clearInterval(look);
      resolve(undefined);
    };
    // The handlers stay: by default, a second signal would end the process before it has cleaned up.
    for (const signal of SIGNALS) process.on(signal, end);
    const look = setInterval(() => {
      if (isBelowNpm && process.ppid !== PARENT) end();
    }, LOOK_MS).unref();
  });
}

/**
 * Waits for work that cannot be interrupted, such as a build. If the command is interrupted meanwhile, the process cleans up
 * and ends.
 */
export function unlessInterrupted<T>(
  work: Promise<T>,
  interrupted: Promise<undefined>,
  cleanUp: () => void,
): Promise<T> {
  let isDone = false;
  const end = async (): Promise<void> => {
    await interrupted;
    if (isDone) return;
    try {
      cleanUp();
    } finally {
      // Windows does not remove files that are in use; the next preview removes them.
      process.exit(0);
    }
  };
  void end();
  return work.finally(() => {
    isDone = true;
  });
}
