import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { resized } from "./input/resize.ts";
import { generatedSite } from "./input/site.ts";
import type { Contender } from "./run/candidate.ts";
import { describeMachine, fileSystemOf, processorTime, stolenShare, type Machine } from "./run/machine.ts";
import { findMeter, type Meter } from "./run/measure.ts";
import { build, copy, npmBuild, startUp } from "./run/own.ts";
import { findAstro, findEleventy, findHugo, type Peer } from "./run/competitors.ts";
import { runRounds, type Result } from "./run/rounds.ts";
import { makeSite } from "./run/site.ts";

export interface Plan {
  /** The project's root: where its build is run. */
  project: string;
  /** Folders on the file systems to measure on. The peers run in the first alone. */
  places: readonly string[];
  /** A content folder to thin out or repeat; generated pages where there is none. */
  content?: string;
  /** Numbers of pages, in rising order. */
  sizes: readonly number[];
  rounds: number;
  peers: boolean;
  /** Seconds that a single run may take. */
  limit: number;
  say: (line: string) => void;
}

/** What was measured of one number of pages on one file system. */
export interface Sitting {
  fileSystem: string;
  pages: number;
  results: Result[];
  /** Page files that the build after one edit wrote anew; undefined where it did not get there. */
  rewritten: number | undefined;
  /** The share of the processor time that a virtual machine's host kept from it; undefined where nothing tells. */
  stolen: number | undefined;
}

export interface Measurements {
  machine: Machine;
  input: string;
  sittings: Sitting[];
}

/** Above this many pages the peers run three rounds at most: some of them take minutes. */
const SMALL = 10_000;
/** Above this many pages the peers are not run at all, and the build three rounds at most. */
const LARGE = 200_000;
const FEW_ROUNDS = 3;
/** Milliseconds of rest before a run: up to these, the more the larger the site is. */
const LONGEST_REST = 3000;

export async function bench(plan: Plan): Promise<Measurements> {
  const meter = findMeter();
  const machine = describeMachine(meter);
  const sittings: Sitting[] = [];
  for (const [index, place] of plan.places.entries()) {
    const work = mkdtempSync(join(place, "bench-"));
    const clean = (): void => rmSync(work, { recursive: true, force: true });
    process.once("exit", clean);
    try {
      const peers = plan.peers && index === 0 ? findPeers(plan, work) : [];
      for (const pages of plan.sizes) sittings.push(await sit(plan, meter, work, pages, peers, sittings));
    } finally {
      clean();
      process.off("exit", clean);
    }
  }
  return {
    machine,
    input: plan.content === undefined ? "generated pages" : "a given content folder",
    sittings,
  };
}

function findPeers({ project, say }: Plan, work: string): Peer[] {
  say("making ready: Hugo, Eleventy, Astro");
  const places = {
    sources: join(project, "build/bench/competitors"),
    installed: join(project, ".cache/bench/competitors"),
    work,
  };
  return [findHugo(places), findEleventy(places, totalmem()), ...findAstro(places, totalmem())];
}

async function sit(
  plan: Plan,
  meter: Meter,
  work: string,
  pages: number,
  peers: readonly Peer[],
  earlier: readonly Sitting[],
): Promise<Sitting> {
  const fileSystem = fileSystemOf(work);
  plan.say(`${pages} pages on ${fileSystem}`);
  const content = join(work, `content-${pages}`);
  const sources = plan.content === undefined ? generatedSite(pages) : resized(plan.content, pages);
  const site = makeSite(content, sources);

  let rewritten: number | undefined;
  const own = [
    copy,
    build(plan.project),
    npmBuild(plan.project, (count) => (rewritten = count)),
    startUp(join(work, "start-up")),
  ];
  const { ready, absent } = pages > LARGE ? { ready: [], absent: [] } : sift(peers, earlier);
  for (const peer of ready) peer.prepare?.(site);

  let outputs = 0;
  const before = processorTime();
  const results = await runRounds(site, [...own, ...ready], {
    meter,
    limit: plan.limit,
    rounds: (contender) => {
      const isFew = pages > LARGE || (pages > SMALL && !own.includes(contender));
      return isFew ? Math.min(plan.rounds, FEW_ROUNDS) : plan.rounds;
    },
    rest: Math.min(LONGEST_REST, pages / 20),
    warmUp: earlier.length === 0 && pages <= SMALL,
    freshFolder: () => join(work, `run-${pages}-${++outputs}`),
    say: plan.say,
  });
  const stolen = stolenShare(before, processorTime());
  // Of files too a file system may have only so many.
  for (const name of readdirSync(work)) rmSync(join(work, name), { recursive: true, force: true });
  return { fileSystem, pages: site.pages, results: [...results, ...absent], rewritten, stolen };
}

/** A peer that is not installed is not run, nor one that failed with fewer pages; both say so in the table. */
function sift(peers: readonly Peer[], earlier: readonly Sitting[]): { ready: Contender[]; absent: Result[] } {
  const ready: Contender[] = [];
  const absent: Result[] = [];
  for (const peer of peers) {
    const failed = earlier.find(({ results }) =>
      results.some(({ row, failure }) => failure !== undefined && peer.rows.includes(row)),
    );
    if ("missing" in peer) absent.push({ row: peer.rows[0], samples: new Map(), failure: peer.missing });
    else if (failed === undefined) ready.push(peer);
    else {
      for (const row of peer.rows) {
        absent.push({ row, samples: new Map(), failure: `not run: it failed with ${failed.pages} pages` });
      }
    }
  }
  return { ready, absent };
}
