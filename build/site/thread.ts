import { takeTasks } from "../base/threads.ts";
import type { ModelLanguages, PageModel } from "../model/page.ts";
import { programModel } from "../model/program-model.ts";
import { summarisePages, type SummaryJob, type SummaryPart } from "./summaries.ts";
import { workThrough, type Job, type ReadResult } from "./worker.ts";

/** A site without types of its own does not load the code for them. */
const modelFor = async ({ types, languages }: Job): Promise<PageModel> => {
  const program =
    languages === undefined
      ? programModel
      : programModel.inLanguages(JSON.parse(languages) as ModelLanguages);
  return types === undefined ? program : (await import("../model/types.ts")).modelFrom(types, program);
};

takeTasks(async (job: Job | SummaryJob): Promise<ReadResult | SummaryPart> => {
  try {
    if ("facts" in job) return summarisePages(job);
    return workThrough(job, await modelFor(job));
  } catch (cause) {
    // Marks all pages as taken, so that the other thread ends too.
    Atomics.store(job.shared, 0, job.toRead.length);
    throw cause;
  }
});
