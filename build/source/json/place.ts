import type { Place } from "../../findings/finding.ts";
import { nodeAt, type Node, type Path } from "./object.ts";

/** A file's text, with an index for the locations of findings. */
export class SourceText {
  readonly file: string;
  readonly text: string;
  /** Two numbers per block of the text: the number of the line at the end of the block, and the offset of its start. */
  private blocks: Uint32Array | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  lineAndColumn(offset: number): [line: number, column: number] {
    const { text } = this;
    const block = Math.floor(offset / BLOCK_LENGTH);
    if (block > 0) this.blocks ??= indexOfLines(text);
    let lines = block === 0 ? 1 : (this.blocks?.[2 * block - 2] ?? 1);
    let start = block === 0 ? 0 : (this.blocks?.[2 * block - 1] ?? 0);
    for (let at = block * BLOCK_LENGTH; at < offset; at++)
      if (text.charCodeAt(at) === LINE_FEED) [lines, start] = [lines + 1, at + 1];
    return [lines, offset - start + 1];
  }
}

const LINE_FEED = 0x0a;

/**
 * Number of UTF-16 units per block of the index, which are searched for a location. An index of every line could be
 * larger than the text, and most pages need no index.
 */
const BLOCK_LENGTH = 2048;

function indexOfLines(text: string): Uint32Array {
  const blocks = new Uint32Array(2 * Math.floor(text.length / BLOCK_LENGTH));
  let lines = 1;
  let start = 0;
  let next = text.indexOf("\n");
  for (let block = 0; 2 * block < blocks.length; block++) {
    for (; next !== -1 && next < (block + 1) * BLOCK_LENGTH; next = text.indexOf("\n", start)) {
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
  // A single character is never a line feed.
  const [endLine, endColumn] = end === start + 1 ? [line, column + 1] : source.lineAndColumn(end);
  return { file: source.file, line, column, endLine, endColumn };
}

/** The place of a value in a source, or of the innermost value around it. */
export function placeAt({ source, root }: { source: SourceText; root?: Node }, path: Path): Place {
  const node = root && nodeAt(root, path).node;
  return placeOf(source, node?.start ?? 0, node?.end ?? 0);
}

/** The offset in the file of the UTF-16 unit `index` of a string's value; escapes count as they are written. */
export const offsetInString = (text: string, node: { start: number }, index: number): number =>
  offsetFrom(text, node.start + 1, index);

function offsetFrom(text: string, from: number, units: number): number {
  let at = from;
  for (let i = 0; i < units; i++) {
    if (text[at] !== "\\") at++;
    else at += text[at + 1] === "u" ? 6 : 2;
  }
  return at;
}

/** The location of the range `start` to `end` of a string's value, in UTF-16 units of the value. */
export const placeInString = (
  source: SourceText,
  node: { start: number },
  start: number,
  end: number,
): Place => {
  const from = offsetInString(source.text, node, start);
  return placeOf(source, from, offsetFrom(source.text, from, end - start));
};
