import type { Place } from "../findings/finding.ts";
import type { Node } from "./node.ts";

/** A file's text with what a finding needs to name a place in it. */
export interface SourceText {
  file: string;
  text: string;
  /** Offsets at which lines begin. */
  lineStarts: number[];
}

export function sourceText(file: string, text: string): SourceText {
  const lineStarts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lineStarts.push(at + 1);
  return { file, text, lineStarts };
}

export function placeOf(source: SourceText, start: number, end = start): Place {
  const [line, column] = lineAndColumn(source.lineStarts, start);
  const [endLine, endColumn] = lineAndColumn(source.lineStarts, end);
  return { file: source.file, line, column, endLine, endColumn };
}

export function lineAndColumn(lineStarts: number[], offset: number): [line: number, column: number] {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return [low + 1, offset - (lineStarts[low] ?? 0) + 1];
}

/** Where the unit at `index` of a string's value stands in the file, escapes counted as they are written. */
export function offsetInString(text: string, node: { start: number }, index: number): number {
  let at = node.start + 1;
  for (let i = 0; i < index; i++) {
    if (text[at] !== "\\") at++;
    else at += text[at + 1] === "u" ? 6 : 2;
  }
  return at;
}

/** The place of `start` to `end` of a string's value, counted in the value's own units. */
export const placeInString = (source: SourceText, node: Node, start: number, end: number): Place =>
  placeOf(source, offsetInString(source.text, node, start), offsetInString(source.text, node, end));
