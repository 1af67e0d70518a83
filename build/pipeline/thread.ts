import { parentPort, workerData } from "node:worker_threads";
import { Failure } from "../base/failure.ts";
import { PROGRAM } from "../base/program.ts";
import type { Job } from "./worker.ts";
import type { ThreadResult, Start } from "./threads.ts";

const { program } = workerData as Start;

/**
 * Whether both threads run the same version of the program. Otherwise this thread does nothing, and the other one does all
 * the work.
 */
const isSame = program === PROGRAM;

/** The second thread's part of a job. */
async function answer(job: Job): Promise<ThreadResult> {
  if (!isSame) return {};
  try {
    const { workThrough } = await import("./worker.ts");
    return { read: workThrough(job) };
  } catch (cause) {
    // Marks all pages as taken, so that the other thread ends too.
    Atomics.store(job.shared, 0, job.toRead.length);
    if (cause instanceof Failure) return { failure: cause.message };
    const { message, stack, code, path } = cause as NodeJS.ErrnoException;
    return { error: Object.assign(new Error(message), { stack, code, path }) };
  }
}

// Loaded early, while the other thread still looks for work.
if (isSame) void import("./worker.ts");

parentPort?.on(
  "message",
  (job: Job) => void answer(job).then((answered) => parentPort?.postMessage(answered)),
);
