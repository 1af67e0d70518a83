import { cpSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { expect } from "vitest";
import type { DevelopOptions } from "../../build/dev/develop.ts";
import { isError } from "../../build/findings/finding.ts";
import { build } from "../../build/site/build.ts";
import { filesBelow, readJson, treeOf } from "../files.ts";
import { apply as applyEdit, editsOf, SOURCE_KINDS, type Edit } from "../site/edits.ts";
import { general, SMALL_SITE, placeWith, workplace, write, type Workplace } from "../site/site.ts";
import { runsOf, seedOf } from "../runs.ts";
import { MEMORY } from "../scratch.ts";
import { startPreview } from "./preview.ts";

export interface Following {
  /** How to watch the folder. */
  watching?: DevelopOptions["watching"];
  /** Whether the edits also move and replace the content folder itself. */
  withRoot: boolean;
}

/** Parents of the test's folders: on a disk, a new folder may get a removed one's inode; in memory, not. */
const PLACES = [tmpdir(), MEMORY];
const MAX_ROUNDS = 6;

/** Maximum wait until a save is served, in milliseconds: many times the usual, as other tests run too. */
const MAX_WAIT = 100_000;

/** Edits of sources and folders. Edits of the site's own files change every page at once. */
const KINDS = SOURCE_KINDS.filter((kind) => !/^(?:site|breakSite|restore|history|removeHistory)$/.test(kind));

/** Edits of the content folder itself, which a watch of it does not report. */
const ROOT_EDITS = {
  away: ({ content, folder }: Workplace): void => {
    renameSync(content, join(folder, "away"));
    renameSync(join(folder, "away"), content);
  },
  changedAway: ({ content, folder }: Workplace): void => {
    renameSync(content, join(folder, "away"));
    write(join(folder, "away"), "added-away.json", general(90, "Added"));
    renameSync(join(folder, "away"), content);
  },
  exchanged: ({ content, folder }: Workplace): void => {
    cpSync(content, join(folder, "new"), { recursive: true });
    rmSync(content, { recursive: true });
    renameSync(join(folder, "new"), content);
  },
};
type RootKind = keyof typeof ROOT_EDITS;
const ROOT_KINDS = Object.keys(ROOT_EDITS) as RootKind[];

type AnyEdit = Edit | { kind: RootKind };

const apply = (place: Workplace, edit: AnyEdit): void =>
  "a" in edit ? applyEdit(place, edit) : ROOT_EDITS[edit.kind](place);

function roundsOf(withRoot: boolean): fc.Arbitrary<AnyEdit[][]> {
  const edits: fc.Arbitrary<AnyEdit[]> = editsOf([KINDS], { minLength: 1, maxLength: 3 });
  const root = fc.record({ kind: fc.constantFrom(...ROOT_KINDS) });
  const any = fc.oneof(
    { weight: withRoot ? 5 : 1, arbitrary: edits },
    { weight: withRoot ? 1 : 0, arbitrary: fc.tuple(root) },
  );
  return fc.array(any, { minLength: 1, maxLength: MAX_ROUNDS });
}

/** Every kind of edit, two in a round. */
function eachKind(withRoot: boolean): AnyEdit[][] {
  const edits: AnyEdit[] = [
    ...KINDS.map((kind, n) => ({ kind, a: n + 1, b: n + 2 })),
    ...(withRoot ? ROOT_KINDS.map((kind) => ({ kind })) : []),
  ];
  return edits.flatMap((one, n) => (n % 2 === 0 ? [[one, ...edits.slice(n + 1, n + 2)]] : []));
}

/**
 * Edits at random, saves all pages between two rounds, and compares all responses with a clean build. Every kind of edit is
 * tried on a disk, and with the default settings also in memory.
 */
export const follows = ({ watching, withRoot }: Following): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...PLACES), roundsOf(withRoot), (below, rounds) =>
      followed(below, rounds, watching),
    ),
    {
      examples: PLACES.slice(0, watching === undefined ? 2 : 1).map((below) => [below, eachKind(withRoot)]),
      numRuns: runsOf(watching === undefined ? 4 : 2),
      seed: seedOf(1),
      // Finding a smaller example would take as long as the failure for each attempt.
      endOnFailure: true,
    },
  );

async function followed(below: string, rounds: AnyEdit[][], watching: DevelopOptions["watching"]) {
  const place = placeWith("following", SMALL_SITE, below);
  const running = await startPreview(place, { watching });
  const ids = new Set<string>();
  try {
    for (const [n, edits] of rounds.entries()) {
      for (const one of edits) apply(place, one);
      await untilClean(place, running.baseUrl, ids);
      saveAll(place, `Round ${n}`);
      await untilClean(place, running.baseUrl, ids);
    }
  } finally {
    await running.close();
    place.remove();
  }
}

/** Saves each page in place. */
function saveAll({ content }: Workplace, title: string): void {
  for (const path of filesBelow(content).filter((one) => /(?:^|\/)[^_][^/]*\.json$/.test(one))) {
    const source = readJson(content, path) as object;
    writeFileSync(join(content, path), JSON.stringify({ ...source, title }));
  }
}

/** The pages of a clean build. Sources with errors are removed first, because a preview keeps the last valid pages. */
async function cleanPages({ content }: Workplace, baseUrl: string): Promise<Record<string, string>> {
  for (;;) {
    // In memory, where folders are fast: no preview follows this output.
    const clean = workplace("clean", MEMORY);
    const errors = (await build({ ...clean, content, baseUrl })).findings.filter(isError);
    const pages = errors.length > 0 ? {} : treeOf(join(clean.out, "api/v2/pages"));
    clean.remove();
    if (errors.length === 0) return pages;
    for (const { file } of errors.map((error) => error.place)) {
      const path = join(content, file);
      rmSync(existsSync(path) ? path : dirname(path), { recursive: true, force: true });
    }
    for (const file of ["_site.json", "index.json"])
      if (!existsSync(join(content, file))) write(content, file, SMALL_SITE[file]);
  }
}

/** Waits until the response for each current or former page is as in a clean build. */
export async function untilClean(place: Workplace, baseUrl: string, ids: Set<string>): Promise<void> {
  const pages = await cleanPages(place, baseUrl);
  const expected: Record<string, string> = {};
  for (const path of Object.keys(pages))
    if (path.endsWith("/index.json")) ids.add(path.slice(0, -"/index.json".length));
  for (const id of ids) expected[id] = pages[`${id}/index.json`] ?? pages["404.html"] ?? "";
  const end = performance.now() + MAX_WAIT;
  // One after the other, because each request keeps the preview from following.
  for (const id of ids)
    for (let actual; (actual = await textAt(`${baseUrl}/api/v2/pages/${id}/`)) !== expected[id];) {
      if (performance.now() > end) expect({ [id]: actual }).toEqual({ [id]: expected[id] });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
}

/** Empty if a connection that was kept open closes at that moment: the next attempt requests it again. */
const textAt = (url: string): Promise<string> =>
  fetch(url).then(
    async (response) => Buffer.from(await response.arrayBuffer()).toString("latin1"),
    () => "",
  );

/** A file watcher that accepts every watch and reports no event, as on some network file systems. */
export const MUTE = () => ({ close: () => undefined, on: () => ({}) as never });
