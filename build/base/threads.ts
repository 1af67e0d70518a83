import { once } from "node:events";
import { extname } from "node:path";
import {
  MessageChannel,
  parentPort,
  Worker,
  type MessagePort,
  type WorkerOptions,
} from "node:worker_threads";
import { Failure } from "./failure.ts";

type TaskEnd<Result> =
  | { result: Result }
  | { failure: string }
  | { error: { message: string; stack: string | undefined } };

/** A thread that runs `thread.ts` of a folder of the program. Without a task, it does not keep the process alive. */
export class Thread<Task, Result> {
  private readonly worker: Worker;
  /** Rejected when the thread ends by an error. */
  private readonly failed: Promise<never>;

  constructor(folder: string, options: WorkerOptions = {}) {
    this.worker = start(folder, options);
    this.worker.unref();
    this.failed = new Promise((_, reject) => {
      this.worker.once("error", reject);
    });
    // The error is thrown when a result is awaited.
    this.failed.catch(() => undefined);
  }

  /** @throws the error of the task, or of the thread. */
  async run(task: Task): Promise<Result> {
    const { port1, port2 } = new MessageChannel();
    try {
      this.worker.postMessage({ task, port: port2 }, [port2]);
      const [reply] = (await Promise.race([once(port1, "message"), this.failed])) as [TaskEnd<Result>];
      if ("result" in reply) return reply.result;
      if ("failure" in reply) throw new Failure(reply.failure);
      throw Object.assign(new Error(reply.error.message), reply.error);
    } finally {
      port1.close();
    }
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}

/** Runs, in a thread, the tasks of the other thread. Bytes are handed over, without a copy. */
export function takeTasks(run: (task: never) => unknown): void {
  const reply = async (task: never, port: MessagePort): Promise<void> => {
    try {
      const result = await run(task);
      port.postMessage({ result }, result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : []);
    } catch (cause) {
      const { message, stack } = cause as Error;
      // A copy of an error would lack the system's code and path.
      const error = { ...(cause as object), message, stack };
      port.postMessage(cause instanceof Failure ? { failure: message } : { error });
    }
  };
  parentPort?.on("message", ({ task, port }: { task: never; port: MessagePort }) => void reply(task, port));
}

/** The modules of threads have the same places in the sources and in compiled code. A thread inherits Node's options. */
const start = (folder: string, options: WorkerOptions): Worker =>
  new Worker(new URL(`../${folder}/thread${extname(import.meta.url)}`, import.meta.url), options);
