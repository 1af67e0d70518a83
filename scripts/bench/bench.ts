import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findCompetitors, type Competitor } from "./competitors.ts";
import { reduced } from "./input/resize.ts";
import { generatedSite } from "./input/site.ts";
import { assertGnuTime, describeMachine, fileSystemOf } from "./measure.ts";
import { ownCandidates } from "./own.ts";
import { rowsOf, runRounds, type Candidate, type RowResult } from "./rounds.ts";
import { makeSite, type MeasuredSite } from "./site.ts";

export interface BenchOptions {
  /** The project's root, in which its build runs. */
  project: string;
  /** A folder on the file system to measure on. */
  place: string;
  /** A content folder whose pages are thinned out; if undefined, pages are generated. */
  content?: string;
  /** Numbers of pages, in rising order. */
  sizes: readonly number[];
  rounds: number;
  competitors: boolean;
  /** Seconds that a single run may take. */
  limit: number;
  report: (line: string) => void;
}

export interface BenchRun {
  fileSystem: string;
  pages: number;
  results: RowResult[];
}

export type Measurements = Awaited<ReturnType<typeof bench>>;

/** Maximum pages for which competitors run all rounds; above it, at most three, as some take minutes. */
const MAX_PAGES_FOR_ALL_ROUNDS = 10_000;
/** Maximum pages for which competitors, saves, diffs and forms run; above, builds run up to three rounds. */
const MAX_PAGES_FOR_COMPETITORS = 200_000;
/** Maximum number of rounds of slow measurements. */
const MAX_SLOW_ROUNDS = 3;
/** Maximum rest before a run, in milliseconds; it grows with the number of pages. */
const MAX_REST_MS = 3000;

export async function bench(options: BenchOptions) {
  assertGnuTime();
  const machine = describeMachine();
  const runs: BenchRun[] = [];
  const work = mkdtempSync(join(options.place, "bench-"));
  const clean = (): void => rmSync(work, { recursive: true, force: true });
  process.once("exit", clean);
  try {
    if (options.competitors) options.report("Preparing Hugo, Eleventy and Astro");
    const competitors = options.competitors ? findCompetitors(options.project, work) : [];
    for (const pages of options.sizes) runs.push(await runAll(options, work, pages, competitors, runs));
  } finally {
    clean();
    process.off("exit", clean);
  }
  const input = options.content === undefined ? "generated pages" : "the pages of a content folder";
  return { machine, input, runs };
}

async function runAll(
  options: BenchOptions,
  work: string,
  pages: number,
  competitors: readonly Competitor[],
  earlier: readonly BenchRun[],
): Promise<BenchRun> {
  const fileSystem = fileSystemOf(work);
  options.report(`${pages} pages on ${fileSystem}`);
  const content = join(work, `content-${pages}`);
  const site = makeSite(
    content,
    options.content === undefined ? generatedSite(pages) : reduced(options.content, pages),
  );
  const isSmall = pages <= MAX_PAGES_FOR_COMPETITORS;
  const own = ownCandidates(options.project, isSmall);
  const { ready, absent } = isSmall ? sift(competitors, site, earlier) : { ready: [], absent: [] };
  for (const candidate of [...own, ...ready]) candidate.prepare?.(site);

  let outputs = 0;
  const results = await runRounds(site, [...own, ...ready], {
    limit: options.limit,
    rounds: (candidate) => {
      const isFew = !isSmall || (pages > MAX_PAGES_FOR_ALL_ROUNDS && !own.includes(candidate));
      return isFew ? Math.min(options.rounds, MAX_SLOW_ROUNDS) : options.rounds;
    },
    rest: Math.min(MAX_REST_MS, pages / 20),
    warmUp: earlier.length === 0 && pages <= MAX_PAGES_FOR_ALL_ROUNDS,
    freshFolder: () => join(work, `run-${pages}-${++outputs}`),
    report: options.report,
  });
  // File systems also limit the number of files.
  for (const name of readdirSync(work)) rmSync(join(work, name), { recursive: true, force: true });
  return { fileSystem, pages: site.pages, results: [...results, ...absent] };
}

/** Competitors that are not installed, or failed with fewer pages, do not run, but are in the table. */
function sift(competitors: readonly Competitor[], site: MeasuredSite, earlier: readonly BenchRun[]) {
  const ready: Candidate[] = [];
  const absent: RowResult[] = [];
  for (const competitor of competitors) {
    const rows = rowsOf(competitor, site);
    const failed = earlier.find(({ results }) =>
      results.some(({ row, failure }) => failure !== undefined && rows.includes(row)),
    );
    const failure = competitor.missing ?? (failed && `not run: it had failed with ${failed.pages} pages`);
    if (failure === undefined) ready.push(competitor);
    else absent.push(...rows.map((row) => ({ row, samples: new Map<never, never>(), failure })));
  }
  return { ready, absent };
}
