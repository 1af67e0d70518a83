import module from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { searchThrough, type Search } from "./changes.ts";
import { Failure } from "../base/failure.ts";
import type { WordFiles } from "./browse.ts";
import type { Job, ReadResult } from "./worker.ts";
import { PROGRAM } from "../base/program.ts";

/** From so many files on a second thread gains more than its start costs. */
// tuning: one thread and two write the same output
const WORTH_A_THREAD = { pages: 2000, search: 12_000 };

/** What a second thread is started with. */
export interface Start {
  purpose: "pages" | "search" | "words";
  program: string;
}

/** What a second thread is given. */
export type ThreadTask = { pages: Job } | { search: Search } | { wordFiles: WordFiles };

/** What it answers; nothing if it runs another program. */
export interface ThreadResult {
  read?: ReadResult;
  /** Of the data files that are staged. */
  paths?: string[];
  failure?: string;
  error?: unknown;
}

/** The second thread of a build, which is only started where there is enough for it to do. */
export class SecondThread {
  private started: Started | undefined;

  /** Starts it while this thread still finds out what there is to do, with so many files so far. */
  warmUp(purpose: keyof typeof WORTH_A_THREAD, files: number): void {
    if (files >= WORTH_A_THREAD[purpose]) this.started ??= start(purpose);
  }

  /**
   * Works through a job, together with the thread where that is faster; what they read comes in no particular order.
   * What else is to do is done first, while the thread begins.
   */
  async work(job: Job, meanwhile: () => void, progress: (taken: number) => void): Promise<ReadResult[]> {
    if (job.toRead.length < WORTH_A_THREAD.pages) {
      meanwhile();
      const { workThrough } = await import("./worker.ts");
      return [workThrough(job, progress)];
    }
    const other = this.give({ pages: job });
    // Heard of below, once this thread has ended too: nobody may tidy up under a thread that still writes.
    const ended = other.then(
      () => undefined,
      () => undefined,
    );
    try {
      meanwhile();
      // Only here: a build with nothing to do need not load what judges and renders pages.
      const { workThrough } = await import("./worker.ts");
      const own = workThrough(job, progress);
      const { read } = await other;
      return read === undefined ? [own] : [own, read];
    } finally {
      Atomics.store(job.shared, 0, job.toRead.length);
      await ended;
      // Its memory is needed elsewhere.
      void this.dismiss();
    }
  }

  /** Stages data files while this thread goes on; gives their paths, or nothing if this thread has to do it. */
  async stageWordFiles(wordFiles: WordFiles): Promise<string[] | undefined> {
    if (wordFiles.counts.pages < WORTH_A_THREAD.pages) return undefined;
    return (await this.give({ wordFiles })).paths;
  }

  /**
   * Starts a search; gives what takes part in it and waits until it is done. Once there is a source to read again, what
   * reads it is loaded, while the thread goes on.
   */
  startSearch(search: Search): () => Promise<void> {
    const other = search.listing.count < WORTH_A_THREAD.search ? undefined : this.give({ search });
    return async () => {
      let isLoaded = false;
      for (const hasChanged of searchThrough(search))
        if (hasChanged && !isLoaded) {
          await Promise.all([import("./worker.ts"), import("../check/site.ts")]);
          isLoaded = true;
        }
      await other;
    };
  }

  /** Ends it, whatever it does. */
  async dismiss(): Promise<void> {
    const { started } = this;
    this.started = undefined;
    await started?.worker.terminate();
  }

  private give(task: ThreadTask): Promise<ThreadResult> {
    const { worker, failed } = (this.started ??= start(purposeOf(task)));
    worker.ref();
    const answered = new Promise<ThreadResult>((resolve, reject) => {
      worker.once("message", (answer: ThreadResult) => {
        worker.unref();
        if (answer.failure !== undefined) reject(new Failure(answer.failure));
        else if (answer.error !== undefined) reject(answer.error);
        else resolve(answer);
      });
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(task);
    const answer = Promise.race([answered, failed]);
    // Heard of when it is waited for.
    answer.catch(() => undefined);
    return answer;
  }
}

const purposeOf = (task: ThreadTask): Start["purpose"] =>
  "pages" in task ? "pages" : "search" in task ? "search" : "words";

interface Started {
  worker: Worker;
  /** Rejected when the thread ends by an error. */
  failed: Promise<never>;
}

const { typescript } = process.features as { typescript?: unknown };
const THREAD = new URL(typescript ? "thread.ts" : "node20/thread.mjs", import.meta.url);

/** Node 22 and later: a thread does not know by itself where its process keeps what the engine compiles. */
function withCompileCache(): NodeJS.ProcessEnv {
  const { getCompileCacheDir } = module as { getCompileCacheDir?: () => string | undefined };
  const folder = getCompileCacheDir?.();
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}

/** What a thread makes of a page is gone with the next: more room would cost memory, and no thread would be faster. */
// tuning: it only saves memory
const SMALL_NURSERY = { maxYoungGenerationSizeMb: 8 };

function start(purpose: Start["purpose"]): Started {
  const workerData: Start = { purpose, program: PROGRAM };
  const worker = new Worker(THREAD, {
    workerData,
    env: withCompileCache(),
    resourceLimits: SMALL_NURSERY,
  });
  // Without a task it keeps no process from its end.
  worker.unref();
  const failed = new Promise<never>((_, reject) => {
    worker.once("error", reject);
  });
  // Heard of by whoever waits for an answer; until then it may have nothing to do.
  failed.catch(() => undefined);
  return { worker, failed };
}
