import module from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { Failure } from "../base/failure.ts";
import type { Job, ReadResult } from "./worker.ts";
import { PROGRAM } from "../base/program.ts";

/** Minimum number of files to read for a second thread: with fewer, its start costs more time than it saves. */
const MIN_FILES_FOR_THREAD = 2000;

/** The data with which a second thread is started. */
export interface Start {
  program: string;
}

/** Its result; empty if it runs another version of the program. */
export interface ThreadResult {
  read?: ReadResult;
  failure?: string;
  error?: unknown;
}

/** The second thread of a build, which is only started if there is enough work for it. */
export class SecondThread {
  private started: Started | undefined;

  /** Starts it early, while this thread still looks for work, if the number of files so far is large enough. */
  warmUp(files: number): void {
    if (files >= MIN_FILES_FOR_THREAD) this.started ??= start();
  }

  /**
   * Works through a job, together with the second thread if that is faster. The results have no particular order.
   *
   * @param meanwhile other work, which is done first, while the second thread starts.
   */
  async work(job: Job, meanwhile: () => void, progress: (taken: number) => void): Promise<ReadResult[]> {
    if (job.toRead.length < MIN_FILES_FOR_THREAD) {
      meanwhile();
      const { workThrough } = await import("./worker.ts");
      return [workThrough(job, progress)];
    }
    const other = this.give(job);
    // An error is thrown below, after both threads have ended: until then, staged files cannot be removed.
    const ended = other.then(
      () => undefined,
      () => undefined,
    );
    try {
      meanwhile();
      // Loaded here, because a build with nothing to do does not need to check and render pages.
      const { workThrough } = await import("./worker.ts");
      const own = workThrough(job, progress);
      const { read } = await other;
      return read === undefined ? [own] : [own, read];
    } finally {
      Atomics.store(job.shared, 0, job.toRead.length);
      await ended;
      // This frees its memory.
      void this.dismiss();
    }
  }

  /** Ends the second thread at once. */
  async dismiss(): Promise<void> {
    const { started } = this;
    this.started = undefined;
    await started?.worker.terminate();
  }

  private give(job: Job): Promise<ThreadResult> {
    const { worker, failed } = (this.started ??= start());
    worker.ref();
    const answered = new Promise<ThreadResult>((resolve, reject) => {
      worker.once("message", (answer: ThreadResult) => {
        worker.unref();
        if (answer.failure !== undefined) reject(new Failure(answer.failure));
        else if (answer.error !== undefined) reject(answer.error);
        else resolve(answer);
      });
    });
    worker.postMessage(job);
    const answer = Promise.race([answered, failed]);
    // The error is thrown when the result is awaited.
    answer.catch(() => undefined);
    return answer;
  }
}

interface Started {
  worker: Worker;
  /** Rejected when the thread ends by an error. */
  failed: Promise<never>;
}

const { typescript } = process.features as { typescript?: unknown };
const THREAD = new URL(typescript ? "thread.ts" : "node20/thread.mjs", import.meta.url);

/** Passes on the folder of the compile cache (Node 22 and later), which a thread does not inherit. */
function withCompileCache(): NodeJS.ProcessEnv {
  const { getCompileCacheDir } = module as { getCompileCacheDir?: () => string | undefined };
  const folder = getCompileCacheDir?.();
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}

/** Objects of a page are garbage at the next page: a larger young generation would cost memory and save no time. */
const SMALL_NURSERY = { maxYoungGenerationSizeMb: 8 };

function start(): Started {
  const workerData: Start = { program: PROGRAM };
  const worker = new Worker(THREAD, {
    workerData,
    env: withCompileCache(),
    resourceLimits: SMALL_NURSERY,
  });
  // Without a task, the thread does not keep the process alive.
  worker.unref();
  const failed = new Promise<never>((_, reject) => {
    worker.once("error", reject);
  });
  // The error is thrown when a result is awaited.
  failed.catch(() => undefined);
  return { worker, failed };
}
