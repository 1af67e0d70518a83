import { statSync } from "node:fs";
import type { AsyncSubscription } from "@parcel/watcher";

export interface Watching {
  close: () => Promise<void>;
}

/** How often it is looked whether the folder is still the same, which no event of its own tells. */
const LOOK_MS = 500;
/** How often changes are looked for where the system does not tell of them. */
const POLL_MS = 2000;

/**
 * Watches a folder and all below it; `onChange` is given the paths that changed, none where only something did. The
 * folder may be moved away and come back. Where the system cannot watch it, `onTrouble` is told why, and `onChange`
 * is called every other second.
 */
export async function watchFolder(
  folder: string,
  onChange: (paths: readonly string[]) => void,
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
        onChange(cause === null ? events.map(({ path }) => path) : []);
      });
    } catch (cause) {
      onTrouble(
        `Changes are looked for every ${POLL_MS / 1000} seconds, as the system does not tell of them: ${messageOf(cause)}`,
      );
      polling ??= setInterval(() => onChange([]), POLL_MS);
    }
  };

  await subscribe();
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking || inodeOf(folder) === inode) return;
    isLooking = true;
    await unsubscribe(subscription);
    subscription = undefined;
    if (polling === undefined) await subscribe();
    onChange([]);
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

const inodeOf = (folder: string): number | undefined => statSync(folder, { throwIfNoEntry: false })?.ino;

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
