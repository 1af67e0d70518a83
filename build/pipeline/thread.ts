import { takeTasks } from "../base/threads.ts";
import { modelFrom } from "../check/types.ts";
import { workThrough, type Job, type ReadResult } from "./worker.ts";

takeTasks((job: Job): ReadResult => {
  try {
    return workThrough(job, modelFrom(job.types));
  } catch (cause) {
    // Marks all pages as taken, so that the other thread ends too.
    Atomics.store(job.shared, 0, job.toRead.length);
    throw cause;
  }
});
