import { statSync } from "node:fs";
import type { AsyncSubscription } from "@parcel/watcher";
import { statIfThere } from "../base/stat.ts";
import type { Changed } from "../pipeline/live.ts";

export interface Watching {
  close: () => Promise<void>;
}

/** How often it is looked whether the folder is still the same, which no event of its own tells, and the other files. */
const LOOK_MS = 500;
/** Between two looks the clock went on by so much more or less: the machine slept, and may have missed something. */
const JUMP_MS = 5000;
/** How often changes are looked for where the system does not tell of them. */
const POLL_MS = 2000;

/**
 * Watches a folder and all below it, and single files elsewhere. The folder may be moved away and come back. Where the
 * system cannot watch it, `onTrouble` is told why, and anything may have changed every other second.
 */
export async function watchFolder(
  folder: string,
  files: readonly string[],
  onChange: (changed: Changed) => void,
  onTrouble: (message: string) => void,
): Promise<Watching> {
  let subscription: AsyncSubscription | undefined;
  let polling: NodeJS.Timeout | undefined;
  let inode: number | undefined;

  const subscribe = async (): Promise<void> => {
    inode = inodeOf(folder);
    if (inode === undefined) return;
    try {
      const { default: watcher } = await import("@parcel/watcher");
      subscription = await watcher.subscribe(folder, (cause, events) => {
        // After an error (too many events at once, say) it is not known what changed.
        onChange(cause === null ? new Set(events.map(({ path }) => path)) : "anything");
      });
    } catch (cause) {
      onTrouble(
        `Changes are looked for every ${POLL_MS / 1000} seconds, as the system does not tell of them: ${messageOf(cause)}`,
      );
      polling ??= setInterval(() => onChange("anything"), POLL_MS);
    }
  };

  await subscribe();
  const hasSlept = clockWatch();
  let times = timesOf(files);
  const lookAtFiles = (): void => {
    const now = timesOf(files);
    if (now !== times) onChange(new Set(files));
    times = now;
  };
  let isLooking = false;
  const look = async (): Promise<void> => {
    lookAtFiles();
    if (hasSlept()) onChange("anything");
    if (isLooking || inodeOf(folder) === inode) return;
    isLooking = true;
    await unsubscribe(subscription);
    subscription = undefined;
    if (polling === undefined) await subscribe();
    onChange("anything");
    isLooking = false;
  };
  const looking = setInterval(() => void look(), LOOK_MS);
  return {
    close: async () => {
      clearInterval(looking);
      clearInterval(polling);
      await unsubscribe(subscription);
    },
  };
}

async function unsubscribe(subscription: AsyncSubscription | undefined): Promise<void> {
  try {
    await subscription?.unsubscribe();
  } catch {
    // The folder is gone, and the subscription with it.
  }
}

/** Tells whether the clock jumped since it was asked last: a timer does not go on while the machine sleeps. */
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

const inodeOf = (folder: string): number | undefined => statSync(folder, { throwIfNoEntry: false })?.ino;

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
