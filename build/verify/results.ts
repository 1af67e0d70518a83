import { checkNames, checks, type CheckName } from "./checks.ts";

export type Status = "passed" | "failed" | "accepted" | "unexpectedly-passed" | "not-applicable";

export interface CheckResult {
  name: CheckName;
  asks: string;
  expected: string;
  got: string;
  status: Status;
  /** How many answers were judged, and how many of them fail. */
  judged: number;
  failed: number;
}

/** Where judgements are collected: many answers, one line a check. */
export interface Ledger {
  /** Judges one answer: `fault` says what is wrong with it, nothing means that it is right. */
  note: (name: CheckName, about: string, fault: string | undefined) => void;
  failedSoFar: (name: CheckName) => boolean;
  results: (accepted: ReadonlySet<CheckName>) => CheckResult[];
}

/** Enough to see a pattern; a check of 60,000 pages must not print 60,000 lines. */
const EXAMPLES = 3;

interface Line {
  judged: number;
  failed: number;
  examples: string[];
}

export function openLedger(): Ledger {
  const lines = new Map<CheckName, Line>();

  const note = (name: CheckName, about: string, fault: string | undefined): void => {
    const line = lines.get(name) ?? { judged: 0, failed: 0, examples: [] };
    lines.set(name, line);
    line.judged++;
    if (fault === undefined) return;
    line.failed++;
    if (line.examples.length < EXAMPLES) line.examples.push(`${about}: ${fault}`);
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
    failedSoFar: (name) => (lines.get(name)?.failed ?? 0) > 0,
    results: (accepted) => checkNames.map((name) => result(name, accepted.has(name))),
  };
}
