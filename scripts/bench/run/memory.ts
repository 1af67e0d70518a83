import { readdirSync, readFileSync } from "node:fs";

const INTERVAL_MS = 10;

/**
 * Watches a process and its descendants through Linux's /proc until the returned function is called. That function
 * returns the peak memory of the largest process in bytes, or undefined if there is no /proc. The kernel records the
 * peak of each process, so only memory allocated after the last reading is missed.
 */
export function watchMemory(root: number): () => number | undefined {
  let peak: number | undefined;
  const look = (): void => {
    for (const pid of treeOf(root)) {
      const bytes = peakOf(pid);
      if (bytes !== undefined && bytes > (peak ?? 0)) peak = bytes;
    }
  };
  const timer = setInterval(look, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

function* treeOf(pid: number): Generator<number> {
  yield pid;
  // Children are listed under the thread that started them.
  for (const thread of entriesOf(`/proc/${pid}/task`)) {
    const children = readOrNothing(`/proc/${pid}/task/${thread}/children`);
    for (const child of children.split(" ").filter(Boolean)) yield* treeOf(Number(child));
  }
}

function peakOf(pid: number): number | undefined {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readOrNothing(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
}

/** The text of a file; empty if its process has ended meanwhile. */
function readOrNothing(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
