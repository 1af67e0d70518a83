import { takeTasks } from "../base/threads.ts";
import type { PageModel } from "../model/page.ts";
import { programModel } from "../model/program-model.ts";
import { workThrough, type Job, type ReadResult } from "./worker.ts";

/** A site without types of its own does not load the code for them. */
const modelFor = async (types: string | undefined): Promise<PageModel> =>
  types === undefined ? programModel : (await import("../model/types.ts")).modelFrom(types);

takeTasks(async (job: Job): Promise<ReadResult> => {
  try {
    return workThrough(job, await modelFor(job.types));
  } catch (cause) {
    // Marks all pages as taken, so that the other thread ends too.
    Atomics.store(job.shared, 0, job.toRead.length);
    throw cause;
  }
});
