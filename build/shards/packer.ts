import { availableParallelism } from "node:os";
import { Thread } from "../base/threads.ts";
import type { Named } from "./format.ts";
import { packTasks, type PackResult, type PackTask, type PageFile } from "./pack-tasks.ts";

/** Reads the pages of shards and packs the shards that the caller needs, on all cores if there are many shards. */
export interface Packer {
  /**
   * @param files by ascending id.
   * @param use receives the shard's name, and a function that packs the shard. The pages are released afterwards.
   */
  pack: <T>(
    files: readonly PageFile[],
    use: (named: Named, zip: () => Promise<Uint8Array>) => Promise<T>,
  ) => Promise<T>;
  close: () => Promise<void>;
}

/** Minimum number of shards for which threads save more time than their start costs. */
const MIN_SHARDS_FOR_THREADS = 32;

/** @param shards the number of shards to pack. */
export function openPacker(shards: number): Packer {
  const tasks = packTasks();
  const threads: Pick<Thread<PackTask, PackResult>, "run" | "end">[] =
    shards < MIN_SHARDS_FOR_THREADS
      ? [{ run: async (task) => tasks(task), end: () => Promise.resolve() }]
      : Array.from({ length: availableParallelism() }, () => new Thread("shards"));
  let last = 0;
  return {
    pack: async (files, use) => {
      const number = last++;
      const thread = threads[number % threads.length];
      if (thread === undefined) throw new Error("no thread");
      const named = (await thread.run({ number, files })) as Named;
      let isPacked = false;
      try {
        return await use(named, async () => {
          isPacked = true;
          return (await thread.run({ number, isWanted: true })) as Uint8Array;
        });
      } finally {
        if (!isPacked) await thread.run({ number, isWanted: false });
      }
    },
    close: async () => void (await Promise.all(threads.map((thread) => thread.end()))),
  };
}
