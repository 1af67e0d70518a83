import { Worker } from "node:worker_threads";
import { Failure } from "./failure.ts";
import { workThrough, type FileFindings, type Job } from "./pages.ts";

/** From so many files on a second thread gains more than its start costs. */
const WORTH_A_THREAD = 3000;

/** What the second thread answers. */
export type Answer = { findings: FileFindings[] } | { failure: string } | { error: unknown };

/** Works through a job, with a second thread where that is faster; findings come in no particular order. */
export async function work(job: Job, progress?: (taken: number) => void): Promise<FileFindings[]> {
  if (job.todo.length < WORTH_A_THREAD) return workThrough(job, progress);
  const other = secondThread(job);
  // Heard of below, once this thread has ended too: nobody may tidy up under a thread that still writes.
  const settled = other.then(
    () => undefined,
    () => undefined,
  );
  try {
    const own = workThrough(job, progress);
    return own.concat(await other);
  } finally {
    Atomics.store(job.shared, 0, job.todo.length);
    await settled;
  }
}

function secondThread(job: Job): Promise<FileFindings[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("thread.mjs", import.meta.url), { workerData: job });
    worker.once("error", reject);
    worker.once("message", (answer: Answer) => {
      if ("findings" in answer) resolve(answer.findings);
      else if ("failure" in answer) reject(new Failure(answer.failure));
      else reject(answer.error as Error);
    });
  });
}
