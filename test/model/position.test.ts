import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byPosition, positionOf, positionsFor, type Positioned } from "../../build/model/position.ts";

const position = fc.oneof(
  fc.constant(0),
  fc.integer({ min: -9, max: 9 }),
  fc.double({ noNaN: true, min: -9, max: 9 }),
);
const pages = fc
  .uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 99 }), position }), {
    selector: ({ id }) => id,
    maxLength: 9,
  })
  .map((some) => some.map((one) => ({ ...one, position: one.position + 0 })));

const after = (wanted: readonly Positioned[]): number[] => {
  const written = positionsFor(wanted);
  return wanted
    .map(({ id, position: before }) => ({ id, position: positionOf({ order: written.get(id) }) || before }))
    .sort(byPosition)
    .map(({ id }) => id);
};

describe("the positions of pages with the same parent", () => {
  it("give any wanted order", () => {
    fc.assert(
      fc.property(pages, (wanted) => {
        expect(after(wanted)).toEqual(wanted.map(({ id }) => id));
        expect(positionsFor([...wanted].sort(byPosition)).size).toBeLessThanOrEqual(wanted.length);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["in the middle", [1, 2, 4, 3, 5], { 4: 2.5 }],
    ["to the beginning", [5, 1, 2, 3, 4], { 5: 0 }],
    ["to the end", [2, 3, 4, 5, 1], { 1: 6 }],
  ])("change only one page if one is moved %s", (_, ids, expected) => {
    const order = ids.map((id) => ({ id, position: id }));
    const written = Object.fromEntries(positionsFor(order));
    expect(Object.keys(written)).toEqual(Object.keys(expected));
    expect(after(order)).toEqual(ids);
  });

  it("are not written for pages that follow by id", () => {
    const order = [7, 1, 2, 3].map((id) => ({ id, position: 0 }));
    expect([...positionsFor(order)]).toEqual([[7, 1]]);
    expect(positionsFor(order.slice(1)).size).toBe(0);
  });
});
