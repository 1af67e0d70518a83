import { parentPort, workerData } from "node:worker_threads";
import { buffersOf } from "../browse/indexer.ts";
import { Failure } from "../base/failure.ts";
import { PROGRAM } from "../base/program.ts";
import type { Answer, Start, Task } from "./threads.ts";

const { purpose, program } = workerData as Start;

/**
 * Where the program has changed since the other thread was loaded, they would not understand each other; that one can
 * do all the work.
 */
const isSame = program === PROGRAM;

/** The second thread's part of a task. */
async function answer(task: Task): Promise<Answer> {
  if (!isSame) return { read: undefined };
  try {
    if ("pages" in task) {
      const { workThrough } = await import("./worker.ts");
      return { read: workThrough(task.pages) };
    }
    const { searchThrough } = await import("./changes.ts");
    for (const _ of searchThrough(task.search));
    return { read: undefined };
  } catch (cause) {
    // The other thread has nothing to wait for.
    if ("pages" in task) Atomics.store(task.pages.shared, 0, task.pages.toRead.length);
    if (cause instanceof Failure) return { failure: cause.message };
    const { message, stack, code, path } = cause as NodeJS.ErrnoException;
    return { error: Object.assign(new Error(message), { stack, code, path }) };
  }
}

// Loaded while the other thread still finds out what there is to do.
if (isSame) void (purpose === "pages" ? import("./worker.ts") : import("./changes.ts"));

/** Answers; the large part is handed over, not copied. */
async function respond(task: Task): Promise<void> {
  const answered = await answer(task);
  const handedOver: ArrayBuffer[] = [];
  if ("read" in answered && answered.read !== undefined) {
    const { claims, index } = answered.read;
    handedOver.push(claims.entries.buffer as ArrayBuffer, ...buffersOf(index));
  }
  parentPort?.postMessage(answered, handedOver);
}

parentPort?.once("message", (task: Task) => void respond(task));
