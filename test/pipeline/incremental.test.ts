import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isError } from "../../build/findings/finding.ts";
import { build } from "../../build/pipeline/build.ts";
import { check } from "../../build/pipeline/check.ts";
import { treeOf } from "../files.ts";
import { MEMORY } from "../scratch.ts";
import { apply, KINDS, type Edit } from "./edits.ts";
import { FITTING_SITE, SMALL_SITE, workplace, writeSite, type Workplace } from "./site.ts";

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(...KINDS),
  a: fc.nat(1000),
  b: fc.nat(1000),
});

const edits = fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 });

/**
 * Builds incrementally on the disk and from nothing in manifest; gives what should be the same, or shows why not. With an
 * error the latter is a check.
 */
async function buildBothWays(place: Workplace) {
  const before = treeOf(place.out);
  const built = await build(place);
  const checked = await check(place);
  const result = { before, built, checked, after: treeOf(place.out) };
  if (checked.findings.some(isError)) return { ...result, reference: checked, clean: {} };
  const elsewhere = workplace("clean", MEMORY);
  const reference = await build({ ...elsewhere, content: place.content });
  const clean = treeOf(elsewhere.out);
  elsewhere.remove();
  return { ...result, reference, clean };
}

/** What a clean build writes, and what people put beside it. */
const withKept = (clean: Record<string, string>, before: Record<string, string>): Record<string, string> => {
  const kept = Object.entries(before).filter(([path]) => !isOwned(path));
  return Object.fromEntries([...kept, ...Object.entries(clean)].sort(([a], [b]) => (a < b ? -1 : 1)));
};

const isOwned = (path: string): boolean =>
  path.startsWith("api/v2/pages/") || path === "_headers" || path === "_redirects";

const sorted = (tree: Record<string, string>): [string, string][] =>
  Object.entries(tree)
    .filter(([path]) => !path.endsWith("/"))
    .sort(([a], [b]) => (a < b ? -1 : 1));

describe("an incremental build", () => {
  it("is a full build, whatever was done to the sources, the output and its manifest", async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), edits, async (fits, rounds) => {
        const place = workplace("incremental");
        try {
          writeSite(place.content, fits ? FITTING_SITE : SMALL_SITE);
          await build(place);
          for (const some of rounds) {
            for (const one of some) apply(place, one);
            const { before, built, reference, checked, after, clean } = await buildBothWays(place);
            expect(built.findings).toEqual(reference.findings);
            expect(checked.findings).toEqual(reference.findings);
            expect(built.pages).toBe(reference.pages);
            const fails = reference.findings.some(isError);
            expect(built.published === undefined).toBe(fails);
            expect(sorted(after)).toEqual(sorted(fails ? before : withKept(clean, before)));
          }
        } finally {
          place.remove();
        }
      }),
      // Other seeds and more runs: EDIT_SEED=7 EDIT_RUNS=500 npx vitest run test/pipeline/incremental
      { numRuns: Number(process.env["EDIT_RUNS"] ?? 50), seed: Number(process.env["EDIT_SEED"] ?? 1) },
    );
  });
});
