import { Tokenizer } from "htmlparser2";

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

const nothing = (): void => undefined;

/** The visible words of a fragment: its text with entities decoded and white space collapsed. */
export function wordsOf(html: string): string {
  let words = "";
  const space = (start: number, end: number): void => {
    if (!IN_LINE.has(html.slice(start, end).toLowerCase())) words += " ";
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => (words += html.slice(start, end)),
      ontextentity: (codepoint) => (words += String.fromCodePoint(codepoint)),
      onopentagname: space,
      onclosetag: space,
      onattribdata: nothing,
      onattribend: nothing,
      onattribentity: nothing,
      onattribname: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onopentagend: nothing,
      onprocessinginstruction: nothing,
      onselfclosingtag: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return words.replace(/\s+/g, " ").trim();
}
