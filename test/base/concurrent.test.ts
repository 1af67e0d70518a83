import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { forEachConcurrent } from "../../build/base/concurrent.ts";

describe("work on many items", () => {
  it("runs for every item, with at most as many items at a time as the limit", async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await forEachConcurrent(new Set([1, 2, 3, 4, 5, 6, 7]), 3, async (item) => {
      most = Math.max(most, ++running);
      await turn();
      running--;
      done.push(item);
    });
    expect(done).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(3);
  });

  it("starts no item after a failure, and waits for the items in progress", async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const work = forEachConcurrent([1, 2, 3, 4, 5], 2, async (item) => {
      begun.push(item);
      if (item === 2) throw new Error("the second");
      for (let i = 0; i < 5; i++) await turn();
      ended.push(item);
      throw new Error("a later one");
    });
    await expect(work).rejects.toThrow("the second");
    expect([begun, ended]).toEqual([[1, 2], [1]]);
  });
});
