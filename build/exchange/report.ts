import { thousands } from "../base/numbers.ts";

export interface Count {
  count: number;
  words: string;
}

/** The result for people: counts that add up to the total, then the notes, one sentence each. */
export function tally(counts: readonly Count[], total: Count, notes: readonly string[]): string {
  const wide = thousands(total.count).length;
  const line = ({ count, words }: Count): string => `${thousands(count).padStart(wide)}  ${words}`;
  return [...counts.map(line), line(total), ...notes.map((note) => `Differences: ${note}`), ""].join("\n");
}
