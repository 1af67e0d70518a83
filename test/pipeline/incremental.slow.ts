import { describe, expect, it, vi } from "vitest";
import { buildsAreFull, stepsAreFull } from "./incremental.ts";

/** With four pages in a shard, a small site has several. */
vi.mock(import("../../build/shards/format.ts"), async (original) => ({
  ...(await original()),
  shardCount: (pages) => 2 ** Math.max(0, Math.ceil(Math.log2(pages / 4))),
}));

describe("an incremental build, edited many times,", () => {
  it("is a full build, whatever was done to the sources, the output and its manifest", async () => {
    await expect(buildsAreFull(150)).resolves.toBeUndefined();
  });

  it("is a full build where it stays open, whatever a watcher tells of it", async () => {
    await expect(stepsAreFull(150)).resolves.toBeUndefined();
  });
});
