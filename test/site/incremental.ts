import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { expect } from "vitest";
import type { Instant } from "../../build/base/instant.ts";
import { isError } from "../../build/findings/finding.ts";
import { build } from "../../build/site/build.ts";
import { WatchBuild } from "../../build/site/watch-build.ts";
import type { Built } from "../../build/site/outcome.ts";
import { SourceMissing } from "../../build/source/read.ts";
import { check } from "../../build/site/check.ts";
import { treeOf } from "../files.ts";
import { MEMORY } from "../scratch.ts";
import {
  apply,
  editsOf,
  INSTANTS,
  KINDS,
  LANGUAGE_KINDS,
  OTHER_IMAGE_END,
  SOURCE_KINDS,
  type Kind,
} from "./edits.ts";
import { FITTING_SITE, SITE, SMALL_SITE, WELSH_PAGES, workplace, type Workplace } from "./site.ts";
import { telling, Watcher, type Telling } from "./watcher.ts";
import { runsOf, seedOf } from "../runs.ts";

/** Time passes, or a build is for an earlier instant; there may be no edits before it. */
const instant = fc.constantFrom(...INSTANTS);

/** A site, and dates of its sections from the beginning, so that time changes their subpages in most rounds. */
const beginning = fc.record({
  fits: fc.boolean(),
  bulk: fc.boolean(),
  index: fc.boolean(),
  browse: fc.boolean(),
  images: fc.boolean(),
  languages: fc.boolean(),
  dates: editsOf([["dateSection"]]),
});

/** A site with or without the browse UI. */
type Site = Workplace & { browse: boolean };

type Beginning = typeof beginning extends fc.Arbitrary<infer T> ? T : never;

function begin(place: Workplace, { fits, bulk, index, images, languages, dates }: Beginning): void {
  place.putAll({ ...(fits ? FITTING_SITE : SMALL_SITE), "_site.json": { ...SITE, bulk, index } });
  if (languages) {
    place.putAll(WELSH_PAGES);
    apply(place, { kind: "locales", a: 0, b: 1 });
  }
  for (const a of images ? [0, 1, 2] : []) apply(place, { kind: "addImage", a, b: 0 });
  for (const one of dates) apply(place, one);
}

const OF_SOURCES: ReadonlySet<Kind> = new Set<Kind>([...SOURCE_KINDS, ...LANGUAGE_KINDS]);

/** Edits that rarely make a mistake: a build that is refused changes no translation. */
const COMMON_KINDS: readonly Kind[] = [
  "title",
  "menus",
  "goLive",
  "expire",
  "dateSection",
  "remove",
  "draft",
  "undraft",
  "addPage",
  "addFolder",
  "movePage",
  "renamePage",
  "renameFolder",
  "swap",
  "restore",
];

const someEdits = fc.oneof(editsOf([KINDS]), editsOf([LANGUAGE_KINDS, COMMON_KINDS]));

const edits = fc.array(fc.tuple(someEdits, instant, fc.boolean()), { minLength: 1, maxLength: 6 });

/** They differ in facts that a build compares: a disk reuses the inode of a removed file, memory does not. */
const fileSystem = fc.constantFrom(tmpdir(), MEMORY);

/** The findings and the output of a clean build, elsewhere and in memory. */
async function cleanBuild({ content, browse }: Site, at: Instant) {
  const elsewhere = workplace("clean", MEMORY);
  const { findings, pages } = await build({ ...elsewhere, content, browse, at });
  const tree = treeOf(elsewhere.out);
  elsewhere.remove();
  return { findings, pages, tree };
}

/** The output of a clean build, with the third-party files that stay beside it. */
const withKept = (clean: Record<string, string>, before: Record<string, string>): Record<string, string> => {
  const kept = Object.entries(before).filter(([path, text]) => !isOwned(path, text));
  return Object.fromEntries([...kept, ...Object.entries(clean)].sort(([a], [b]) => (a < b ? -1 : 1)));
};

const isOwned = (path: string, text: string): boolean =>
  path.startsWith("api/v2/pages/") ||
  path.startsWith("browse/") ||
  (/^media\/.*\.png$/.test(path) && !text.endsWith(OTHER_IMAGE_END)) ||
  path === "_headers" ||
  path === "_redirects" ||
  path === "bulk/index.json" ||
  path.startsWith("index/") ||
  /^bulk\/shards\/[\da-f]{64}\.zip$/.test(path) ||
  path.startsWith("_headers/") ||
  path.startsWith("_redirects/");

const sorted = (tree: Record<string, string>): [string, string][] =>
  Object.entries(tree)
    // A running build holds the lock.
    .filter(([path]) => !path.endsWith("/") && path !== ".building/lock")
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** The result of a step, and the result that an independent build expects. */
async function compareWithClean(
  place: Site,
  at: Instant,
  step: () => Promise<Built> = () => build({ ...place, at }),
) {
  const before = place.tree();
  const { published, findings, pages } = await step();
  const after = place.tree();
  // If the step was refused, a check has to find the same errors: it reads everything, and writes nothing.
  const witness =
    published === undefined
      ? { ...(await check({ ...place, at })), tree: undefined }
      : await cleanBuild(place, at);
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

const toldEdits = fc.array(fc.tuple(someEdits, telling, instant), { minLength: 1, maxLength: 6 });

/** Takes back all edits since the last build that was not refused. */
function restore(content: string, right: Record<string, string>): void {
  const now = treeOf(content);
  for (const path of Object.keys(now))
    if (now[path] !== right[path]) rmSync(join(content, path), { recursive: true });
  for (const [path, text] of Object.entries(right)) {
    if (now[path] === text) continue;
    mkdirSync(join(content, dirname(path)), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(join(content, path), text, "latin1");
  }
}

/** Edits a site in random rounds, and compares each build with a clean one. */
export const buildsAreFull = (runs: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fileSystem, beginning, edits, async (below, site, rounds) => {
      const place = { ...workplace("incremental", below), browse: site.browse };
      try {
        begin(place, site);
        await build({ ...place, at: INSTANTS[8] });
        let right = treeOf(place.content);
        for (const [some, at, undoes] of rounds) {
          if (undoes) restore(place.content, right);
          for (const one of some) apply(place, one);
          const { actual, expected } = await compareWithClean(place, at);
          expect(actual).toEqual(expected);
          if (!actual.isRefused) right = treeOf(place.content);
        }
      } finally {
        place.remove();
      }
    }),
    { numRuns: runsOf(runs), seed: seedOf(1) },
  );

/** The same with a running build, whose watcher reports the edits in every way in which a system does. */
export const stepsAreFull = (runs: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(beginning, toldEdits, async (site, rounds) => {
      const place = { ...workplace("live"), browse: site.browse };
      const live = new WatchBuild(place);
      try {
        begin(place, site);
        await live.update("anything", INSTANTS[8]);
        const watcher = new Watcher(place.content);
        for (const [some, how, at] of rounds) {
          for (const one of some) apply(place, one);
          // No watcher reports changes of the output.
          if (some.some(({ kind }) => !OF_SOURCES.has(kind))) watcher.doubt();
          watcher.look(how);
          const { actual, expected } = how.isSettled
            ? await compareWithClean(place, at, () => live.update(watcher.takeAll(), at))
            : await updateEarly(live, watcher, how, place, at);
          expect(actual).toEqual(expected);
        }
        const end = INSTANTS[9] as Instant;
        const last = await compareWithClean(place, end, () => live.update(watcher.takeAll(), end));
        expect(last.actual).toEqual(last.expected);
        live.close();
        const next = await compareWithClean(place, INSTANTS[7] as Instant);
        expect(next.actual).toEqual(next.expected);
      } finally {
        live.close();
        place.remove();
      }
    }),
    { numRuns: runsOf(runs), seed: seedOf(1) },
  );

/** A step that knows only some of the edits, so its result is not defined; sometimes beside another build. */
async function updateEarly(
  live: WatchBuild,
  watcher: Watcher,
  how: Telling,
  { content, folder, browse }: Site,
  at: Instant,
): Promise<{ actual?: unknown; expected?: unknown }> {
  const beside = { content, out: join(folder, "beside"), cache: join(folder, "beside-cache"), browse };
  const changed = watcher.take(how);
  try {
    await Promise.all([live.update(changed, at), ...(how.isBeside ? [build({ ...beside, at })] : [])]);
  } catch (cause) {
    // An unreported removal: of a source, or of a response from which another file is made.
    const { code = "", message } = cause as NodeJS.ErrnoException;
    const isGone = ["ENOENT", "EISDIR", "ENOTDIR"].includes(code) || message.endsWith("Build again.");
    if (!(cause instanceof SourceMissing) && !isGone) throw cause;
  }
  return {};
}
