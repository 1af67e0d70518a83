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

const instead = ({ write = "" }: Syntax): string => (write === "" ? "Delete it." : `Write ${write} instead.`);

const here = ({ write = "" }: Syntax): string => `Write ${write} here.`;

const lineOf = ({ lines = [] }: Syntax): string => `line ${lines[0] ?? 1}`;

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
  "no-braces": [
    "The curly brackets around the page's fields are missing.",
    "Write { before the first field and } after the last one.",
  ],
  "cut-off": [
    "The file ends in the middle, before all brackets are closed: it may have been cut off.",
    ({ write }) =>
      write === undefined
        ? "Get the whole file again, for example from its last version in git."
        : `If nothing is missing but the end, write ${write} here; else get the whole file again.`,
  ],
  "cut-in-text": [
    "The file ends in the middle of a text: it may have been cut off.",
    ({ write }) => `If nothing is missing but the end, write ${write} here; else get the whole file again.`,
  ],
  invisible: [
    ({ found }) => `There is an invisible character here: ${found}.`,
    ({ write }) => (write === " " ? "Delete it, or write an ordinary space instead." : "Delete it."),
  ],
  comment: ["JSON does not allow comments.", "Delete the comment."],
  "typographic-quote": [
    ({ found }) => `Expected a straight quotation mark, found a typographic one: ${found}`,
    ({ write }) =>
      write === undefined
        ? 'Write straight quotation marks around the text: "…".'
        : `Write ${write}, with straight quotation marks.`,
  ],
  "typographic-close": [
    ({ found }) => `The text ends with a typographic quotation mark (${found}), which does not close it.`,
    'Write a straight quotation mark instead: "',
  ],
  "single-quote": [
    ({ found }) =>
      `Expected a double quotation mark, found ${found === "`" ? "a backtick" : "a single one"}.`,
    ({ write }) =>
      write === undefined
        ? 'Write "…" around the text.'
        : write === '"'
          ? `Write ${write} instead.`
          : `Write ${write}, with double quotation marks.`,
  ],
  "quote-in-text": [
    "A quotation mark inside this text ends it too early.",
    ({ write }) =>
      `Write \\" for a quotation mark (or ″ for inches) inside a text${write === undefined ? "." : `: ${write}`}`,
  ],
  "quote-too-many": ["There is an extra quotation mark here.", "Delete it."],
  "quote-missing": ["The closing quotation mark of this text is missing.", 'Write " where the text ends.'],
  "name-quote-missing": [
    ({ found }) => `The closing quotation mark of the name ${quoted(found)} is missing.`,
    ({ write }) => `Write ${write} here.`,
  ],
  "opening-quote-missing": [
    ({ found }) => `The opening quotation mark is missing before ${quoted(found)}.`,
    ({ write }) => `Write ${write} here.`,
  ],
  "line-break-in-text": [
    "A line break inside a text: a text must be on one line.",
    ({ write }) =>
      `Write the text on one line, with a space where the line breaks, or \\n for a line break that is to stay${write === undefined ? "." : `: ${write}`}`,
  ],
  "comma-too-many": ["There is an extra comma here: nothing follows it.", "Delete the comma."],
  "comma-twice": ["There is an extra comma here.", "Delete the comma."],
  "comma-missing": [({ found }) => `A comma is missing before ${quoted(found)}.`, "Write a comma here."],
  semicolon: [({ found }) => `Expected a comma, found ${found}.`, instead],
  "semicolon-at-end": [({ found }) => `Nothing belongs here, found ${found}.`, "Delete it."],
  "colon-missing": ["The colon between the field's name and its value is missing.", "Write a colon here."],
  "value-missing": [
    ({ found }) => `A value is missing before “${found}”.`,
    'Write the value ("" for an empty text), or delete the field.',
  ],
  number: [
    ({ found }) => `${quoted(found)} is not a valid number.`,
    ({ write }) =>
      write === undefined
        ? "Write only digits, such as 1840 or 0.75; if the field is a text, put it in quotation marks."
        : `Write ${write}; if the field is a text, put what you mean in quotation marks.`,
  ],
  "number-for-text": [
    ({ found }) => `${quoted(found)} is not a number, and a text needs quotation marks.`,
    ({ write }) => `Write ${write}, with quotation marks.`,
  ],
  constant: [
    ({ found }) => `${quoted(found)} is not a JSON value.`,
    ({ write }) => `Write ${write}, in lowercase and without quotation marks.`,
  ],
  "no-value": [
    ({ found }) => `${quoted(found)} is not a JSON value.`,
    "Write null if the field allows it, or leave the field out.",
  ],
  "text-without-quotes": [
    ({ found }) => `The text ${quoted(found)} has no quotation marks.`,
    ({ write }) => `Write ${write}, with quotation marks.`,
  ],
  "name-without-quotes": [
    ({ found }) => `The field's name ${quoted(found)} has no quotation marks.`,
    ({ write }) => `Write ${write}, with quotation marks.`,
  ],
  "name-expected": [
    ({ found }) => `Expected a field's name in quotation marks, found ${quoted(found)}.`,
    'Write the name of a field, such as "title", or delete this.',
  ],
  "wrong-bracket": [
    (facts) =>
      `${facts.found} cannot close the ${facts.write?.includes("]") === true ? "list" : "object"} that begins on ${lineOf(facts)}.`,
    instead,
  ],
  "bracket-missing": [
    (facts) =>
      `The ${facts.write?.includes("]") === true ? "list" : "object"} that begins on ${lineOf(facts)} is not closed.`,
    here,
  ],
  "bracket-too-many": [
    ({ found }) => `All brackets are already closed before this ${found}.`,
    "Delete it, or the bracket above it that closes everything too early.",
  ],
  "text-at-end": [
    ({ found }) => `The page's brackets are closed before ${quoted(found)}.`,
    "Delete what follows, or remove the bracket above it that closes everything too early.",
  ],
  // All mistakes that few people make.
  character: [
    ({ found }) => `${quoted(found)} cannot be here.`,
    'Look at the brackets, commas and quotation marks before it. A text has quotation marks: "…".',
  ],
} satisfies Record<string, Words>;

export type Mistake = keyof typeof SYNTAX;
