import type { BenchRun } from "../bench.ts";
import type { BenchRow } from "../run/candidate.ts";
import type { Measurement } from "../run/measure.ts";
import { BUILD, COPY, NPM_BUILD, START_UP } from "../run/own.ts";
import { median } from "./statistics.ts";

type Samples = ReadonlyMap<number, Measurement>;

export const samplesOf = ({ results }: BenchRun, row: BenchRow): Samples =>
  results.find((result) => result.row === row)?.samples ?? new Map<number, Measurement>();

export const medianWall = (run: BenchRun, row: BenchRow): number | undefined => {
  const walls = [...samplesOf(run, row).values()].map(({ wall }) => wall);
  return walls.length === 0 ? undefined : median(walls);
};

/** The median of the ratios within each round, because a temporary slowdown of the machine affects both sides. */
export function ratio(samples: Samples, baseline: Samples, of: "wall" | "cpu" = "wall"): number | undefined {
  const ratios: number[] = [];
  for (const [round, sample] of samples) {
    const measured = baseline.get(round)?.[of];
    if (measured !== undefined && measured > 0) ratios.push(sample[of] / measured);
  }
  return ratios.length === 0 ? undefined : median(ratios);
}

export const ratioOf = (run: BenchRun, row: BenchRow, baseline: BenchRow): number | undefined =>
  ratio(samplesOf(run, row), samplesOf(run, baseline));

/** The time of a build as a share of a full build, both without the start-up of npm and tsx. */
export function shareOfFull(run: BenchRun, row: BenchRow): number | undefined {
  const full = medianWall(run, NPM_BUILD);
  const part = medianWall(run, row);
  const startUp = medianWall(run, START_UP);
  if (full === undefined || part === undefined || startUp === undefined || full <= startUp) return undefined;
  return Math.max(0, part - startUp) / (full - startUp);
}

/** The growth of the time per page from the smaller to the larger run, divided by the same growth of `cp -r`. */
export function growth(small: BenchRun, large: BenchRun): number | undefined {
  const own = [medianWall(small, BUILD), medianWall(large, BUILD)] as const;
  const copy = [medianWall(small, COPY), medianWall(large, COPY)] as const;
  if (own[0] === undefined || own[1] === undefined || copy[0] === undefined || copy[1] === undefined) {
    return undefined;
  }
  return own[1] / own[0] / (copy[1] / copy[0]);
}
