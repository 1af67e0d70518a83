import { workerData } from "node:worker_threads";
import { Locked, takeLock } from "../../build/base/lock.ts";

/* One of several threads that try to take the same lock in each round. The winner holds it until all have tried. */
const { path, shared, winners } = workerData as {
  path: string;
  shared: Int32Array;
  winners: Int32Array;
};
const TAKERS = 4;

for (let round = 1; round <= winners.length; round++) {
  Atomics.add(shared, 1, 1);
  Atomics.notify(shared, 1);
  while (Atomics.load(shared, 0) < round) Atomics.wait(shared, 0, round - 1);
  let release: (() => void) | undefined;
  try {
    release = takeLock(path);
    Atomics.add(winners, round - 1, 1);
    const holders = Atomics.add(shared, 3, 1) + 1;
    if (holders > Atomics.load(shared, 4)) Atomics.store(shared, 4, holders);
  } catch (cause) {
    if (!(cause instanceof Locked)) throw cause;
  }
  Atomics.add(shared, 2, 1);
  Atomics.notify(shared, 2);
  for (let tried = Atomics.load(shared, 2); tried < TAKERS * round; tried = Atomics.load(shared, 2))
    Atomics.wait(shared, 2, tried);
  if (release === undefined) continue;
  Atomics.sub(shared, 3, 1);
  release();
}
