import type { Args } from "../../../findings/catalogue/index.ts";

/** The state of the parser at unexpected text. */
export interface Unexpected {
  text: string;
  at: number;
  expected: "page" | "name" | "colon" | "value" | "comma" | "quote" | "number" | "end";
  /** The offsets of the open brackets. */
  open: readonly number[];
  /** The last value or name, including its quotation marks, if only white space separates it from `at`. */
  last?: { start: number; end: number } | undefined;
  /** The offset of the last comma, colon or bracket. */
  mark: number;
}

/** A mistake, and the range that is marked. */
export interface LocatedMistake extends Args<"json-syntax"> {
  start: number;
  end: number;
}

type Kind = LocatedMistake["mistake"];
export type MistakeRule = (u: Unexpected) => LocatedMistake | undefined;

export const mistake = (
  kind: Kind,
  text: string,
  start: number,
  end: number,
  facts: Partial<Omit<LocatedMistake, "mistake">> = {},
): LocatedMistake => ({ mistake: kind, found: text.slice(start, end), ...facts, start, end });

export const CLOSERS: Record<string, string> = { "{": "}", "[": "]" };

/** The closing brackets of all open brackets. */
export const closers = ({ text, open }: Unexpected): string =>
  open
    .map((at) => CLOSERS[text[at] ?? ""] ?? "")
    .reverse()
    .join("");

export const restOfLine = (text: string, at: number): string => {
  const end = text.indexOf("\n", at);
  return text.slice(at, Math.min(end === -1 ? text.length : end, at + MAX_LINE_LENGTH)).replace(/\r$/, "");
};

/** Maximum length of a line that is searched, in UTF-16 units. */
export const MAX_LINE_LENGTH = 10_000;

export const lineAt = (text: string, at: number): number => {
  let line = 1;
  for (let next = text.indexOf("\n"); next !== -1 && next < at; next = text.indexOf("\n", next + 1)) line++;
  return line;
};

/** A string literal of a text taken from a file: quotation marks are escaped, existing escapes are kept. */
export const literal = (written: string): string =>
  `"${written.replace(/\\.|"/gs, (found) => (found === '"' ? String.raw`\"` : found))}"`;

const WORD = /"[^"\n]{0,80}"?|[\p{L}\p{N}_$.+'’-]+/uy;
/** The word or text at an offset, or its character. */
export const wordAt = (text: string, at: number): string => {
  WORD.lastIndex = at;
  return WORD.exec(text)?.[0] ?? String.fromCodePoint(text.codePointAt(at) ?? 0x20);
};

const OPENING = "“„”«»″‟〝";
export const QUOTES = `[${OPENING}]`;
export const isTypographic = (character: string | undefined): boolean =>
  character !== undefined && OPENING.includes(character);
