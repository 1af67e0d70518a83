import { parentPort, workerData } from "node:worker_threads";
import { Failure } from "./failure.ts";
import { workThrough, type Job } from "./pages.ts";
import type { Answer } from "./threads.ts";

/** The second thread's part of a job. */
function answer(job: Job): Answer {
  try {
    return { findings: workThrough(job) };
  } catch (cause) {
    // The other thread has nothing to wait for.
    Atomics.store(job.shared, 0, job.todo.length);
    if (cause instanceof Failure) return { failure: cause.message };
    const { message, stack, code, path } = cause as NodeJS.ErrnoException;
    return { error: Object.assign(new Error(message), { stack, code, path }) };
  }
}

parentPort?.postMessage(answer(workerData as Job));
