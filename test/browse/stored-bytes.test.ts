import { join } from "node:path";
import { array, assert, integer, nat, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { BytesReader, BytesWriter } from "../../build/browse/stored-bytes.ts";
import { scratch } from "../scratch.ts";

const textOf = (reader: BytesReader, from: number, to: number): string => {
  const at = reader.locate(from, to);
  return reader.window.toString("latin1", at, at + to - from);
};

/** Repeated, so that the items need more memory than is allowed. */
const long = (item: number): string => `${item}`.padEnd(1000, "é");
const ITEMS = 14_000;

describe("stored bytes", () => {
  const writer = new BytesWriter(10, join(scratch("stored-bytes"), "bytes"));
  const ends = [0];
  for (let item = 0; item < ITEMS; item++) {
    writer.pushText(long(item));
    writer.pushNumber(item);
    ends.push(writer.endItem());
  }
  const stored = writer.finish();

  it("are in a file if there are many, but for the last ones", () => {
    expect(stored.file?.length).toBeGreaterThan(4 << 20);
    expect(stored.memory.length).toBeGreaterThan(0);
    expect((stored.file?.length ?? 0) + stored.memory.length).toBe(ITEMS * 1004);
  });

  it.each([0, 1 << 12, 1 << 18])("are read in any order, %i bytes at a time", (ahead) => {
    const reader = new BytesReader(stored, ahead);
    const read = (item: number): void => {
      const [from = 0, to = 0] = [ends[item], ends[item + 1]];
      expect(textOf(reader, from, to - 4)).toBe(long(item));
      expect(reader.window.readUInt32LE(reader.locate(to - 4, to))).toBe(item);
    };
    try {
      for (let item = 0; item < ITEMS; item++) read(item);
      assert(property(nat(ITEMS - 1), read));
    } finally {
      reader.close();
    }
  });

  it("are all in memory without a path", () => {
    assert(
      property(array(array(integer({ min: 0, max: 2 ** 32 - 1 }))), (items) => {
        const all = new BytesWriter(1, undefined);
        const to = items.map((numbers) => {
          for (const number of numbers) all.pushNumber(number);
          return all.endItem();
        });
        const { memory, file } = all.finish();
        expect(file).toBeUndefined();
        const reader = new BytesReader({ memory });
        for (const [k, numbers] of items.entries()) {
          const at = reader.locate(to[k - 1] ?? 0, to[k] ?? 0);
          expect(numbers.map((_, n) => reader.window.readUInt32LE(at + 4 * n))).toEqual(numbers);
        }
      }),
    );
  });
});
