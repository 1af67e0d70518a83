import { Parser } from "htmlparser2";

/** Inline elements: no space is added between their text and the text beside them. */
const IN_LINE = new Set([
  "a",
  "abbr",
  "b",
  "cite",
  "code",
  "em",
  "i",
  "q",
  "s",
  "small",
  "span",
  "strong",
  "sub",
  "sup",
  "u",
]);

/** The visible words of a fragment: its text with entities decoded and white space collapsed. */
export function wordsOf(html: string): string {
  let words = "";
  const space = (name: string): void => {
    if (!IN_LINE.has(name)) words += " ";
  };
  const parser = new Parser({ ontext: (text) => (words += text), onopentagname: space, onclosetag: space });
  parser.end(html);
  return words.replace(/\s+/g, " ").trim();
}
