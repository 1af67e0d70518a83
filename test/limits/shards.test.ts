import { expect, it } from "vitest";
import { openShard } from "../../build/shards/unzip.ts";
import { nameOf, zip } from "../../build/shards/zip.ts";

it("a shard may have the largest id, and needs version 2.0 of ZIP to be read", () => {
  const pages = [{ id: Number.MAX_SAFE_INTEGER, bytes: Buffer.from("{}") }];
  const bytes = zip(pages);
  expect(bytes.readUInt16LE(4)).toBe(20);
  const shard = { key: "a.zip", name: nameOf(pages), bytes: 2, remainder: 0, count: 1 };
  expect([...openShard(bytes, shard).ids]).toEqual([Number.MAX_SAFE_INTEGER]);
});
