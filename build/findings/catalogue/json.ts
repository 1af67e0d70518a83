import { plural, thousands } from "../../base/numbers.ts";
import { shortened } from "../../base/shortened.ts";
import { entry, type Text, textOf } from "../entry.ts";

/** Added to mistakes at which reading stops, so that editors do not take them for the only mistake. */
const REST = "The rest of the file is not checked yet.";

const OF_WHOLE_FILE: ReadonlySet<Mistake> = new Set(["empty", "other-kind", "cut-off"]);

/** A long text, cut in the middle: its quotation marks are at its ends, and the message stays readable. */
const withoutMiddle = (written: string): string =>
  written.length > 300 ? `${written.slice(0, 150)} … ${written.slice(-150)}` : written;

/** `stored` if the number is too large to be stored. */
export const NO_NUMBER = "no number at all";

/** A number to write instead of one that would be published as `stored`. */
export const exactNumber = (stored: string): string =>
  stored === "0" ? "0" : stored === NO_NUMBER ? "a smaller number" : "a number with fewer digits";

export const json = {
  "json-syntax": entry<Syntax>({
    message: (args) => textOf<Syntax>(SYNTAX[args.mistake][0], args),
    hint: (args) => {
      const hint = textOf<Syntax>(SYNTAX[args.mistake][1], {
        ...args,
        write: args.write && withoutMiddle(args.write),
      });
      return OF_WHOLE_FILE.has(args.mistake) ? hint : `${hint} ${REST}`;
    },
    facts: { mistake: "comma-missing", found: '"title"', write: "," },
    example: { wrong: '{"id": 7 "title": "Marsh"}', right: '{"id": 7, "title": "Marsh"}' },
  }),
  "json-escape": entry<{ found: string; write?: string }>({
    message: ({ found }) => `${found} cannot be written like this inside a text.`,
    hint: ({ found, write }) =>
      write !== undefined
        ? `If it is an address, write ${write}; otherwise write each backslash as \\\\. ${REST}`
        : /^\\[^u]$/.test(found)
          ? `If a backslash is meant, write \\${found} instead. ${REST}`
          : found.startsWith("A tab ")
            ? `Write \\t instead, or a space. ${REST}`
            : `Write a line break as \\n, a tab as \\t, a backslash as \\\\, a quotation mark as \\", and any other character as it is. ${REST}`,
    facts: { found: "\\S" },
    example: { wrong: '{"title": "The \\Sea"}', right: '{"title": "The \\\\Sea"}' },
  }),
  "duplicate-key": entry({
    message: ({ key, line }) =>
      `"${key}" appears twice in one object (first on line ${line}), but only one of the two can count.`,
    hint: "Keep the correct one and delete the other.",
    facts: { key: "title", line: 1 },
    example: { wrong: '{"title": "Marsh", "title": "Heath"}', right: '{"title": "Marsh"}' },
  }),
  "inexact-number": entry({
    message: ({ written, stored }) =>
      `The number ${written} cannot be stored exactly: it would be published as ${stored}.`,
    hint: ({ stored }) =>
      `Write ${exactNumber(stored)}, or put it in quotation marks if the field is a text.`,
    facts: { written: "12345678901234567890", stored: "12345678901234567000" },
    example: { wrong: '{"popularity": 12345678901234567890}', right: '{"popularity": 1234567}' },
  }),
  "byte-order-mark": entry({
    message: "The file begins with an invisible byte order mark (BOM), which JSON does not allow.",
    hint: 'Save the file as "UTF-8" (not "UTF-8 with BOM"), or run: npx page-api fix',
    example: { wrong: "\ufeff{}", right: "{}" },
  }),
  "invalid-utf8": entry<{ encoding?: string; text?: string | undefined }>({
    message: ({ encoding = "another encoding", text }) =>
      `The file is not valid UTF-8: it was saved in ${encoding}${text === undefined ? "" : ` (“${text}” is written here)`}.`,
    hint: ({ encoding }) =>
      encoding === "UTF-16"
        ? `Save it as "UTF-8" (VS Code: “Save with Encoding”), or run: npx page-api fix. ${REST}`
        : `Open the file ${encoding === undefined ? "in the encoding that it was saved in" : `as ${encoding}`} (VS Code: “Reopen with Encoding”), and save it as "UTF-8" (“Save with Encoding”). ${REST}`,
    facts: { encoding: "Windows-1252", text: "Café" },
    example: { wrong: "Caf\\xe9 (Latin-1)", right: "Café (UTF-8)" },
  }),
  "lone-surrogate": entry({
    message: ({ written }) => `${written} is only half of a character, which a text cannot contain.`,
    hint: "Write the whole character (for example 😀) instead of the escape.",
    facts: { written: "\\ud83d" },
    example: { wrong: '"\\ud83d"', right: '"😀"' },
  }),
  "nested-too-deep": entry({
    message: ({ limit }) => `Lists and objects are nested more than ${limit} levels deep here.`,
    hint: `No page needs this: look for brackets that were never closed. ${REST}`,
    facts: { limit: 100 },
    example: { wrong: '{"location": [[[[…]]]]}', right: '{"location": [{}]}' },
  }),
  "too-many-values": entry({
    message: ({ limit }) =>
      `The file has more than ${thousands(limit)} texts, numbers, lists and objects: this is one too many.`,
    hint: `No page needs this: look for something that was pasted again and again. ${REST}`,
    facts: { limit: 100_000 },
    example: { wrong: "a list of a million elements", right: "a list of some hundreds" },
  }),
  "file-too-large": entry({
    message: ({ bytes, limit }) =>
      `The file is ${Math.ceil(bytes / 2 ** 20)} MiB; a page source can be at most ${limit / 2 ** 20} MiB.`,
    hint: "No page needs a file of this size: shorten its texts, or split it into several pages.",
    facts: { bytes: 200 * 2 ** 20, limit: 4 * 2 ** 20 },
    example: { wrong: "a source of 200 MiB", right: "a source of a few KiB" },
  }),
  "more-findings": entry<{ count: number; limit: number; atLeast?: boolean; of?: string }>({
    message: ({ count, limit, atLeast, of }) => {
      const more = `${atLeast ? "at least " : ""}${plural(count, "more finding")}`;
      return of === undefined
        ? `This file or folder has ${more}; only the first ${limit} are listed.`
        : `The pages have ${more} of the kind “${of}”; only ${limit} are listed.`;
    },
    hint: "Correct the listed ones first, then check again.",
    facts: { count: 912, limit: 100 },
    example: {
      wrong: "a file with thousands of mistakes",
      right: "correct the first ones, then check again",
    },
  }),
};

interface Syntax {
  mistake: Mistake;
  /** The text found, as it is written, or its name. */
  found: string;
  /** The replacement for the marked range: empty to delete it, undefined if a person must decide. */
  write?: string | undefined;
  /** The numbers of other lines that are part of the mistake. */
  lines?: number[] | undefined;
  isOfSite?: boolean;
}

type Words = [message: Text<Syntax>, hint: Text<Syntax>];

const quoted = (text: string): string => `“${shortened(text, 60)}”`;

const lineOf = ({ lines = [] }: Syntax): string => `line ${lines[0] ?? 1}`;

/** Each kind that people often make, and one for all others. */
export const SYNTAX = {
  "merge-conflict": [
    ({ lines = [] }) =>
      `A merge conflict: git wrote two versions of the same lines here (markers on lines ${lines.join(", ")}).`,

    "Keep the right version, and delete the other and the lines that begin with <<<<<<<, ======= and >>>>>>>.",
  ],
  empty: [
    "The file is empty.",
    ({ isOfSite }) =>
      isOfSite === true
        ? "Write its fields in curly brackets, or get the last version of the file from git."
        : "Write the page's fields in curly brackets, delete the file, or create it again: npx page-api new",
  ],
  "other-kind": [
    ({ found, isOfSite }) => `This is ${found}, not ${isOfSite === true ? "" : "a page source in "}JSON.`,
    ({ isOfSite }) =>
      isOfSite === true
        ? "Get the last version of the file from git: it begins with {."
        : "Move it out of the content folder; the source of a page begins with {. To write one, run: npx page-api new",
  ],
  "cut-off": [
    "The file ends in the middle, before all brackets are closed: it may have been cut off.",
    ({ write }) =>
      write === undefined
        ? "Get the whole file again, for example from its last version in git."
        : `If only the end is missing, write ${write} here. Otherwise, get the whole file again.`,
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

type Mistake = keyof typeof SYNTAX;
