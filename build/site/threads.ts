import { Thread } from "../base/threads.ts";
import type { ModelSource } from "./outcome.ts";
import type { SummaryJob, SummaryPart } from "./summaries.ts";
import type { Job, ReadResult } from "./worker.ts";

/** Minimum number of files to read for a second thread: with fewer, its start costs more time than it saves. */
const MIN_FILES_FOR_THREAD = 2000;

/** The second thread of a build, which is only started if there is enough work for it. */
export class SecondThread {
  private started: Thread<Job | SummaryJob, ReadResult | SummaryPart> | undefined;

  /** Starts it early, while this thread still looks for work, if the number of files so far is large enough. */
  warmUp(files: number): void {
    if (files >= MIN_FILES_FOR_THREAD) this.started ??= start();
  }

  /**
   * Works through a job, together with the second thread if that is faster. The results have no particular order.
   *
   * @param meanwhile other work, which is done first, while the second thread starts.
   */
  async work(
    job: Job,
    source: ModelSource,
    meanwhile: () => void,
    progress: (taken: number) => void,
  ): Promise<ReadResult[]> {
    if (job.toRead.length < MIN_FILES_FOR_THREAD || !source.isShareable) {
      meanwhile();
      const { workThrough } = await import("./worker.ts");
      return [workThrough(job, await source.load(), progress)];
    }
    const other = (this.started ??= start()).run(job) as Promise<ReadResult>;
    // An error is thrown below, after both threads have ended: until then, staged files cannot be removed.
    const ended = other.then(
      () => undefined,
      () => undefined,
    );
    try {
      meanwhile();
      // Loaded here, because a build with nothing to do does not need to check and render pages.
      const { workThrough } = await import("./worker.ts");
      const own = workThrough(job, await source.load(), progress);
      return [own, await other];
    } finally {
      Atomics.store(job.shared, 0, job.toRead.length);
      await ended;
      // This frees its memory.
      void this.dismiss();
    }
  }

  /** Reads the facts of pages that their translations show, in the same way. @param meanwhile only if a thread starts */
  async summarise(job: SummaryJob, meanwhile: () => void): Promise<SummaryPart[]> {
    const { summarisePages } = await import("./summaries.ts");
    if (job.toRead.length < MIN_FILES_FOR_THREAD) return [summarisePages(job)];
    const other = (this.started ??= start()).run(job) as Promise<SummaryPart>;
    other.catch(() => undefined);
    meanwhile();
    const own = summarisePages(job);
    return [own, await other];
  }

  /** Ends the second thread at once. */
  async dismiss(): Promise<void> {
    const { started } = this;
    this.started = undefined;
    await started?.end();
  }
}

const start = (): Thread<Job | SummaryJob, ReadResult | SummaryPart> =>
  new Thread("site", {
    // Objects of a page are garbage at the next page: a larger young generation would cost memory and save no time.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
