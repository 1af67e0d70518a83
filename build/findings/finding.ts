import { editDistance } from "../base/letters.js";
import { catalogue, type Args, type Code } from "./catalogue/index.ts";
import { textOf, type CatalogueEntry, type Correction, type Severity } from "./entry.ts";

/**
 * Lines and columns count from 1; columns are in UTF-16 units, like those of text editors. `file` is relative
 * to a folder that depends on the stage.
 */
export interface Place {
  file: string;
  line: number;
  column: number;
  endLine?: number;
  endColumn?: number;
}

/** A mistake, as data: a code of the catalogue, facts and a location. */
export interface Finding {
  code: Code;
  /** The type is `Args` of the code. */
  args: unknown;
  place: Place;
  /** Overrides the catalogue's severity: errors of drafts are warnings, and `--strict` turns warnings into errors. */
  severity?: Severity;
  /** The second location of a conflict. */
  other?: Place;
  /** The path of the field in its source; absent if the finding is about the file. */
  path?: readonly PropertyKey[];
}

/** The facts of a finding about a value, without its place. */
export type FieldMistake = { [C in Code]: { code: C; args: Args<C> } }[Code];

/** The same about a value of which the field's name is not known yet. */
export type ValueMistake<C extends Code> = { [K in C]: { code: K; args: Omit<Args<K>, "field"> } }[C];

export const finding = <C extends Code>(code: C, args: Args<C>, place: Place, other?: Place): Finding =>
  other ? { code, args, place, other } : { code, args, place };

const entryOf = (code: Code): CatalogueEntry<unknown> => catalogue[code] as CatalogueEntry<unknown>;

export const severityOf = (f: Finding): Severity => f.severity ?? entryOf(f.code).severity ?? "error";

export const isError = (f: Finding): boolean => severityOf(f) === "error";

export const messageOf = (f: Finding): string => textOf(entryOf(f.code).message, f.args);

export const hintOf = (f: Finding): string => textOf(entryOf(f.code).hint, f.args);

/** Undefined if no program can carry out the correction of the hint. */
export const correctionOf = (f: Finding): Correction | undefined => entryOf(f.code).correction?.(f.args);

/** The first character, at which problems of the name or folder of a file are reported. */
export const startOf = (file: string): Place => ({ file, line: 1, column: 1 });

/** Texts by code units, so that the order is the same on every machine; numbers by value. */
export const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

export const byPlace = (a: Finding, b: Finding): number =>
  compare(a.place.file, b.place.file) ||
  a.place.line - b.place.line ||
  a.place.column - b.place.column ||
  compare(a.code, b.code);

/** Undefined if no known name is near enough to be intended. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const [a, b] = [name.toLowerCase(), candidate.toLowerCase()];
    // A part of a name (“parent” for “parent_id”) counts as at most two edits.
    const isPart = a.length >= 4 && b.length >= 4 && (a.startsWith(b) || b.startsWith(a));
    const distance = isPart ? Math.min(2, editDistance(a, b, least)) : editDistance(a, b, least);
    // Two names are not near if every letter differs.
    if (distance < least && distance < Math.max(a.length, b.length)) [best, least] = [candidate, distance];
  }
  return best;
}

/** Maximum number of findings per file or folder. Editors correct some of these before they read more. */
export const MAX_FINDINGS = 100;

/**
 * If there are too many findings: the first ones, errors before warnings, and the number of the others.
 * @param unlisted the number of errors that did not become findings.
 * @param isCut whether not all of these were counted.
 */
export function capFindings(findings: Finding[], unlisted = 0, isCut = false): Finding[] {
  if (findings.length + unlisted <= MAX_FINDINGS) return findings;
  const sorted = findings.toSorted((a, b) => Number(isError(b)) - Number(isError(a)) || byPlace(a, b));
  const kept = sorted.slice(0, MAX_FINDINGS);
  const rest = sorted.slice(MAX_FINDINGS);
  const at = rest[0] ?? kept.at(-1);
  if (at === undefined) return findings;
  const args = { count: rest.length + unlisted, limit: MAX_FINDINGS, ...(isCut ? { atLeast: true } : {}) };
  const more = finding("more-findings", args, at.place);
  const isWarning = unlisted === 0 && !rest.some(isError);
  return [...kept, isWarning ? { ...more, severity: "warning" } : more];
}
