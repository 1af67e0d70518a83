import type { Args } from "../../findings/catalogue/index.ts";

/** What the parser met, where it could not go on. */
export interface Unexpected {
  text: string;
  at: number;
  expected: "page" | "name" | "colon" | "value" | "comma" | "quote" | "number" | "end";
  /** The offsets of the brackets that are open. */
  open: readonly number[];
  /** The literal read last, with the marks around it, where nothing but white space stands between it and `at`. */
  last?: { start: number; end: number } | undefined;
  /** The comma, colon or bracket passed last. */
  mark: number;
}

/** A mistake, and what is marked as it. */
export interface Told extends Args<"json-syntax"> {
  start: number;
  end: number;
}

type Kind = Told["mistake"];
export type MistakeRule = (u: Unexpected) => Told | undefined;

export const told = (
  mistake: Kind,
  text: string,
  start: number,
  end: number,
  facts: Partial<Omit<Told, "mistake">> = {},
): Told => ({ mistake, found: text.slice(start, end), ...facts, start, end });

export const CLOSERS: Record<string, string> = { "{": "}", "[": "]" };

/** What closes all brackets that are open. */
export const closers = ({ text, open }: Unexpected): string =>
  open
    .map((at) => CLOSERS[text[at] ?? ""] ?? "")
    .reverse()
    .join("");

export const restOfLine = (text: string, at: number): string => {
  const end = text.indexOf("\n", at);
  return text.slice(at, Math.min(end === -1 ? text.length : end, at + MAX_LINE_LENGTH)).replace(/\r$/, "");
};

/** So much of a line is looked at. */
export const MAX_LINE_LENGTH = 10_000;

export const lineAt = (text: string, at: number): number => {
  let line = 1;
  for (let next = text.indexOf("\n"); next !== -1 && next < at; next = text.indexOf("\n", next + 1)) line++;
  return line;
};

/** A literal of a text that is written as it stands in a file, with what cannot stand in one escaped. */
export const literal = (written: string): string =>
  `"${written.replace(/\\.|"/gs, (found) => (found === '"' ? String.raw`\"` : found))}"`;

const WORD = /[\p{L}\p{N}_$.+'’-]+/uy;
export const wordAt = (text: string, at: number): string => {
  WORD.lastIndex = at;
  return WORD.exec(text)?.[0] ?? String.fromCodePoint(text.codePointAt(at) ?? 0x20);
};

const OPENING = "“„”«»″‟〝";
export const QUOTES = `[${OPENING}]`;
export const isTypographic = (character: string | undefined): boolean =>
  character !== undefined && OPENING.includes(character);
