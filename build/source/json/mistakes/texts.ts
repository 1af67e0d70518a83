import {
  isTypographic,
  literal,
  MAX_LINE_LENGTH,
  QUOTES,
  restOfLine,
  type MistakeRule,
  mistake,
} from "./unexpected.ts";

/** The text that may follow a value on its line. */
const ENDS_VALUE = /^[ \t]*(?:,[ \t]*(?:$|"[^"]*"[ \t]*:|[[{])|[}\]][ \t}\],]*$|$)/;

const ENDS_ITEM = /^[ \t]*(?:[,\]]|$)/;

/** A text or name in quotation marks other than straight double ones. */
export const otherQuotes: MistakeRule = ({ text, at, expected }) => {
  const mark = text[at] ?? "";
  if (expected === "quote" || expected === "end") return undefined;
  const rest = restOfLine(text, at);
  if (isTypographic(mark) || mark === "‘" || mark === "’" || mark === "‚") {
    const found =
      /^(.)(.*?)[“”«»″‟’](?=\s*(?:[,:}\]]|$))/.exec(rest) ?? /^(.)([^"“”„«»″‘’]*)["“”«»″‘’]/.exec(rest);
    const end = at + (found?.[0].length ?? 1);
    return mistake("other-quote", text, at, end, {
      found: mark,
      write: found === null ? undefined : literal(found[2] ?? ""),
    });
  }
  if (mark !== "'" && mark !== "`") return undefined;
  // An apostrophe inside the text is not followed by the end of a value.
  for (let end = 1; (end = rest.indexOf(mark, end)) !== -1; end++) {
    if (!/^\s*(?:[,:}\]]|$)/.test(rest.slice(end + 1))) continue;
    const write = literal(rest.slice(1, end).replaceAll(String.raw`\'`, "'"));
    return mistake("other-quote", text, at, at + end + 1, { found: mark, write });
  }
  const closed = /^.[^"]*"\s*(?:[,:}\]]|$)/.test(rest);
  return mistake("other-quote", text, at, at + 1, { found: mark, write: closed ? '"' : undefined });
};

export const unclosedText: MistakeRule = ({ text, at, expected, last }) => {
  if (expected !== "quote" || last === undefined) return undefined;
  const line = text.slice(last.start, at);
  const close = new RegExp(`(${QUOTES}|’’|'')[ \\t]*,?[ \\t]*[}\\]]*,?[ \\t]*$`).exec(line);
  if (close !== null) {
    const start = last.start + close.index;
    return mistake("other-quote", text, start, start + (close[1]?.length ?? 1), { write: '"' });
  }
  const name = /^"(\w+)(?=[ \t]*:[ \t]*\S)/.exec(line);
  const next = text.slice(at).trimStart().slice(0, 200);
  const isName = name !== null && /[{[]\s*$/.test(line);
  if (name !== null && (isName || /:[ \t]*(?:\d[\d.]*|true|false|null),?[ \t]*$/.test(line))) {
    const end = last.start + name[0].length;
    return mistake("quote-missing", text, end, end, { write: '"' });
  }
  if (!/^(?:"\w[^"\n]*"\s*:|[}\]]|$)/.test(next)) {
    const rest = text.slice(last.start + 1, last.start + MAX_LINE_LENGTH);
    const whole = /^(?:[^"\\\n]|\\.|"(?!\s*(?:[,}\]:]|$))|\n(?!\s*"))*?(?="\s*(?:,|[}\]]|$))/.exec(rest);
    if (whole !== null) {
      const write = literal(whole[0].replace(/[ \t]*(?:\r?\n[ \t]*)+/g, " "));
      return mistake("line-break-in-text", text, last.start, last.start + 2 + whole[0].length, { write });
    }
  }
  const after = /[ \t]*(?:[}\]]*,?|,)[ \t]*$/.exec(line);
  const end = last.start + Math.max(1, after?.index ?? line.length);
  return mistake("quote-missing", text, end, end, { write: '"' });
};

/** A text that ended too early, at a quotation mark before a comma inside it: `"Support 9", laid down"`. */
export const quoteBeforeComma: MistakeRule = ({ text, at, expected, mark, open }) => {
  if (text[mark] !== "," || (expected !== "name" && expected !== "value")) return undefined;
  const rest = restOfLine(text, at);
  // A name that lacks one or both of its quotation marks.
  if (!/^[\p{L}\p{N}(]/u.test(rest) || /^[^",{}[\]]*?"?[ \t]*[:=]/.test(rest)) return undefined;
  const isInList = text[open.at(-1) ?? -1] === "[";
  const line = text.slice(Math.max(text.lastIndexOf("\n", mark) + 1, mark - MAX_LINE_LENGTH), mark);
  const before = (isInList ? /"((?:[^"\\]|\\.)*)"[ \t]*$/ : /:[ \t]*"((?:[^"\\]|\\.)*)"[ \t]*$/).exec(line);
  // In a list, the rest may also be an item without its opening quotation mark. A digit before the mark shows that the
  // mark means inches.
  if (before === null || (isInList && !/\d$/.test(before[1] ?? ""))) return undefined;
  const start = mark - before[0].length + before[0].indexOf('"');
  const ends = isInList ? ENDS_ITEM : ENDS_VALUE;
  const name = rest.search(/"[ \t]*:/);
  const quote = closingQuote(rest, ends);
  if (quote === undefined || (name !== -1 && quote >= name)) return undefined;
  const end = at + quote + 1;
  return mistake("quote-in-text", text, start, end, { write: literal(text.slice(start + 1, end - 1)) });
};

/** The first quotation mark after which a text can end. */
function closingQuote(rest: string, ends: RegExp): number | undefined {
  for (let quote = rest.indexOf('"'); quote !== -1; quote = rest.indexOf('"', quote + 1))
    if (rest[quote - 1] !== "\\" && ends.test(rest.slice(quote + 1))) return quote;
  return undefined;
}

/** A text that ended too early, at a quotation mark inside it. */
export const afterText: MistakeRule = ({ text, at, expected, last, open }) => {
  if (last === undefined || text[last.start] !== '"' || (expected !== "comma" && expected !== "colon"))
    return undefined;
  const written = text.slice(last.start + 1, last.end - 1);
  if (text.slice(last.end, at).includes("\n")) return undefined;
  const swallowed = new RegExp(`^[^"]*?(${QUOTES})[ \\t]*[,:][ \\t]*$`).exec(written);
  if (swallowed !== null) {
    const start = last.start + 1 + written.lastIndexOf(swallowed[1] ?? "");
    return mistake("other-quote", text, start, start + 1, { write: '"' });
  }
  const name = /^(\w+)[ \t]*:[ \t]*$/.exec(written);
  if (name !== null) {
    const end = last.start + 1 + (name[1]?.length ?? 0);
    return mistake("quote-missing", text, end, end, { write: '"' });
  }
  if (/^[,:=;}\]{[]/.test(text.slice(at, at + 1)) || expected === "colon") return undefined;
  const rest = restOfLine(text, last.end);
  if (/^"[ \t]*(?:[,}\]]|$)/.test(rest) && !/\d$/.test(written)) return undefined;
  const comma = /,[ \t]*$/.exec(written);
  if (comma !== null && /^[\w/.-][^"]*"\s*[:,\]}]/.test(rest)) {
    const end = last.start + 1 + comma.index;
    return mistake("quote-missing", text, end, end, { write: '"' });
  }
  if (/^[ \t]+"[^"]*"[ \t]*[,\]]/.test(rest)) return undefined;
  // A name follows, not the rest of the text: a comma is missing.
  if (/^[ \t]*"\w[^"]*"[ \t]*:/.test(rest)) return undefined;
  const ends = text[open.at(-1) ?? -1] === "[" ? ENDS_ITEM : ENDS_VALUE;
  const quote = closingQuote(rest, ends);
  if (quote === undefined) return undefined;
  const end = last.end + quote + 1;
  const inner = text.slice(last.start + 1, end - 1);
  return mistake("quote-in-text", text, last.start, end, { write: literal(inner) });
};

/** A Windows path of a folder or a file, without a drive letter. */
const WINDOWS_PATH = /^"((?:\\[\w.%~-]+){2,}\\?|\\?[\w.%~-]+(?:\\[\w.%~ -]+)*\\[\w.%~ -]+\.\w{2,5})"/;

/** If the text at `start` is an address with backslashes: its end, and its correction. */
export function pathWithBackslashes(text: string, start: number): { end: number; write: string } | undefined {
  const found = WINDOWS_PATH.exec(text.slice(start, start + 300));
  if (found === null) return undefined;
  const path = (found[1] ?? "").replaceAll("\\", "/").replaceAll(" ", "%20");
  return { end: start + found[0].length, write: `"${path.startsWith("/") ? "" : "/"}${path}"` };
}
