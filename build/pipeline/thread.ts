import { parentPort, workerData } from "node:worker_threads";
import { Failure } from "../base/failure.ts";
import { PROGRAM } from "../base/program.ts";
import type { ThreadResult, Start, ThreadTask } from "./threads.ts";

const { purpose, program } = workerData as Start;

/**
 * Whether both threads run the same version of the program. Otherwise this thread does nothing, and the other one does all
 * the work.
 */
const isSame = program === PROGRAM;

/** The second thread's part of a task. */
async function answer(task: ThreadTask): Promise<ThreadResult> {
  if (!isSame) return {};
  try {
    if ("pages" in task) {
      const { workThrough } = await import("./worker.ts");
      return { read: workThrough(task.pages) };
    }
    const { searchThrough } = await import("./changes.ts");
    for (const _ of searchThrough(task.search));
    return {};
  } catch (cause) {
    // Marks all pages as taken, so that the other thread ends too.
    if ("pages" in task) Atomics.store(task.pages.shared, 0, task.pages.toRead.length);
    if (cause instanceof Failure) return { failure: cause.message };
    const { message, stack, code, path } = cause as NodeJS.ErrnoException;
    return { error: Object.assign(new Error(message), { stack, code, path }) };
  }
}

// Loaded early, while the other thread still looks for work.
const LOAD = {
  pages: () => import("./worker.ts"),
  search: () => import("./changes.ts"),
};
if (isSame) void LOAD[purpose]();

parentPort?.on(
  "message",
  (task: ThreadTask) => void answer(task).then((answered) => parentPort?.postMessage(answered)),
);
