import type { MeasuredSite } from "./site.ts";
import type { Command, Measurement } from "./measure.ts";

/** One measured command, with its row of the table. */
export interface BenchStep {
  row: BenchRow;
  command: Command;
  /** Runs before the clock starts, and returns a function that undoes its changes. */
  before?: () => () => void;
  /** The error in the output, if there is one. */
  fault?: () => string | undefined;
  /** The command's own measurement, if the row is about a part of its work. */
  measured?: () => Measurement;
}

/** One way from the content to an output. In each round, its steps run one after another in one output folder. */
export interface Candidate {
  rows: readonly BenchRow[];
  /** Runs once for each site, before the measurements. */
  prepare?: (site: MeasuredSite) => void;
  steps: (site: MeasuredSite, output: string) => BenchStep[];
}

/** A row of the table. */
export interface BenchRow {
  name: string;
  kind: "baseline" | "build" | "again" | "live" | "competitor";
  /** The work that the build does and this command does not. */
  leavesOut: string;
}
