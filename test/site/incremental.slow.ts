import { describe, expect, it, vi } from "vitest";
import { buildsAreFull, stepsAreFull } from "./incremental.ts";

/** With small files, a small site has several of each kind. */
vi.mock(import("../../build/base/website.ts"), async (original) =>
  Object.assign({ ...(await original()) }, { MAX_CHILDREN: 2, MAX_LISTED: 16 }),
);
vi.mock(import("../../build/outputs/shards/format.ts"), async (original) => ({
  ...(await original()),
  shardCount: (pages) => 2 ** Math.max(0, Math.ceil(Math.log2(pages / 4))),
}));

describe("an incremental build, edited many times,", () => {
  it("equals a full build after any edits of the sources, the output and its manifest", async () => {
    await expect(buildsAreFull(40)).resolves.toBeUndefined();
  });

  it("equals a full build if it stays running, whatever its watcher reports", async () => {
    await expect(stepsAreFull(40)).resolves.toBeUndefined();
  });
});
