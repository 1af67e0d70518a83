import type { Code } from "../../build/findings/catalogue/index.ts";
import { VALID } from "./site.ts";

/** The files of a site that differ from the valid site; null for a missing file. */
export type Files = Readonly<Record<string, string | Buffer | null>>;

/** One mistake that people make. */
export interface Row {
  /** The mistake in words. */
  did: string;
  before: Files;
  code: Code;
  /** The file of the finding, and the text that it marks. */
  at: [file: string, marked?: string];
  /** Findings elsewhere that the same mistake causes, and that its correction removes. */
  beside?: readonly Code[];
  /** The files after the hint was carried out; undefined if the site need only be valid. */
  after?: Files;
  /** The editor must decide: message and hint contain these words, and the test writes `after`'s files. */
  byHand?: readonly string[];
  /** Words that message and hint must contain, if carrying out the hint does not prove them, and words that they must not. */
  says?: readonly string[];
  not?: readonly string[];
}

/** A fragment of a file of the valid site, and the fragment with the mistake. */
export type Slip = readonly [
  code: Code,
  right: string,
  wrong: string,
  more?: Pick<Row, "beside" | "byHand" | "says" | "not"> & {
    /** The hint leads to this fragment instead of the valid one; null: to any valid file. */
    becomes?: string | null;
    /** The marked text, if it is not the value of the wrong fragment. */
    marked?: string;
    /** The file of the finding, if it is another one. */
    at?: string;
  },
];

/** The rows of mistakes in one fragment of a file of a valid site, by the mistakes in words. */
export const slips = (
  file: string,
  mistakes: Readonly<Record<string, Slip>>,
  site: Readonly<Record<string, string>> = VALID,
): Row[] =>
  Object.entries(mistakes).map(([did, [code, right, wrong, more = {}]]) => {
    const { becomes = right, marked = wrong.replace(/^"\w+": /, ""), at = file, ...rest } = more;
    const valid = site[file] ?? "";
    if (valid.split(right).length !== 2) throw new Error(`${did}: “${right}” is not once in ${file}`);
    const having = (fragment: string): Files => ({ [file]: valid.replace(right, () => fragment) });
    const before = { ...(site === VALID ? {} : site), ...having(wrong) };
    const after = becomes === null ? {} : { after: having(becomes) };
    return Object.assign(after, { did, before, code, at: [at, marked] as Row["at"] }, rest);
  });

/** A member that does not belong beside the valid one. */
export const added = (valid: string, member: string, more: Slip[3] = {}): Slip => [
  "unknown-field",
  valid,
  `${member},\n  ${valid}`,
  { marked: /^"\w+"/.exec(member)?.[0] ?? "", ...more },
];

/** Files with a mistake: its code, and the finding's file and text if they are not the first file and any text. */
export type Misplaced = readonly [
  code: Code,
  before: Files,
  more?: Pick<Row, "after" | "beside" | "byHand" | "not" | "says"> & { at?: string; marked?: string },
];

/** The rows of mistakes in whole files, by the mistakes in words. */
export const inFiles = (mistakes: Readonly<Record<string, Misplaced>>): Row[] =>
  Object.entries(mistakes).map(([did, [code, before, { at, marked, ...more } = {}]]) => {
    const file = at ?? Object.keys(before).find((path) => before[path] !== null) ?? "";
    return Object.assign({ did, before, code, at: [file, marked] as Row["at"] }, more);
  });
