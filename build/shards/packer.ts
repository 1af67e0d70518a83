import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Named } from "./format.ts";
import { LoadedShard, type PageFile } from "./loaded-shard.ts";

/** A thread's task and its result, both with the number of the shard. */
export type PackTask = { number: number; files: readonly PageFile[] } | { number: number; isWanted: boolean };
export type PackResult =
  | { number: number; named: Named }
  | { number: number; zip: Uint8Array }
  | { number: number; error: unknown };

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
export const openPacker = (shards: number): Packer =>
  shards < MIN_SHARDS_FOR_THREADS ? onThisThread() : onThreads(availableParallelism());

const onThisThread = (): Packer => ({
  pack: async (files, use) => {
    const shard = new LoadedShard(files);
    return use(shard.named, () => Promise.resolve(shard.zip()));
  },
  close: () => Promise.resolve(),
});

const { typescript } = process.features as { typescript?: unknown };
const THREAD = new URL(typescript ? "thread.ts" : "node20/packing.mjs", import.meta.url);

function onThreads(count: number): Packer {
  const threads = Array.from({ length: count }, () => new Thread());
  let last = 0;
  return {
    pack: async (files, use) => {
      const number = last++;
      const thread = threads[number % count];
      if (thread === undefined) throw new Error("no thread");
      const read = await thread.ask({ number, files });
      if (!("named" in read)) throw new Error("expected the name of a shard");
      let isPacked = false;
      try {
        return await use(read.named, async () => {
          isPacked = true;
          const packed = await thread.ask({ number, isWanted: true });
          if (!("zip" in packed)) throw new Error("expected a packed shard");
          return packed.zip;
        });
      } finally {
        if (!isPacked) thread.drop(number);
      }
    },
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
}

class Thread {
  private readonly worker = new Worker(THREAD);
  private readonly waiting = new Map<
    number,
    { resolve: (answer: PackResult) => void; reject: (cause: unknown) => void }
  >();

  constructor() {
    this.worker.on("message", (answer: PackResult) => {
      const waits = this.waiting.get(answer.number);
      this.waiting.delete(answer.number);
      if ("error" in answer) waits?.reject(answer.error);
      else waits?.resolve(answer);
    });
    this.worker.on("error", (cause) => {
      for (const { reject } of this.waiting.values()) reject(cause);
      this.waiting.clear();
    });
  }

  ask(task: PackTask): Promise<PackResult> {
    return new Promise((resolve, reject) => {
      this.waiting.set(task.number, { resolve, reject });
      this.worker.postMessage(task);
    });
  }

  drop(number: number): void {
    this.worker.postMessage({ number, isWanted: false } satisfies PackTask);
  }

  close(): Promise<number> {
    return this.worker.terminate();
  }
}
