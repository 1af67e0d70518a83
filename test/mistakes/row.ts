import type { Code } from "../../build/findings/catalogue/index.ts";
import { SOUND } from "./site.ts";

/** The files of a site that are not as in the sound one; null for one that is not there. */
export type Files = Readonly<Record<string, string | Buffer | null>>;

/** One mistake, as people make it. */
export interface Row {
  /** What somebody did. */
  did: string;
  before: Files;
  code: Code;
  /** The file where it is told, and what is marked there. */
  at: [file: string, marked?: string];
  /** What message and hint have to say, and what they must not. */
  says: readonly string[];
  not?: readonly string[];
  /** Findings elsewhere that the same mistake causes, and that go with it. */
  beside?: readonly Code[];
  /** The site when the hint was followed; where it is left out, it is only sound. */
  after?: Files;
  /** The hint leaves something to know or to choose: the files after it are written by hand. */
  byHand?: true;
}

type More = Pick<Row, "not" | "beside" | "byHand">;

/** `wrong` written in a file of the sound site in the place of `right`; the hint leads back to it, or to `becomes` (null: to something else that is sound). */
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
