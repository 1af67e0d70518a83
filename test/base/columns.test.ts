import * as fc from "fast-check";
import { expect, test } from "vitest";
import { repeatedIn } from "../../build/base/columns.ts";

const numbers = (max: number) => fc.array(fc.integer({ min: 0, max }), { maxLength: 60 });

test.each([
  ["small", numbers(90)],
  ["large", numbers(2 ** 40)],
])("repeated numbers are found among %s ones", (_, values) => {
  fc.assert(
    fc.property(values, fc.array(fc.nat({ max: 1000 }), { maxLength: 10 }), (drawn, again) => {
      const all = [...drawn, ...again.flatMap((k) => drawn.slice(k % 60, (k % 60) + 1))];
      const repeated = all.filter((number, k) => all.indexOf(number) < k);
      expect(new Set(repeatedIn(Float64Array.from(all)))).toEqual(new Set(repeated));
    }),
  );
});
