import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Locked, takeLock } from "../base/lock.ts";

/** The folder of a preview's pages, as long as the preview runs. */
export interface PreviewFolder {
  path: string;
  release: () => void;
}

/**
 * The folder of local previews: pages with a local address are never where pages are published from. Pages contain the
 * address that they are built for, so a second preview that runs at the same time gets a folder of its own, which is
 * removed when the preview ends. If that one is killed, the next preview removes it.
 */
export function takePreviewFolder(project: string, port: number): PreviewFolder {
  const preview = join(project, ".preview");
  removeLeftovers(project, preview);
  const [path, release] = takeFirst(project, [
    [preview, "preview"],
    [join(preview, String(port)), `preview-${port}`],
  ]);
  mkdirSync(path, { recursive: true });
  return {
    path,
    release: () => {
      if (path !== preview) rmSync(path, { recursive: true, force: true });
      release();
    },
  };
}

/** The folder of a second preview, and one that was about to be removed. */
const SECOND = /^\d{1,5}$/;
const REMOVED = /^\.removed-[\da-f-]{36}$/;

function removeLeftovers(project: string, preview: string): void {
  if (!existsSync(preview)) return;
  for (const name of readdirSync(preview)) if (SECOND.test(name)) markRemoved(project, preview, name);
  for (const name of readdirSync(preview))
    if (REMOVED.test(name)) rmSync(join(preview, name), { recursive: true, force: true });
}

/** Renames the folder of a preview that does not run any more: its lock is needed for a moment only. */
function markRemoved(project: string, preview: string, name: string): void {
  try {
    const release = takeLock(lockOf(project, `preview-${name}`));
    try {
      renameSync(join(preview, name), join(preview, `.removed-${randomUUID()}`));
    } finally {
      release();
    }
  } catch (cause) {
    if (!(cause instanceof Locked) && (cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
  }
}

const lockOf = (project: string, lock: string): string => join(project, ".cache", lock, "lock");

function takeFirst(
  project: string,
  choices: [path: string, lock: string][],
): [path: string, release: () => void] {
  const [choice, ...others] = choices;
  if (choice === undefined) throw new RangeError("no folder to choose from");
  const [path, lock] = choice;
  try {
    return [path, takeLock(lockOf(project, lock))];
  } catch (cause) {
    if (!(cause instanceof Locked) || others.length === 0) throw cause;
    return takeFirst(project, others);
  }
}
