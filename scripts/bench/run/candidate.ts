import type { MeasuredSite } from "./site.ts";
import type { Command, Measurement } from "./measure.ts";

/** One measured command, and the row of the table that it counts for. */
export interface Step {
  row: Row;
  command: Command;
  /** Done before the clock starts; returns what undoes it. */
  before?: () => () => void;
  /** What is wrong with the output, if anything. */
  fault?: () => string | undefined;
  /** What the command itself measured, where its row is of a part of its work. */
  measured?: () => Measurement;
}

/** One way from the content to an output. Its steps follow each other in each round, in one output folder. */
export interface Candidate {
  rows: readonly Row[];
  /** Done once for a site, before any clock starts. */
  prepare?: (site: MeasuredSite) => void;
  steps: (site: MeasuredSite, output: string) => Step[];
}

/** A line of the table. */
export interface Row {
  name: string;
  kind: "yardstick" | "build" | "again" | "live" | "competitor";
  /** What the build does and this does not. */
  leavesOut: string;
}
