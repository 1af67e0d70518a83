import { readdirSync, watch as watchSystem, type FSWatcher } from "node:fs";
import { basename, join, sep } from "node:path";
import { statIfThere, type Stat } from "../base/file.ts";
import type { Changed } from "../site/watch-build.ts";

/** Asks the system to report changes in a folder: `fs.watch`, except in tests. */
export type Watch = (
  path: string,
  options: { recursive: boolean; persistent: false },
  listener: (event: string, name: string | null) => void,
) => Pick<FSWatcher, "close" | "on">;

export interface WatchOptions {
  watch?: Watch;
  /**
   * Whether one watch covers all folders below. On Linux, Node would watch each file, which takes 160 MB for 62,000 of them,
   * and would report no change of a file after another one was renamed to its name, as many programs save.
   */
  isRecursive?: boolean;
  /** Milliseconds between two looks at the folder itself and the other files. */
  lookMs?: number;
  /** Minimum milliseconds between two comparisons of everything. */
  compareMs?: number;
}

const LOOK_MS = 500;

/**
 * Watches a folder and everything below it, and single files elsewhere. The folder may be moved away and back. If the
 * system does not watch all folders, `onTrouble` is called once with the reason.
 *
 * A watch belongs to a folder, whatever its path: so each folder is watched before its entries are listed, and reported
 * afterwards. A change is then reported by the system, or seen by the build that follows the report.
 */
export function watchFolder(
  root: string,
  files: readonly string[],
  onChange: (changed: Changed) => void,
  onTrouble: (message: string) => void,
  {
    watch = watchSystem,
    isRecursive: recursive = ["darwin", "win32"].includes(process.platform),
    lookMs = LOOK_MS,
  }: WatchOptions = {},
) {
  const watches = new Map<string, ReturnType<Watch>>();
  let isRefused = false;
  const refuse = (cause: NodeJS.ErrnoException): void => {
    if (!isRefused && cause.code !== "ENOENT") onTrouble(refusalOf(cause));
    isRefused ||= cause.code !== "ENOENT";
  };
  const forget = (folder: string): void => {
    if (!watches.has(folder)) return;
    for (const [path, watcher] of watches)
      if (path === folder || path.startsWith(folder + sep)) {
        watcher.close();
        watches.delete(path);
      }
  };
  const open = (folder: string): void => {
    try {
      const watcher = watch(folder, { recursive, persistent: false }, (event, name) => {
        if (watches.get(folder) === watcher) report(folder, event, name);
      });
      watches.set(folder, watcher);
      watcher.on("error", refuse);
      if (recursive) return;
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory() && !entry.name.startsWith(".")) open(join(folder, entry.name));
    } catch (cause) {
      refuse(cause as NodeJS.ErrnoException);
    }
  };
  /** Watches the folder that now is at a path, if there is one. One with the same name and inode may be another one. */
  const reopen = (folder: string): void => {
    forget(folder);
    if (statOf(folder)?.type === "folder") open(folder);
  };
  const report = (folder: string, event: string, name: string | null): void => {
    // There were too many changes at once, or the folder itself was moved or removed.
    if (name === null || (folder === root && name === basename(root))) {
      reopenRoot();
      return;
    }
    if (name.split(sep).some((one) => one.startsWith("."))) return;
    const path = join(folder, name);
    if (event === "rename" && !recursive) reopen(path);
    onChange(new Set([path]));
  };
  let inode = statOf(root)?.inode;
  const reopenRoot = (): void => {
    inode = statOf(root)?.inode;
    reopen(root);
    onChange("anything");
  };
  reopen(root);
  let times = timesOf(files);
  const looking = setInterval(() => {
    const now = timesOf(files);
    if (now !== times) onChange(new Set(files));
    times = now;
    if (statOf(root)?.inode !== inode) reopenRoot();
  }, lookMs);
  return {
    close: () => {
      clearInterval(looking);
      forget(root);
    },
  };
}

const refusalOf = ({ code, message }: NodeJS.ErrnoException): string =>
  "The system does not watch all folders, so the preview checks for changes every few seconds. " +
  (code === "ENOSPC"
    ? "To see them at once, allow more watches: sudo sysctl fs.inotify.max_user_watches=524288"
    : code === "EMFILE"
      ? "To see them at once, allow more: sudo sysctl fs.inotify.max_user_instances=1024"
      : message);

const timesOf = (files: readonly string[]): string =>
  files.map((file) => JSON.stringify(statOf(file) ?? null)).join();

/** Undefined if nothing exists at the path, or if it is not readable. */
function statOf(path: string): Stat | undefined {
  try {
    return statIfThere(path);
  } catch {
    return undefined;
  }
}
