import { statIfThere } from "../base/stat.ts";
import type { Changed } from "../site/watch-build.ts";
import { FolderTree, type TreeOptions } from "./folder-tree.ts";

export interface WatchOptions extends Pick<TreeOptions, "watch" | "isRecursive"> {
  /** Milliseconds between two looks at some folders, the other files and the clock. */
  lookMs?: number;
}

const LOOK_MS = 500;
/** Maximum milliseconds by which the clock may jump between two looks; more means that the machine slept. */
const JUMP_MS = 5000;

/**
 * Watches a folder and everything below it, and single files elsewhere. The folder may be moved away and back. If the
 * system does not watch all folders, `onTrouble` is called once with the reason, and the folders are polled.
 */
export function watchFolder(
  folder: string,
  files: readonly string[],
  onChange: (changed: Changed) => void,
  onTrouble: (message: string) => void,
  { lookMs = LOOK_MS, ...options }: WatchOptions = {},
) {
  const tree = new FolderTree(folder, {
    onChange: (path) => onChange(new Set([path])),
    onDoubt: () => onChange("anything"),
    onRefusal: (cause) => onTrouble(refusalOf(cause)),
    ...options,
  });
  const hasSlept = clockWatch();
  let times = timesOf(files);
  const looking = setInterval(() => {
    const now = timesOf(files);
    if (now !== times) onChange(new Set(files));
    times = now;
    if (hasSlept()) onChange("anything");
    tree.look();
  }, lookMs);
  return {
    close: () => {
      clearInterval(looking);
      tree.close();
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

/** A function that returns whether the clock has jumped since its last call: timers stop while the machine sleeps. */
function clockWatch(): () => boolean {
  let before = Date.now() - performance.now();
  return () => {
    const jump = Date.now() - performance.now() - before;
    before += jump;
    return Math.abs(jump) > JUMP_MS;
  };
}

const timesOf = (files: readonly string[]): string =>
  files.map((file) => JSON.stringify(statIfThere(file) ?? null)).join();
