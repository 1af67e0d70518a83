import { once } from "node:events";
import module from "node:module";
import { dirname } from "node:path";
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
    this.worker = start(folder, { ...options, env: withCompileCache() });
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

  /** Ends the thread at once. */
  async end(): Promise<void> {
    await this.worker.terminate();
  }
}

/** Called in a thread: runs the tasks that the other thread gives. Bytes are handed over, without a copy. */
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

function start(folder: string, options: WorkerOptions): Worker {
  // In a bundle (scripts/node20/), each thread has a bundle beside it.
  if (import.meta.url.endsWith(".mjs"))
    return new Worker(new URL(`${folder}/thread.mjs`, import.meta.url), options);
  const thread = new URL(`../${folder}/thread.ts`, import.meta.url);
  const { typescript } = process.features as { typescript?: unknown };
  return typescript
    ? new Worker(thread, options)
    : new Worker(new URL("node20/thread.mjs", import.meta.url), { ...options, argv: [thread.href] });
}

/** Passes on the folder of the compile cache (Node 22 and later), which a thread does not inherit. */
function withCompileCache(): NodeJS.ProcessEnv {
  const { getCompileCacheDir } = module as { getCompileCacheDir?: () => string | undefined };
  const folder = getCompileCacheDir?.();
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}
