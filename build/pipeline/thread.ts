import { parentPort, workerData } from "node:worker_threads";
import { Failure } from "../base/failure.ts";
import { PROGRAM } from "../base/program.ts";
import type { ThreadResult, Start, ThreadTask } from "./threads.ts";

const { purpose, program } = workerData as Start;

/**
 * Where the program has changed since the other thread was loaded, they would not understand each other; that one can
 * do all the work.
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
    if ("wordFiles" in task) {
      const { stageWordFiles } = await import("./browse.ts");
      return { paths: stageWordFiles(task.wordFiles) };
    }
    const { searchThrough } = await import("./changes.ts");
    for (const _ of searchThrough(task.search));
    return {};
  } catch (cause) {
    // The other thread has nothing to wait for.
    if ("pages" in task) Atomics.store(task.pages.shared, 0, task.pages.toRead.length);
    if (cause instanceof Failure) return { failure: cause.message };
    const { message, stack, code, path } = cause as NodeJS.ErrnoException;
    return { error: Object.assign(new Error(message), { stack, code, path }) };
  }
}

// Loaded while the other thread still finds out what there is to do.
const LOAD = {
  pages: () => import("./worker.ts"),
  search: () => import("./changes.ts"),
  words: () => import("./browse.ts"),
};
if (isSame) void LOAD[purpose]();

/** Answers; the large part is handed over, not copied. */
async function respond(task: ThreadTask): Promise<void> {
  const answered = await answer(task);
  const entries = answered.read?.claims.entries;
  parentPort?.postMessage(answered, entries ? [entries.buffer as ArrayBuffer] : []);
}

parentPort?.on("message", (task: ThreadTask) => void respond(task));
