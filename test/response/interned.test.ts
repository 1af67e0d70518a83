import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SourceChecker } from "../../build/check/source.ts";
import { ClaimCollector } from "../../build/check/claims.ts";
import { parent, site } from "./place.ts";
import { programModel } from "../../build/page/program-model.ts";

/** Objects that differ near their end, in a missing value, or only in spelling; a few are invalid. */
const sound = fc.record({
  id: fc.constantFrom("1", "2", "10", "1e1"),
  name: fc.constantFrom('"reed"', '"re"', '"a } b"', '"ä, é"', String.raw`"\u0072eed"`, '""', undefined),
  level: fc.constantFrom("1", "2"),
  parent_id: fc.constantFrom("1", "12"),
  form: fc.constantFrom(["{ ", ", ", " }"], ["{", ",", "}"], ["{\n      ", ",\n      ", "\n    }"]),
});
const unsound = fc.constant({
  id: "0",
  name: "1",
  level: undefined,
  parent_id: "[]",
  form: ["{", ",", "}"] as const,
});
const member = fc.oneof({ weight: 20, arbitrary: sound }, { weight: 1, arbitrary: unsound });

const textOf = ({ form, ...fields }: { form: readonly string[] } & Record<string, unknown>): string => {
  const members = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `${form[0]}${members.map(([name, value]) => `"${name}": ${String(value)}`).join(form[1])}${form[2]}`;
};

const contributor = fc
  .record({
    role_display: fc.constantFrom('"artist"', '"after"', '"x"'),
    fc: fc.constantFrom('"A"', '"B, C"'),
    date: fc.constantFrom('"1900"', undefined),
    form: fc.constant(["{\n      ", ",\n      ", "\n    }"]),
  })
  .map(textOf);

const names =
  "id meta title acno acquisitionYear start_year end_year mltYear classification contributors subjects".split(
    " ",
  );

const page: fc.Arbitrary<Page> = fc.record({
  subjects: fc.array(member.map(textOf), { maxLength: 6 }),
  contributors: fc.array(contributor, { maxLength: 2 }),
  /** Most pages have the usual order of fields and layout; a few do not. */
  order: fc.oneof(
    { weight: 4, arbitrary: fc.constant<string[]>(names) },
    { weight: 1, arbitrary: fc.shuffledSubarray(names, { minLength: names.length }) },
  ),
  layout: fc.oneof(
    { weight: 4, arbitrary: fc.constant<Page["layout"]>({ before: "\n  ", colon: ": " }) },
    {
      weight: 1,
      arbitrary: fc.record<Page["layout"]>({
        before: fc.constantFrom("", " ", "\n\t", `\n${" ".repeat(70)}`),
        colon: fc.constantFrom(":", " :", ":  ", ":\r\n"),
      }),
    },
  ),
});

interface Page {
  subjects: string[];
  contributors: string[];
  order: readonly string[];
  layout: { before: string; colon: string };
}

function sourceOf(id: number, { subjects, contributors, order, layout: { before, colon } }: Page): Buffer {
  const values: Record<string, string> = {
    id: String(id),
    meta: '{ "type": "artworks.ArtworkPage" }',
    title: '"A work"',
    acno: `"N${String(id).padStart(5, "0")}"`,
    acquisitionYear: "1900",
    start_year: "1850",
    end_year: "1851",
    mltYear: "1850",
    classification: '{ "id": 5 }',
    contributors: `[${contributors.join(", ")}]`,
    subjects: `[${subjects.join(", ")}]`,
  };
  return Buffer.from(`{${order.map((name) => `${before}"${name}"${colon}${values[name]}`).join(",")}\n}`);
}

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
        for (const [k, one] of pages.entries()) {
          const source = sourceOf(k + 1, one);
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
