import type { Place } from "../findings/finding.ts";
import type { Node } from "./node.ts";

/** A file's text with what a finding needs to name a place in it. */
export class SourceText {
  readonly file: string;
  readonly text: string;
  /** By block of the text, in pairs: how many lines begin before the block's end, and where the last of them does. */
  private blocks: Uint32Array | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  lineAndColumn(offset: number): [line: number, column: number] {
    const { text } = this;
    this.blocks ??= indexOfLines(text);
    const block = Math.floor(offset / BLOCK);
    let lines = block === 0 ? 1 : (this.blocks[2 * block - 2] ?? 1);
    let start = block === 0 ? 0 : (this.blocks[2 * block - 1] ?? 0);
    for (let at = block * BLOCK; at < offset; at++)
      if (text.charCodeAt(at) === LINE_FEED) [lines, start] = [lines + 1, at + 1];
    return [lines, offset - start + 1];
  }
}

const LINE_FEED = 0x0a;

/** So many units are looked through for a place: a table of every line would be larger than a text of line breaks. */
// tuning: the same place comes of any number
const BLOCK = 256;

function indexOfLines(text: string): Uint32Array {
  const blocks = new Uint32Array(2 * Math.ceil(text.length / BLOCK));
  let lines = 1;
  let start = 0;
  let next = text.indexOf("\n");
  for (let block = 0; 2 * block < blocks.length; block++) {
    for (; next !== -1 && next < (block + 1) * BLOCK; next = text.indexOf("\n", start)) {
      lines++;
      start = next + 1;
    }
    blocks[2 * block] = lines;
    blocks[2 * block + 1] = start;
  }
  return blocks;
}

export function placeOf(source: SourceText, start: number, end = start): Place {
  const [line, column] = source.lineAndColumn(start);
  const [endLine, endColumn] = source.lineAndColumn(end);
  return { file: source.file, line, column, endLine, endColumn };
}

/** Where the unit at `index` of a string's value stands in the file, escapes counted as they are written. */
export function offsetInString(text: string, node: { start: number }, index: number): number {
  return offsetFrom(text, node.start + 1, index);
}

function offsetFrom(text: string, from: number, units: number): number {
  let at = from;
  for (let i = 0; i < units; i++) {
    if (text[at] !== "\\") at++;
    else at += text[at + 1] === "u" ? 6 : 2;
  }
  return at;
}

/** The place of `start` to `end` of a string's value, counted in the value's own units. */
export const placeInString = (source: SourceText, node: Node, start: number, end: number): Place => {
  const from = offsetInString(source.text, node, start);
  return placeOf(source, from, offsetFrom(source.text, from, end - start));
};
