import { Worker } from "node:worker_threads";
import { searchThrough, type Search } from "./changes.ts";
import { Failure } from "./failure.ts";
import type { Job, Read } from "./pages.ts";

/** From so many files on a second thread gains more than its start costs. */
const WORTH_A_THREAD = { pages: 2000, search: 12_000 };

/** What a second thread is given, and what it answers. */
export type Task = { pages: Job } | { search: Search };
export type Answer = { read: Read | undefined } | { failure: string } | { error: unknown };

/** Works through a job, with a second thread where that is faster; what they read comes in no particular order. */
export async function work(job: Job, progress?: (taken: number) => void): Promise<Read[]> {
  // Only here: a build with nothing to do need not load what judges and renders pages.
  const { workThrough } = await import("./pages.ts");
  if (job.todo.length < WORTH_A_THREAD.pages) return [workThrough(job, progress)];
  const other = secondThread({ pages: job });
  // Heard of below, once this thread has ended too: nobody may tidy up under a thread that still writes.
  const settled = other.then(
    () => undefined,
    () => undefined,
  );
  try {
    const own = workThrough(job, progress);
    return [own, ...(await other)];
  } finally {
    Atomics.store(job.shared, 0, job.todo.length);
    await settled;
  }
}

/** Starts a search; gives what takes part in it and waits until it is done. */
export function startSearch(search: Search): () => Promise<void> {
  const other = search.listing.count < WORTH_A_THREAD.search ? undefined : secondThread({ search });
  return async () => {
    searchThrough(search);
    await other;
  };
}

function secondThread(task: Task): Promise<Read[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("thread.mjs", import.meta.url), { workerData: task });
    worker.once("error", reject);
    worker.once("message", (answer: Answer) => {
      if ("read" in answer) resolve(answer.read === undefined ? [] : [answer.read]);
      else if ("failure" in answer) reject(new Failure(answer.failure));
      else reject(answer.error);
    });
  });
}
