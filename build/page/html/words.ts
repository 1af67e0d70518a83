import { Parser } from "htmlparser2";

/** Elements inside a line: between their text and what stands beside them is no space. */
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

/** What a person reads of a fragment: its text, with entities decoded and one space where there are several. */
export function wordsOf(html: string): string {
  let words = "";
  const space = (name: string): void => {
    if (!IN_LINE.has(name)) words += " ";
  };
  const parser = new Parser({ ontext: (text) => (words += text), onopentagname: space, onclosetag: space });
  parser.end(html);
  return words.replace(/\s+/g, " ").trim();
}
