import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SourceChecker } from "../../build/check/source.ts";
import { ClaimCollector } from "../../build/check/claims.ts";
import { parent, site } from "./place.ts";
import { programModel } from "../../build/model/program-model.ts";

/** Objects that differ in one value, in a missing value, or only in spelling; a few are invalid. */
const subject = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      id: fc.constantFrom("1", "2", "10", "1e1"),
      name: fc.constantFrom('"reed"', '"re"', '"ä, é"', String.raw`"\u0072eed"`, '""', undefined),
      level: fc.constantFrom("1", "2"),
      parent_id: fc.constantFrom("1", "12"),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ id: "0", name: "1", parent_id: "[]" }) },
);
const contributor = fc.record({
  role_display: fc.constantFrom('"artist"', '"after"', '"x"'),
  fc: fc.constantFrom('"A"', '"B, C"'),
  date: fc.constantFrom('"1900"', undefined),
});

const printed = (fields: Record<string, string | undefined>): string => {
  const members = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `{${members.map(([name, value]) => `"${name}": ${value}`).join(", ")}}`;
};

const page = fc
  .record({
    subjects: fc.array(subject.map(printed), { maxLength: 6 }),
    contributors: fc.array(contributor.map(printed), { maxLength: 2 }),
  })
  .map(({ subjects, contributors }) =>
    printed({
      id: "1",
      meta: '{ "type": "artworks.ArtworkPage" }',
      title: '"A work"',
      acno: '"N00001"',
      acquisitionYear: "1900",
      start_year: "1850",
      end_year: "1851",
      mltYear: "1850",
      classification: '{ "id": 5 }',
      contributors: `[${contributors.join(", ")}]`,
      subjects: `[${subjects.join(", ")}]`,
    }),
  );

/** The response of a source, and its claims. */
function outcome(checker: SourceChecker, claims: ClaimCollector, bytes: Buffer) {
  const before = claims.part().entries.length;
  const source = { file: "a-work.json", bytes, size: bytes.length };
  const { response, findings } = checker.check(source, { parent, slug: "a-work" });
  claims.endFile(0);
  const { entries, texts } = claims.part();
  return { response, findings, claims: Array.from(entries.subarray(before), (number) => texts[number]) };
}

describe("objects that many pages repeat word for word", () => {
  it("are validated, printed and claimed as if each was the first", () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.array(page, { minLength: 20, maxLength: 60 }), (pages) => {
        const known = new ClaimCollector();
        const checker = new SourceChecker({ model: programModel, site, claims: known });
        for (const one of pages) {
          const source = Buffer.from(one);
          const fresh = new ClaimCollector();
          const expected = outcome(
            new SourceChecker({ model: programModel, site, claims: fresh }),
            fresh,
            source,
          );
          expect(outcome(checker, known, source)).toEqual(expected);
          if (expected.response !== undefined) taken++;
        }
      }),
      { numRuns: 15, seed: 1 },
    );
    expect(taken).toBeGreaterThan(300);
  });
});
