import { describe, expect, it, vi } from "vitest";
import { buildsAreFull, stepsAreFull } from "./incremental.ts";

/** With four pages in a shard, a small site has several shards. */
vi.mock(import("../../build/outputs/shards/format.ts"), async (original) => ({
  ...(await original()),
  shardCount: (pages) => 2 ** Math.max(0, Math.ceil(Math.log2(pages / 4))),
}));

// incremental.slow.ts has more runs.
describe("an incremental build", () => {
  it("equals a full build after any edits of the sources, the output and its manifest", async () => {
    await expect(buildsAreFull(5)).resolves.toBeUndefined();
  });

  it("equals a full build if it stays running, whatever its watcher reports", async () => {
    await expect(stepsAreFull(5)).resolves.toBeUndefined();
  });
});
