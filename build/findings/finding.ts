import { catalogue, type Args, type Code } from "./catalogue/index.ts";
import type { Severity } from "./entry.ts";

/** Lines and columns count from 1; a column is a UTF-16 unit, as editors count. `file` is as the stage knows it. */
export interface Place {
  file: string;
  line: number;
  column: number;
  endLine?: number;
  endColumn?: number;
}

/** Something wrong with the content, as data: what (a code of the catalogue), with which facts, and where. */
export interface Finding {
  code: Code;
  /** What `Args` of the code says. */
  args: unknown;
  place: Place;
  /** Overrides the catalogue's severity: drafts are only warned about, `--strict` promotes warnings. */
  severity?: Severity;
  /** The other place of a clash between two pages. */
  other?: Place;
}

export const finding = <C extends Code>(code: C, args: Args<C>, place: Place, other?: Place): Finding =>
  other ? { code, args, place, other } : { code, args, place };

export const severityOf = (f: Finding): Severity => f.severity ?? catalogue[f.code].severity;

export const isError = (f: Finding): boolean => severityOf(f) === "error";

export const messageOf = (f: Finding): string =>
  (catalogue[f.code].message as (args: unknown) => string)(f.args);

export const hintOf = (f: Finding): string => (catalogue[f.code].hint as (args: unknown) => string)(f.args);

/** The first character of a file: where a problem of its name or folder is reported. */
export const startOf = (file: string): Place => ({ file, line: 1, column: 1 });

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** By file (code units, the same on every machine), then position, then code. */
export const byPlace = (a: Finding, b: Finding): number =>
  compare(a.place.file, b.place.file) ||
  a.place.line - b.place.line ||
  a.place.column - b.place.column ||
  compare(a.code, b.code);

/** The known name nearest to `name`, where one is near enough to be what was meant. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const [a, b] = [name.toLowerCase(), candidate.toLowerCase()];
    // Half a name (“parent” for “parent_id”) is as near as a slip or two.
    const isPart = a.length >= 4 && b.length >= 4 && (a.startsWith(b) || b.startsWith(a));
    const distance = isPart ? Math.min(2, editDistance(a, b, least)) : editDistance(a, b, least);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? limit;
}
