import * as fc from "fast-check";
import { expect, it } from "vitest";
import { IdMap, Numbering } from "../../build/base/columns.ts";

const key = fc.oneof(
  fc.nat(10_000),
  fc.constantFrom(0, -0, 2 ** 20 - 1, 2 ** 20, 2 ** 40, -1, 0.5, Number.NaN),
  fc.string({ maxLength: 2 }),
  fc.constantFrom(undefined, null, true),
);

it("keeps values by ids as a map does, whatever the keys are", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.nat())), key, (entries, other) => {
      const [ids, map] = [new IdMap<number>(), new Map<unknown, number>()];
      for (const [one, value] of entries) {
        ids.set(one, value);
        map.set(one, value);
      }
      expect(ids.size).toBe(map.size);
      for (const one of [...map.keys(), other]) expect(ids.get(one)).toBe(map.get(one));
    }),
  );
});

it("numbers texts in the order in which they came, also texts with the same hash", () => {
  const [numbering, map] = [new Numbering(), new Map<string, number>()];
  const sameHash = ["w4pvu", "wb3ea"];
  for (const text of [...sameHash, ...Array.from({ length: 5000 }, (_, k) => `${k % 3000}`), ...sameHash]) {
    if (!map.has(text)) map.set(text, map.size);
    expect(numbering.of(text)).toBe(map.get(text));
  }
  expect(numbering.texts).toEqual([...map.keys()]);
});
