import { tmpdir } from "node:os";
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

/** They differ in what a build compares: a disk gives the number of a file that is gone to the next, memory a new one. */
const fileSystem = fc.constantFrom(tmpdir(), MEMORY);

/** What a build from nothing finds and writes, elsewhere and in memory. */
async function cleanBuild({ content }: Workplace) {
  const elsewhere = workplace("clean", MEMORY);
  const { findings, pages } = await build({ ...elsewhere, content });
  const tree = treeOf(elsewhere.out);
  elsewhere.remove();
  return { findings, pages, tree };
}

/** What a clean build writes, and what people put beside it. */
const withKept = (clean: Record<string, string>, before: Record<string, string>): Record<string, string> => {
  const kept = Object.entries(before).filter(([path]) => !isOwned(path));
  return Object.fromEntries([...kept, ...Object.entries(clean)].sort(([a], [b]) => (a < b ? -1 : 1)));
};

const isOwned = (path: string): boolean =>
  path.startsWith("api/v2/pages/") ||
  path === "_headers" ||
  path === "_redirects" ||
  path.startsWith("_headers/") ||
  path.startsWith("_redirects/");

const sorted = (tree: Record<string, string>): [string, string][] =>
  Object.entries(tree)
    .filter(([path]) => !path.endsWith("/"))
    .sort(([a], [b]) => (a < b ? -1 : 1));

describe("an incremental build", () => {
  it("is a full build, whatever was done to the sources, the output and its memory", async () => {
    await fc.assert(
      fc.asyncProperty(fileSystem, fc.boolean(), edits, async (below, fits, rounds) => {
        const place = workplace("incremental", below);
        try {
          writeSite(place.content, fits ? FITTING_SITE : SMALL_SITE);
          await build(place);
          for (const some of rounds) {
            for (const one of some) apply(place, one);
            const before = treeOf(place.out);
            const { published, ...built } = await build(place);
            // What was refused, a check has to refuse for the same reasons: it reads everything, and writes nothing.
            const { tree, ...reference } =
              published === undefined
                ? { ...(await check(place)), tree: undefined }
                : await cleanBuild(place);
            expect(built).toEqual(reference);
            expect(reference.findings.some(isError)).toBe(published === undefined);
            expect(sorted(treeOf(place.out))).toEqual(sorted(tree ? withKept(tree, before) : before));
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
