import { parentPort, workerData } from "node:worker_threads";
import { searchThrough } from "./changes.ts";
import { Failure } from "./failure.ts";
import type { Answer, Task } from "./threads.ts";

/** The second thread's part of a task. */
async function answer(task: Task): Promise<Answer> {
  try {
    if ("pages" in task) {
      const { workThrough } = await import("./pages.ts");
      return { read: workThrough(task.pages) };
    }
    for (const _ of searchThrough(task.search));
    return { read: undefined };
  } catch (cause) {
    // The other thread has nothing to wait for.
    if ("pages" in task) Atomics.store(task.pages.shared, 0, task.pages.todo.length);
    if (cause instanceof Failure) return { failure: cause.message };
    const { message, stack, code, path } = cause as NodeJS.ErrnoException;
    return { error: Object.assign(new Error(message), { stack, code, path }) };
  }
}

// Loaded while the other thread still finds out what there is to do.
if (workerData === "pages") void import("./pages.ts");

/** Answers; the large part is handed over, not copied. */
async function respond(task: Task): Promise<void> {
  const answered = await answer(task);
  const handedOver =
    "read" in answered && answered.read !== undefined
      ? [answered.read.facts.entries.buffer as ArrayBuffer]
      : [];
  parentPort?.postMessage(answered, handedOver);
}

parentPort?.once("message", (task: Task) => void respond(task));
