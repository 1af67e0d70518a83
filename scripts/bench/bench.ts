import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { museumLike } from "./input/museum.ts";
import { resized } from "./input/resize.ts";
import { generatedSite } from "./input/site.ts";
import type { Candidate } from "./run/candidate.ts";
import { hasBrowser } from "./run/editing.ts";
import { describeMachine, fileSystemOf, processorTime, stolenShare, type Machine } from "./run/machine.ts";
import { findMeter, type Meter } from "./run/measure.ts";
import {
  build,
  buildsWithBulk,
  buildsWithEditor,
  buildWithoutOwnedPaths,
  buildWithPage,
  buildWithWarnings,
  copy,
  diffs,
  forms,
  npmBuild,
  saves,
  startUp,
} from "./run/own.ts";
import { findAstro, findEleventy, findHugo, type Competitor } from "./run/competitors.ts";
import { runRounds, type RowResult } from "./run/rounds.ts";
import { makeSite } from "./run/site.ts";

export interface BenchOptions {
  /** The project's root, in which its build runs. */
  project: string;
  /** Folders on the file systems to measure on. Competitors run only in the first. */
  places: readonly string[];
  /** A content folder whose pages are thinned out or repeated; if undefined, pages are generated. */
  content?: string;
  /** Whether the works get descriptions with links, which are looked up, and images. */
  museum: boolean;
  /** Numbers of pages, in rising order. */
  sizes: readonly number[];
  rounds: number;
  competitors: boolean;
  /** Seconds that a single run may take. */
  limit: number;
  say: (line: string) => void;
}

/** The measurements of one number of pages on one file system. */
export interface BenchRun {
  fileSystem: string;
  pages: number;
  results: RowResult[];
  /** The number of page files that the build after one edit rewrote; undefined if that build did not run. */
  rewritten: number | undefined;
  /** The share of processor time that the host of a virtual machine withheld; undefined if it is unknown. */
  stolen: number | undefined;
}

export interface Measurements {
  machine: Machine;
  input: string;
  runs: BenchRun[];
}

/**
 * Maximum number of pages for which competitors run all rounds; above it they run at most three, because some take
 * minutes.
 */
const MAX_PAGES_FOR_ALL_ROUNDS = 10_000;
/**
 * Maximum number of pages for which competitors, saves and diffs run; above it, the build runs at most three rounds.
 */
const MAX_PAGES_FOR_COMPETITORS = 200_000;
/** Maximum number of rounds of slow measurements. */
const MAX_SLOW_ROUNDS = 3;
/** Maximum rest before a run, in milliseconds; it grows with the number of pages. */
const MAX_REST_MS = 3000;

export async function bench(options: BenchOptions): Promise<Measurements> {
  const meter = findMeter();
  const machine = describeMachine(meter);
  const runs: BenchRun[] = [];
  for (const [index, place] of options.places.entries()) {
    const work = mkdtempSync(join(place, "bench-"));
    const clean = (): void => rmSync(work, { recursive: true, force: true });
    process.once("exit", clean);
    try {
      const competitors = options.competitors && index === 0 ? findCompetitors(options, work) : [];
      for (const pages of options.sizes)
        runs.push(await runAll(options, meter, work, pages, competitors, runs));
    } finally {
      clean();
      process.off("exit", clean);
    }
  }
  return {
    machine,
    input:
      (options.content === undefined ? "generated pages" : "the pages of a content folder") +
      (options.museum ? ", each work with a description, a link and an image" : ""),
    runs,
  };
}

function findCompetitors({ project, say }: BenchOptions, work: string): Competitor[] {
  say("Preparing Hugo, Eleventy and Astro");
  const places = {
    sources: join(project, "scripts/bench/competitors"),
    installed: join(project, ".cache/bench/competitors"),
    work,
  };
  return [findHugo(places), findEleventy(places, totalmem()), ...findAstro(places, totalmem())];
}

async function runAll(
  options: BenchOptions,
  meter: Meter,
  work: string,
  pages: number,
  competitors: readonly Competitor[],
  earlier: readonly BenchRun[],
): Promise<BenchRun> {
  const fileSystem = fileSystemOf(work);
  options.say(`${pages} pages on ${fileSystem}`);
  const content = join(work, `content-${pages}`);
  const sources = options.content === undefined ? generatedSite(pages) : resized(options.content, pages);
  const site = makeSite(content, options.museum ? museumLike(sources) : sources);

  let rewritten: number | undefined;
  const own = [
    copy,
    build(options.project),
    buildWithPage(options.project),
    ...(options.museum ? [buildWithoutOwnedPaths(options.project)] : []),
    buildWithWarnings(options.project),
    buildsWithBulk(options.project),
    buildsWithEditor(options.project),
    npmBuild(options.project, (count) => (rewritten = count)),
    startUp(join(work, "start-up")),
    ...(pages > MAX_PAGES_FOR_COMPETITORS
      ? []
      : [
          saves(options.project),
          diffs(options.project, `${content}.git`),
          ...(hasBrowser() ? [forms(options.project)] : []),
        ]),
  ];
  const { ready, absent } =
    pages > MAX_PAGES_FOR_COMPETITORS ? { ready: [], absent: [] } : sift(competitors, earlier);
  for (const candidate of [...own, ...ready]) candidate.prepare?.(site);

  let outputs = 0;
  const before = processorTime();
  const results = await runRounds(site, [...own, ...ready], {
    meter,
    limit: options.limit,
    rounds: (candidate) => {
      const isFew =
        pages > MAX_PAGES_FOR_COMPETITORS || (pages > MAX_PAGES_FOR_ALL_ROUNDS && !own.includes(candidate));
      return isFew ? Math.min(options.rounds, MAX_SLOW_ROUNDS) : options.rounds;
    },
    rest: Math.min(MAX_REST_MS, pages / 20),
    warmUp: earlier.length === 0 && pages <= MAX_PAGES_FOR_ALL_ROUNDS,
    freshFolder: () => join(work, `run-${pages}-${++outputs}`),
    say: options.say,
  });
  const stolen = stolenShare(before, processorTime());
  // File systems also limit the number of files.
  for (const name of readdirSync(work)) rmSync(join(work, name), { recursive: true, force: true });
  return { fileSystem, pages: site.pages, results: [...results, ...absent], rewritten, stolen };
}

/**
 * Separates the competitors that run from those that are not installed or failed with fewer pages, which the table
 * lists with the reason.
 */
function sift(
  competitors: readonly Competitor[],
  earlier: readonly BenchRun[],
): { ready: Candidate[]; absent: RowResult[] } {
  const ready: Candidate[] = [];
  const absent: RowResult[] = [];
  for (const competitor of competitors) {
    const failed = earlier.find(({ results }) =>
      results.some(({ row, failure }) => failure !== undefined && competitor.rows.includes(row)),
    );
    if ("missing" in competitor)
      absent.push({ row: competitor.rows[0], samples: new Map(), failure: competitor.missing });
    else if (failed === undefined) ready.push(competitor);
    else {
      for (const row of competitor.rows) {
        absent.push({
          row,
          samples: new Map(),
          failure: `not run: it had failed with ${failed.pages} pages`,
        });
      }
    }
  }
  return { ready, absent };
}
