import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Schema } from "../../build/contract/canonical.ts";
import { compareSchemas } from "../../build/contract/schema-changes.ts";
import { anyPair, anySchema, anyValue, judgeOf, tolerant } from "./random-schemas.ts";

/** Values that all pairs are tried with. */
const VALUES = fc.sample(anyValue, { numRuns: 300, seed: 1 });

const RUNS = Number(process.env["RUNS"] ?? 100);

interface Verdict {
  isBreaking: boolean;
  changes: string[];
}

function verdictOn(before: Schema, after: Schema): Verdict {
  const verdict: Verdict = { isBreaking: false, changes: [] };
  compareSchemas(before, after, "", (breaking, what, message) => {
    verdict.isBreaking ||= breaking;
    verdict.changes.push(`${breaking ? "breaking" : "compatible"} ${what} ${message}`);
  });
  return verdict;
}

describe("random pairs of schemas", () => {
  it("are never called compatible if the later one accepts a value that the former one refuses", () => {
    let [breaking, compatible] = [0, 0];
    fc.assert(
      fc.property(anyPair, ([before, after]) => {
        const verdict = verdictOn(before, after);
        const [was, read, is] = [judgeOf(before), judgeOf(tolerant(before)), judgeOf(after)];
        const unreadable = VALUES.find((value) => is(value) && !read(value));
        if (unreadable !== undefined) {
          breaking++;
          return verdict.isBreaking;
        }
        if (!verdict.isBreaking) compatible++;
        const different = VALUES.find((value) => is(value) !== was(value));
        return different === undefined || verdict.changes.length > 0;
      }),
      { numRuns: RUNS, seed: Number(process.env["SEED"] ?? 1) },
    );
    // Both happen often enough for the test to mean something.
    expect(breaking).toBeGreaterThan(RUNS / 10);
    expect(compatible).toBeGreaterThan(RUNS / 10);
  });

  it("differ in nothing if they are the same", () => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        expect(verdictOn(schema, structuredClone(schema)).changes).toEqual([]);
      }),
      { numRuns: 200, seed: 1 },
    );
  });
});
