import { workerData } from "node:worker_threads";
import { PROGRAM } from "../base/program.ts";
import { takeTasks } from "../base/threads.ts";
import type { Job, ReadResult } from "./worker.ts";

/**
 * Whether both threads run the same version of the program. Otherwise this thread does nothing, and the other one does all
 * the work.
 */
const isSame = workerData === PROGRAM;

// Loaded early, while the other thread still looks for work.
if (isSame) void import("./worker.ts");

takeTasks(async (job: Job): Promise<ReadResult | undefined> => {
  if (!isSame) return undefined;
  try {
    const { workThrough } = await import("./worker.ts");
    const { programModel } = await import("../page/program-model.ts");
    return workThrough(job, programModel);
  } catch (cause) {
    // Marks all pages as taken, so that the other thread ends too.
    Atomics.store(job.shared, 0, job.toRead.length);
    throw cause;
  }
});
