import { thousands, plural } from "../base/numbers.ts";

interface Count {
  count: number;
  words: string;
}

/** The result for people: counts that add up to the total, then the notes, one sentence each. */
export function tally(counts: readonly Count[], total: Count, notes: readonly string[]): string {
  const wide = thousands(total.count).length;
  const line = ({ count, words }: Count): string => `${thousands(count).padStart(wide)}  ${words}`;
  return [...counts.map(line), line(total), ...notes.map((note) => `Differences: ${note}`), ""].join("\n");
}

/** Receives the number of things done, and of all things, again and again. */
export type Progress = (done: number, of: number) => void;

/** Minimum milliseconds before an estimate: the speed is not known earlier. */
const MIN_ELAPSED_MS = 2000;

/** `1,240 of 62,492 pages, 3 minutes left` */
export function estimate(done: number, of: number, milliseconds: number, things: string): string {
  const counted = `${thousands(done)} of ${thousands(of)} ${things}`;
  if (milliseconds < MIN_ELAPSED_MS || done === 0 || done >= of) return counted;
  return `${counted}, ${duration((milliseconds * (of - done)) / done)} left`;
}

function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 90) return plural(seconds, "second");
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? plural(minutes, "minute") : plural(Math.round(minutes / 60), "hour");
}
