import type { Site } from "./site.ts";
import type { Command } from "./measure.ts";

/** One measured run: the row of the table that it counts for, and the command. */
export interface Run {
  row: Row;
  command: Command;
  /** Made ready before the clock starts; gives what puts it back afterwards. */
  before?: () => () => void;
  /** What is wrong with what the run left behind, if anything. */
  fault?: () => string | undefined;
}

/** One way from the content to an output. Its runs follow each other in each round, in one output folder. */
export interface Contender {
  rows: readonly Row[];
  /** Made once for a site, before any clock starts. */
  prepare?: (site: Site) => void;
  runs: (site: Site, output: string) => Run[];
}

/** A line of the table. */
export interface Row {
  name: string;
  kind: "yardstick" | "build" | "again" | "peer";
  /** What this one leaves undone that the build does. */
  leavesOut: string;
}
