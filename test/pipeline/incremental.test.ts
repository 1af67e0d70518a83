import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isError } from "../../build/findings/finding.ts";
import { build } from "../../build/pipeline/build.ts";
import { LiveBuild } from "../../build/pipeline/live.ts";
import type { Built } from "../../build/pipeline/outcome.ts";
import { SourceVanished } from "../../build/sources/read.ts";
import { check } from "../../build/pipeline/check.ts";
import { treeOf } from "../files.ts";
import { MEMORY } from "../scratch.ts";
import { apply, KINDS, SOURCE_KINDS, type Edit } from "./edits.ts";
import { FITTING_SITE, SMALL_SITE, workplace, writeSite, type Workplace } from "./site.ts";
import { Watcher, type Telling } from "./watcher.ts";

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
    // A build that stays open holds the lock.
    .filter(([path]) => !path.endsWith("/") && path !== ".building/lock")
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** What came of a step, and what a witness says should have come of it. */
async function compareWithClean(place: Workplace, step: () => Promise<Built> = () => build(place)) {
  const before = treeOf(place.out);
  const { published, findings, pages } = await step();
  const after = treeOf(place.out);
  // What was refused, a check has to refuse for the same reasons: it reads everything, and writes nothing.
  const witness =
    published === undefined ? { ...(await check(place)), tree: undefined } : await cleanBuild(place);
  return {
    actual: { findings, pages, isRefused: published === undefined, tree: sorted(after) },
    expected: {
      findings: witness.findings,
      pages: witness.pages,
      isRefused: witness.findings.some(isError),
      tree: sorted(witness.tree ? withKept(witness.tree, before) : before),
    },
  };
}

/** How a round of edits is told of: see `Telling`. */
const telling: fc.Arbitrary<Telling> = fc.record({
  isWhole: fc.boolean(),
  lost: fc.nat(4),
  late: fc.nat(2),
  twice: fc.nat(2),
  isSettled: fc.boolean(),
  isBeside: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
});

const toldEdits = fc.array(fc.tuple(fc.array(edit, { minLength: 1, maxLength: 3 }), telling), {
  minLength: 1,
  maxLength: 6,
});

describe("an incremental build", () => {
  it("is a full build, whatever was done to the sources, the output and its manifest", async () => {
    await fc.assert(
      fc.asyncProperty(fileSystem, fc.boolean(), edits, async (below, fits, rounds) => {
        const place = workplace("incremental", below);
        try {
          writeSite(place.content, fits ? FITTING_SITE : SMALL_SITE);
          await build(place);
          for (const some of rounds) {
            for (const one of some) apply(place, one);
            const { actual, expected } = await compareWithClean(place);
            expect(actual).toEqual(expected);
          }
        } finally {
          place.remove();
        }
      }),
      // Other seeds and more runs: EDIT_SEED=7 EDIT_RUNS=500 npx vitest run test/pipeline/incremental
      { numRuns: Number(process.env["EDIT_RUNS"] ?? 50), seed: Number(process.env["EDIT_SEED"] ?? 1) },
    );
  });

  it("is a full build where it stays open, whatever a watcher tells of it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), toldEdits, async (fits, rounds) => {
        const place = workplace("live");
        const live = new LiveBuild(place);
        try {
          writeSite(place.content, fits ? FITTING_SITE : SMALL_SITE);
          await live.update();
          const watcher = new Watcher(place.content);
          for (const [some, how] of rounds) {
            for (const one of some) apply(place, one);
            // Nobody watches the output.
            if (some.some(({ kind }) => !(SOURCE_KINDS as string[]).includes(kind))) watcher.doubt();
            watcher.look(how);
            const { actual, expected } = how.isSettled
              ? await compareWithClean(place, () => live.update(watcher.takeAll()))
              : await updateEarly(live, watcher, how, place);
            expect(actual).toEqual(expected);
          }
          const last = await compareWithClean(place, () => live.update(watcher.takeAll()));
          expect(last.actual).toEqual(last.expected);
          live.close();
          const next = await compareWithClean(place);
          expect(next.actual).toEqual(next.expected);
        } finally {
          live.close();
          place.remove();
        }
      }),
      { numRuns: Number(process.env["EDIT_RUNS"] ?? 50), seed: Number(process.env["EDIT_SEED"] ?? 1) },
    );
  });
});

/** A step that knows of a part of the edits only, so that nobody can say what it gives; perhaps with another build beside it. */
async function updateEarly(
  live: LiveBuild,
  watcher: Watcher,
  how: Telling,
  { content, folder }: Workplace,
): Promise<{ actual?: unknown; expected?: unknown }> {
  const beside = { content, out: join(folder, "beside"), cache: join(folder, "beside-cache") };
  const changed = watcher.take(how);
  try {
    await Promise.all([live.update(changed), ...(how.isBeside ? [build(beside)] : [])]);
  } catch (cause) {
    // A file is gone, and that is not told yet.
    if (!(cause instanceof SourceVanished)) throw cause;
  }
  return {};
}
