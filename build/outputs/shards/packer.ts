import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Thread } from "../../base/threads.ts";
import type { Named } from "./format.ts";
import { nameOf, zip, type PageBytes } from "./zip.ts";

/** The file of a page's response. */
export interface PageFile {
  id: number;
  path: string;
}

/** A task with the number of its shard: to read the shard's files, by ascending id, or to pack or release what was read. */
type PackTask = { number: number; files: readonly PageFile[] } | { number: number; isWanted: boolean };
type PackResult = Named | Uint8Array | undefined;

/** Runs tasks. The pages of a shard are kept in memory until the caller knows whether it needs the ZIP file. */
export function packTasks(): (task: PackTask) => PackResult {
  const loaded = new Map<number, PageBytes[]>();
  return (task) => {
    if ("files" in task) {
      const pages = task.files.map(({ id, path }) => ({ id, bytes: readFileSync(path) }));
      loaded.set(task.number, pages);
      return [nameOf(pages), pages.reduce((sum, { bytes }) => sum + bytes.length, 0)];
    }
    const pages = loaded.get(task.number);
    loaded.delete(task.number);
    return pages !== undefined && task.isWanted ? zip(pages) : undefined;
  };
}

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

export function openPacker(shards: number): Packer {
  const tasks = packTasks();
  const threads: Pick<Thread<PackTask, PackResult>, "run" | "end">[] =
    shards < MIN_SHARDS_FOR_THREADS
      ? [{ run: async (task) => tasks(task), end: () => Promise.resolve() }]
      : Array.from({ length: availableParallelism() }, () => new Thread("outputs/shards"));
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
