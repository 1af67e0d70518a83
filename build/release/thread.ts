import { parentPort } from "node:worker_threads";
import type { Answer, Task } from "./packer.ts";
import { HeldShard } from "./shard.ts";

const held = new Map<number, HeldShard>();

function answer(task: Task): Answer | undefined {
  const { number } = task;
  const shard = held.get(number);
  try {
    if ("ids" in task) {
      const read = new HeldShard(task.folder, task.ids);
      held.set(number, read);
      return { number, named: read.named };
    }
    held.delete(number);
    return shard !== undefined && task.isWanted ? { number, zip: shard.zip() } : undefined;
  } catch (cause) {
    held.delete(number);
    const { message, stack, code, path } = cause as NodeJS.ErrnoException;
    return { number, error: Object.assign(new Error(message), { stack, code, path }) };
  }
}

parentPort?.on("message", (task: Task) => {
  const answered = answer(task);
  if (answered === undefined) return;
  const handedOver = "zip" in answered ? [answered.zip.buffer as ArrayBuffer] : [];
  parentPort?.postMessage(answered, handedOver);
});
