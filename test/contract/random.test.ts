import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accepts } from "../../build/contract/accepts.ts";
import type { Schema } from "../../build/contract/canonical.ts";
import { compareSchemas } from "../../build/contract/schema-changes.ts";
import { anyPair, anySchema, anyValue, validatorOf, reworded, tolerant, VALUES } from "./random-schemas.ts";
import { LOOSENED, PLACES } from "./loosened.ts";
import { runsOf, seedOf } from "../runs.ts";

/*
 * Verdicts on random pairs of schemas, checked by a validator that the program does not use for them. A verdict has
 * two parts: whether a client may break, and what changes. If the later schema accepts a value that clients of the
 * former one cannot read, the change is breaking. If it only refuses values, clients can read all that is left, so the
 * change is listed as compatible.
 */

const RUNS = runsOf(100);
/** Fewer runs are enough for pairs that differ in a single keyword. */
const RUNS_OF_KEYWORD = RUNS / 4;
const SEED = seedOf(1);

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

/** The findings of the independent validator, and the verdict. */
interface Comparison extends Verdict {
  /** The later schema accepts a value that a client of the former one cannot read. */
  isWider: boolean;
  /** One schema accepts a value that the other one refuses. */
  isDifferent: boolean;
  /** The later schema refuses a value that the former one accepts. */
  isNarrower: boolean;
}

function compare(before: Schema, after: Schema, values: readonly unknown[] = VALUES): Comparison {
  const [was, read, is] = [validatorOf(before), validatorOf(tolerant(before)), validatorOf(after)];
  const found = { isWider: false, isNarrower: false, isDifferent: false };
  for (const value of values) {
    const [isBefore, isAfter] = [was(value), is(value)];
    if (isBefore === isAfter) continue;
    found.isDifferent = true;
    found.isNarrower ||= isBefore;
    found.isWider ||= isAfter && !read(value);
  }
  return { ...verdictOn(before, after), ...found };
}

describe("random pairs of schemas", () => {
  it("are breaking if the later one accepts a value that the former one refuses", () => {
    let [wider, others] = [0, 0];
    fc.assert(
      fc.property(anyPair, ([before, after]) => {
        const { isWider, isBreaking } = compare(before, after);
        if (isWider) wider++;
        else if (!isBreaking) others++;
        return isBreaking || !isWider;
      }),
      { numRuns: RUNS, seed: SEED },
    );
    // Both cases are frequent enough for the test to be meaningful.
    expect(wider).toBeGreaterThan(RUNS / 10);
    expect(others).toBeGreaterThan(RUNS / 10);
  });

  it("have a listed change if one of them accepts a value that the other one refuses", () => {
    let narrower = 0;
    fc.assert(
      fc.property(anyPair, ([before, after]) => {
        const { isDifferent, isNarrower, isWider, isBreaking, changes } = compare(before, after);
        if (isNarrower && !isWider && !isBreaking) narrower++;
        return changes.length > 0 || !isDifferent;
      }),
      { numRuns: RUNS, seed: SEED + 1 },
    );
    expect(narrower).toBeGreaterThan(RUNS / 10);
  });

  it("are compatible if the later one is the former one with an additional condition", () => {
    fc.assert(
      fc.property(anySchema, anySchema, (before, condition) => {
        const { isBreaking, isDifferent, changes } = compare(before, { allOf: [before, condition] });
        expect({ isBreaking, isListed: changes.length > 0 || !isDifferent }).toEqual({
          isBreaking: false,
          isListed: true,
        });
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  it("have no differences if they are the same", () => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        expect(verdictOn(schema, structuredClone(schema)).changes).toEqual([]);
      }),
      { numRuns: 2 * RUNS, seed: SEED },
    );
  });

  it("are seldom called breaking if they accept the same values", () => {
    let breaking = 0;
    fc.assert(
      fc.property(reworded, ([before, after]) => {
        const { isBreaking, isDifferent } = compare(before, after);
        if (isBreaking) breaking++;
        return !isDifferent;
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(breaking).toBeLessThanOrEqual(RUNS * 0.05);
  });
});

describe.each(Object.entries(LOOSENED))("a schema with a looser %s", (_, pairs) => {
  it("is breaking, and compatible the other way round", () => {
    let wider = 0;
    fc.assert(
      fc.property(pairs, fc.constantFrom(...PLACES), ([tight, loose], { schema, value }) => {
        const values = VALUES.map((one) => value(one));
        const widening = compare(schema(tight), schema(loose), values);
        const narrowing = compare(schema(loose), schema(tight), values);
        if (widening.isWider) wider++;
        expect({ ...widening, isBreaking: widening.isBreaking || !widening.isWider }).toMatchObject({
          isBreaking: true,
          isNarrower: false,
        });
        expect(narrowing).toMatchObject({ isBreaking: false, isWider: false });
        for (const { changes, isDifferent } of [widening, narrowing])
          expect({ isDifferent, isListed: changes.length > 0 || !isDifferent }).toMatchObject({
            isListed: true,
          });
      }),
      { numRuns: RUNS_OF_KEYWORD, seed: SEED },
    );
    expect(wider).toBeGreaterThan(RUNS_OF_KEYWORD / 10);
  });
});

it("a schema accepts the values that the independent validator accepts, unless it cannot be decided", () => {
  let undecided = 0;
  fc.assert(
    fc.property(anySchema, fc.array(anyValue, { minLength: 20, maxLength: 20 }), (schema, values) => {
      const isAccepted = validatorOf(schema);
      for (const value of [...values, ...VALUES]) {
        const verdict = accepts(schema, value);
        if (verdict === undefined) undecided++;
        expect({ value, verdict }).toEqual({
          value,
          verdict: verdict === undefined ? verdict : isAccepted(value),
        });
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
  // Only formats are undecided.
  expect(undecided).toBeLessThan((RUNS * VALUES.length) / 10);
});
