import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldChanges, jsonChanges } from "../../../build/source/json/changes.ts";

const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

const printed = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("latin1");

describe("the changes between two values", () => {
  it("are empty exactly if both are the same", () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(fieldChanges(a, a)).toEqual([]);
        // The order of an object's fields does not count: responses have their fields in one order.
        const differ = fieldChanges(a, b).length > 0;
        let isEqual = true;
        try {
          expect(a).toStrictEqual(b);
        } catch {
          isEqual = false;
        }
        expect(differ).toBe(!isEqual);
      }),
    );
  });

  it("are the same from the texts of two objects", () => {
    // Keys and values that are often the same, with the signs that JSON writes.
    const key = fc.constantFrom("a", "b", "ab", "b,", "{é}", '"\\');
    const object = fc.dictionary(key, fc.oneof(json, key, fc.constantFrom(1, 12)));
    fc.assert(
      fc.property(object, object, (a, b) => {
        const [before, after] = [
          { id: 1, ...a },
          { id: 1, ...a, ...b },
        ];
        expect(jsonChanges(printed(before), printed(after))).toEqual(fieldChanges(before, after));
        expect(jsonChanges(printed(a), printed(b))).toEqual(fieldChanges(a, b));
      }),
    );
  });

  it("have the path of the field", () => {
    const before = { a: 1, list: [{ x: 1 }, { x: 2 }], same: { deep: [] } };
    const after = { a: 2, list: [{ x: 1 }, { x: 3 }], same: { deep: [] } };
    expect(fieldChanges(before, after)).toEqual([
      { field: "a", old: 1, new: 2 },
      { field: "list[1].x", old: 2, new: 3 },
    ]);
  });

  it("distinguish a missing field from null", () => {
    expect(fieldChanges({ a: null }, {})).toEqual([{ field: "a", old: null }]);
    expect(fieldChanges({}, { a: null })).toEqual([{ field: "a", new: null }]);
  });

  it("show an inserted or removed element, and not the elements after it", () => {
    expect(fieldChanges(["a", "b", "c"], ["x", "a", "b", "c"])).toEqual([{ field: "[0]", new: "x" }]);
    expect(fieldChanges(["a", "b", "c"], ["a", "c"])).toEqual([{ field: "[1]", old: "b" }]);
  });

  it("identify elements by their ids", () => {
    const before = [
      { id: 1, name: "reed" },
      { id: 2, name: "rush" },
      { id: 3, name: "sedge" },
    ];
    const after = [
      { id: 3, name: "sedges" },
      { id: 2, name: "rushes" },
    ];
    expect(fieldChanges(before, after, "subjects")).toEqual([
      { field: "subjects[0].name", old: "sedge", new: "sedges" },
      { field: "subjects[1].name", old: "rush", new: "rushes" },
      { field: "subjects[0]", old: { id: 1, name: "reed" } },
    ]);
  });

  it("are the whole list if only its order changes", () => {
    const [before, after] = [
      [{ id: 1 }, { id: 2 }],
      [{ id: 2 }, { id: 1 }],
    ];
    expect(fieldChanges(before, after, "groups")).toEqual([{ field: "groups", old: before, new: after }]);
  });
});
