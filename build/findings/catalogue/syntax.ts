import { shortened } from "../../base/shortened.ts";
import type { Text } from "../entry.ts";

export interface Syntax {
  mistake: Mistake;
  /** The text found, as it is written, or its name. */
  found: string;
  /** The replacement for the marked range: empty to delete it, undefined if a person must decide. */
  write?: string | undefined;
  /** The numbers of other lines that are part of the mistake. */
  lines?: number[] | undefined;
}

type Words = [message: Text<Syntax>, hint: Text<Syntax>];

const quoted = (text: string): string => `“${shortened(text, 60)}”`;

const lineOf = ({ lines = [] }: Syntax): string => `line ${lines[0] ?? 1}`;

/** Each kind that people often make, and one for all others. */
export const SYNTAX = {
  "merge-conflict": [
    ({ lines = [] }) =>
      `An unsolved merge: two versions of the same lines are here (markers on lines ${lines.join(", ")}).`,

    "Keep the right version, and delete the other and the lines that begin with <<<<<<<, ======= and >>>>>>>.",
  ],
  empty: [
    "The file is empty.",
    "Write the page's fields in curly brackets, delete the file, or create it again: npx page-api new",
  ],
  "other-kind": [
    ({ found }) => `This is ${found}, not a page source in JSON.`,

    "Move it out of the content folder; the source of a page begins with {. To write one, run: npx page-api new",
  ],
  "cut-off": [
    "The file ends in the middle, before all brackets are closed: it may have been cut off.",
    ({ write }) =>
      write === undefined
        ? "Get the whole file again, for example from its last version in git."
        : `If nothing is missing but the end, write ${write} here; else get the whole file again.`,
  ],
  invisible: [
    ({ found }) => `There is an invisible character here: ${found}.`,
    ({ write }) => (write === " " ? "Delete it, or write an ordinary space instead." : "Delete it."),
  ],
  comment: ["JSON does not allow comments.", "Delete the comment."],
  "other-quote": [
    ({ found }) => `Expected a straight double quotation mark, found ${found[0]}`,
    ({ write }) =>
      write === undefined
        ? 'Write double quotation marks around the text: "…".'
        : `Write ${write}, with double quotation marks.`,
  ],
  "quote-in-text": [
    "A quotation mark inside this text ends it too early.",
    ({ write }) =>
      `Write \\" for a quotation mark (or ″ for inches) inside a text${write === undefined ? "." : `: ${write}`}`,
  ],
  "quote-missing": ["The closing quotation mark of this text is missing.", 'Write " where the text ends.'],
  "line-break-in-text": [
    "A line break inside a text: a text must be on one line.",
    ({ write }) =>
      `Write the text on one line, with a space where the line breaks, or \\n for a line break that is to stay${write === undefined ? "." : `: ${write}`}`,
  ],
  "comma-too-many": ["There is an extra comma here.", "Delete the comma."],
  "comma-missing": [({ found }) => `A comma is missing before ${quoted(found)}.`, "Write a comma here."],
  "without-quotes": [
    ({ found }) => `${quoted(found)} has no quotation marks.`,
    ({ write }) => `Write ${write}, with quotation marks.`,
  ],
  "bracket-missing": [
    (facts) =>
      `The ${facts.write?.includes("]") === true ? "list" : "object"} that begins on ${lineOf(facts)} is not closed.`,
    ({ write = "" }) => `Write ${write} here.`,
  ],
  "bracket-too-many": [
    ({ found }) => `All brackets are already closed before ${quoted(found)}.`,
    "Delete it, or the bracket above it that closes everything too early.",
  ],
  character: [
    ({ found }) => `${quoted(found)} cannot be here.`,
    'Look at the brackets, commas, colons and quotation marks before it. A text has quotation marks ("…"), a number only digits, and true, false and null are in lowercase.',
  ],
} satisfies Record<string, Words>;

export type Mistake = keyof typeof SYNTAX;
