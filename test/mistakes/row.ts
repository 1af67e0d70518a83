import type { Code } from "../../build/findings/catalogue/index.ts";
import { SOUND } from "./site.ts";

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
  /** Words that message and hint must contain, and words that they must not contain. */
  says: readonly string[];
  not?: readonly string[];
  /** Findings elsewhere that the same mistake causes, and that its correction removes. */
  beside?: readonly Code[];
  /** The files after the hint was carried out; undefined if the site need only be valid. */
  after?: Files;
  /** The hint leaves a fact or a choice to the editor: the test writes the files of `after`. */
  byHand?: true;
}

type More = Pick<Row, "not" | "beside" | "byHand">;

/**
 * A row for `wrong` in place of `right` in a file of the valid site. The hint leads back to `right`, or to `becomes`
 * (null: to any valid file).
 */
export function slip(
  file: string,
  did: string,
  [right, wrong, becomes = right]: [right: string, wrong: string, becomes?: string | null],
  code: Code,
  marked: string,
  says: readonly string[],
  more: More = {},
): Row {
  const sound = SOUND[file] ?? "";
  if (sound.split(right).length !== 2) throw new Error(`${did}: “${right}” does not stand once in ${file}`);
  const having = (fragment: string): Files => ({ [file]: sound.replace(right, () => fragment) });
  return {
    did,
    before: having(wrong),
    code,
    at: [file, marked],
    says,
    ...(becomes === null ? {} : { after: having(becomes) }),
    ...more,
  };
}
