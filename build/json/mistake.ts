import { brackets, commaMissing } from "./mistakes/brackets.ts";
import { atTheEnd, mergeConflict, wholeFile } from "./mistakes/file.ts";
import { comment, invisible, signs } from "./mistakes/signs.ts";
import { afterText, otherQuotes, quoteBeforeComma, unclosedText } from "./mistakes/texts.ts";
import {
  type MistakeRule,
  type LocatedMistake,
  mistake,
  type Unexpected,
  wordAt,
} from "./mistakes/unexpected.ts";
import { bareWord, groupedNumber, number, textAfterNumber } from "./mistakes/values.ts";

export type { Unexpected } from "./mistakes/unexpected.ts";

const somethingElse: MistakeRule = ({ text, at, expected }) => {
  const found = wordAt(text, at);
  const end = Math.min(at + Math.max(1, found.length), text.length);
  return mistake(expected === "name" ? "name-expected" : "character", text, at, end, { found });
};

/** The likeliest mistakes come first: the first rule that matches is used. */
const RULES: readonly MistakeRule[] = [
  mergeConflict,
  wholeFile,
  atTheEnd,
  groupedNumber,
  invisible,
  comment,
  otherQuotes,
  unclosedText,
  afterText,
  quoteBeforeComma,
  signs,
  brackets,
  number,
  textAfterNumber,
  bareWord,
  commaMissing,
];

/** The likeliest mistake, from the text around the point where the parser stopped. */
export function mistakeAt(unexpected: Unexpected): LocatedMistake {
  for (const rule of RULES) {
    const found = rule(unexpected);
    if (found !== undefined) return found;
  }
  return somethingElse(unexpected) as LocatedMistake;
}
