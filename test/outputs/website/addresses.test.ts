import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { changeFiles, printAll, type LedTo } from "../../../build/outputs/website/addresses.ts";

/** Long addresses, so that a thousand of them need more than 16 files. */
const addressOf = (n: number): string => `/${"é".repeat(500)}/${n}/`;

const sizesOf = (files: ReadonlyMap<string, Buffer | undefined>): [string, { size: number }][] =>
  [...files].map(([path, text]) => [path, { size: text?.length ?? 0 }]);

const textsOf = (files: ReadonlyMap<string, Buffer | undefined>): Record<string, string> =>
  Object.fromEntries(Array.from(files, ([path, bytes]) => [path, String(bytes)]));

const destination = fc.oneof(
  fc.nat(9),
  fc.nat(9).map((n) => ({ to: addressOf(n) })),
);
const change = fc.record({
  removed: fc.uniqueArray(fc.nat(1200), { maxLength: 20 }),
  from: fc.constantFrom(0, 400, 900),
  count: fc.constantFrom(0, 3, 700),
  to: destination,
});

it("changed files of addresses equal those that are written at once, in as many files as needed", () => {
  const seen = new Set<number>();
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const all = new Map<string, LedTo>(Array.from({ length: 700 }, (_, n) => [addressOf(n), n + 1]));
      let known = printAll([...all]);
      for (const { removed, from, count, to } of changes) {
        const gone = removed.flatMap((n) => [addressOf(n), addressOf(n + 400)]);
        const added = Array.from({ length: count }, (_, n): [string, LedTo] => [addressOf(from + n), to]);
        for (const address of gone) all.delete(address);
        for (const [address, value] of added) all.set(address, value);
        const { digits, files } = changeFiles(
          { digits: known.digits, files: sizesOf(known.files) },
          { removed: gone, added },
          (path) => known.files.get(path) ?? Buffer.alloc(0),
          () => [...all],
        );
        const changed = new Map([...known.files, ...files]);
        const after = new Map([...changed].filter(([, text]) => text !== undefined));
        known = printAll([...all]);
        expect(digits).toBe(known.digits);
        expect(textsOf(after)).toEqual(textsOf(known.files));
        seen.add(digits);
        for (const [, { size }] of sizesOf(after)) expect(size).toBeLessThanOrEqual(65536);
        const found = [...after].flatMap(([path, text]) =>
          Object.entries(JSON.parse(String(text)) as Record<string, unknown>).map(([address, value]) => {
            const hash = createHash("sha256").update(address).digest("hex");
            expect(path).toBe(`index/addresses/${hash.slice(0, digits)}.json`);
            return [address, value] as const;
          }),
        );
        expect(Object.fromEntries(found)).toEqual(Object.fromEntries(all));
      }
    }),
    { numRuns: 3, seed: 1 },
  );
  expect(seen).toEqual(new Set([1, 2]));
});
