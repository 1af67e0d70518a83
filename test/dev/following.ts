import { rmSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect } from "vitest";
import type { DevelopOptions } from "../../build/dev/develop.ts";
import { isError } from "../../build/findings/finding.ts";
import { build } from "../../build/pipeline/build.ts";
import { treeOf } from "../files.ts";
import { workplace } from "../pipeline/site.ts";
import { runsOf, seedOf } from "../runs.ts";
import { eachKind, edit, prepare, roundsOf, saveAll, type Desk, type FolderEdit } from "./folder-edits.ts";
import { startPreview } from "./preview.ts";

export interface Following {
  /** How to watch the folder. */
  watching?: DevelopOptions["watching"];
  /** Whether the edits also move and replace the content folder itself. */
  withRoot: boolean;
  /**
   * Parents of the test's folders. On a disk, a new folder may get the inode of a removed one; in memory it gets a new
   * inode.
   */
  places: string[];
  runs: number;
  maxRounds: number;
}

/**
 * Maximum wait until a save is served, in milliseconds: many times the usual, because other tests run at the same time.
 */
const MAX_WAIT = 20_000;

/**
 * Edits whole folders at random, saves every page between two rounds, and compares all responses with those of a clean
 * build.
 */
export const follows = ({ watching, withRoot, places, runs, maxRounds }: Following): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), roundsOf(withRoot, maxRounds), (below, rounds) =>
      followed(below, rounds, watching),
    ),
    {
      examples: places.map((below) => [below, eachKind(withRoot)]),
      numRuns: runsOf(runs),
      seed: seedOf(1),
      // Finding a smaller example would take as long as the failure for each attempt.
      endOnFailure: true,
    },
  );

async function followed(
  below: string,
  rounds: FolderEdit[][],
  watching: DevelopOptions["watching"],
): Promise<void> {
  const place = workplace("following", below);
  const desk: Desk = { ...place, aside: join(place.folder, "aside"), nextId: 1000 };
  prepare(desk);
  const running = await startPreview(place, { watching });
  const ids = new Set<string>();
  try {
    for (const [n, edits] of rounds.entries()) {
      for (const one of edits) edit(desk, one);
      await untilClean(desk, running.baseUrl, ids);
      saveAll(desk, `Round ${n}`);
      await untilClean(desk, running.baseUrl, ids);
    }
  } finally {
    await running.close();
    place.remove();
  }
}

/** Waits until the response for each current or former page is as in a clean build. */
export async function untilClean(
  { content, folder }: Desk,
  baseUrl: string,
  ids: Set<string>,
): Promise<void> {
  const clean = { content, out: join(folder, "clean"), cache: join(folder, "clean-cache"), baseUrl };
  const { findings } = await build(clean);
  expect(findings.filter(isError)).toEqual([]);
  const pages = treeOf(join(clean.out, "api/v2/pages"));
  const expected: Record<string, string> = {};
  for (const path of Object.keys(pages))
    if (path.endsWith("/index.json")) ids.add(path.slice(0, -"/index.json".length));
  for (const id of ids) expected[id] = pages[`${id}/index.json`] ?? pages["404.html"] ?? "";
  for (const path of [clean.out, clean.cache]) rmSync(path, { recursive: true, force: true });
  const end = performance.now() + MAX_WAIT;
  for (;;) {
    const actual: Record<string, string> = {};
    for (const id of ids) {
      actual[id] = await textAt(`${baseUrl}/api/v2/pages/${id}/`);
    }
    if (performance.now() > end) expect(actual).toEqual(expected);
    if ([...ids].every((id) => actual[id] === expected[id])) return;
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
