import { parentPort } from "node:worker_threads";
import type { PackResult, PackTask } from "./packer.ts";
import { LoadedShard } from "./loaded-shard.ts";

const loaded = new Map<number, LoadedShard>();

function answer(task: PackTask): PackResult | undefined {
  const { number } = task;
  const shard = loaded.get(number);
  try {
    if ("files" in task) {
      const read = new LoadedShard(task.files);
      loaded.set(number, read);
      return { number, named: read.named };
    }
    loaded.delete(number);
    return shard !== undefined && task.isWanted ? { number, zip: shard.zip() } : undefined;
  } catch (cause) {
    loaded.delete(number);
    const { message, stack, code, path } = cause as NodeJS.ErrnoException;
    return { number, error: Object.assign(new Error(message), { stack, code, path }) };
  }
}

parentPort?.on("message", (task: PackTask) => {
  const answered = answer(task);
  if (answered === undefined) return;
  const handedOver = "zip" in answered ? [answered.zip.buffer as ArrayBuffer] : [];
  parentPort?.postMessage(answered, handedOver);
});
