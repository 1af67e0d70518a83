import { thousands } from "../base/numbers.ts";

/** So many of something, in words that follow the number. */
export interface Count {
  count: number;
  words: string;
}

/**
 * What an import did, for people: the counts add up to the total, and what else is worth knowing follows, a sentence
 * each.
 */
export function tally(counts: readonly Count[], total: Count, notes: readonly string[]): string {
  const wide = thousands(total.count).length;
  const line = ({ count, words }: Count): string => `${thousands(count).padStart(wide)}  ${words}`;
  return [...counts.map(line), line(total), ...notes.map((note) => `Differences: ${note}`), ""].join("\n");
}
