import { checkNames, checks, type CheckName } from "./checks.ts";

export type Status = "passed" | "failed" | "accepted" | "unexpectedly-passed" | "not-applicable";

export interface CheckResult {
  name: CheckName;
  asks: string;
  expected: string;
  got: string;
  status: Status;
  /** Number of responses that were checked, and number of those that failed. */
  judged: number;
  failed: number;
}

/** The results of the probes: many responses, one result per check. */
export interface Results {
  /** Counts one response for a check; `fault` explains its fault, if it has one. */
  note: (name: CheckName, about: string, fault: string | undefined) => void;
  all: (accepted: ReadonlySet<CheckName>) => CheckResult[];
}

/**
 * Maximum number of faults listed per check: enough to see a pattern, since a check of 60,000 pages must not print
 * 60,000 lines.
 */
const MAX_EXAMPLES = 3;

interface Line {
  judged: number;
  failed: number;
  examples: string[];
}

export function collectResults(): Results {
  const lines = new Map<CheckName, Line>();

  const note = (name: CheckName, about: string, fault: string | undefined): void => {
    const line = lines.get(name) ?? { judged: 0, failed: 0, examples: [] };
    lines.set(name, line);
    line.judged++;
    if (fault === undefined) return;
    line.failed++;
    if (line.examples.length < MAX_EXAMPLES) line.examples.push(`${about}: ${fault}`);
  };

  const result = (name: CheckName, accepted: boolean): CheckResult => {
    const { asks, expected, unless } = checks[name];
    const { judged, failed, examples } = lines.get(name) ?? { judged: 0, failed: 0, examples: [] };
    const about = { name, asks, expected, judged, failed };
    if (judged === 0) return { ...about, status: "not-applicable", got: unless };
    if (failed === 0)
      return { ...about, status: accepted ? "unexpectedly-passed" : "passed", got: "as expected" };
    const more = failed > examples.length ? `\nand ${failed - examples.length} more of ${judged}` : "";
    return { ...about, status: accepted ? "accepted" : "failed", got: examples.join("\n") + more };
  };

  return {
    note,
    all: (accepted) => checkNames.map((name) => result(name, accepted.has(name))),
  };
}
