import { isError, type Place } from "../findings/finding.ts";
import { applyEdits, type Edit } from "../source/json/edit.ts";
import { utf8Text } from "../source/json/encoding.ts";
import { MAX_VALUES, parseJson, type ParsedJson } from "../source/json/parse.ts";
import { placeOf, SourceText } from "../source/json/place.ts";

/** One fix, with its location in the original file. */
export interface Fix {
  place: Place;
  /** The rest of a sentence that begins with the location: `removed the byte order mark`. */
  done: string;
}

export interface Repaired {
  parsed: ParsedJson;
  fixes: Fix[];
}

/**
 * Turns a file into JSON if its mistakes have only one meaning: its encoding, curly quotation marks, commas at ends of
 * lines, comments, `True`. Undefined if the result is still not JSON.
 */
export function repair(file: string, bytes: Buffer): Repaired | undefined {
  const utf16 = decodeUtf16(bytes);
  const written = utf16 ?? utf8Text(bytes);
  if (written === undefined) return undefined;
  const text = written.replace(/^\ufeff/, "");
  const source = new SourceText(file, text);
  const fixes: Fix[] = [];
  if (utf16 !== undefined)
    fixes.push({ place: placeOf(source, 0), done: "changed the encoding from UTF-16 to UTF-8" });
  else if (text !== written) fixes.push({ place: placeOf(source, 0), done: "removed the byte order mark" });
  const edits = repairTokens(source, fixes);
  if (edits === undefined || fixes.length === 0) return undefined;
  const parsed = parseJson(file, Buffer.from(applyEdits(text, edits)));
  if (parsed.root?.type !== "object" || parsed.findings.some(isError)) return undefined;
  return { parsed, fixes };
}

/** The text of a program that saves as “Unicode”; undefined if the bytes are not UTF-16. */
function decodeUtf16(bytes: Buffer): string | undefined {
  const [a, b] = [bytes[0], bytes[1]];
  const isLittle = (a === 0xff && b === 0xfe) || (a === 0x7b && b === 0);
  const isBig = (a === 0xfe && b === 0xff) || (a === 0 && b === 0x7b);
  if (!isLittle && !isBig) return undefined;
  try {
    return new TextDecoder(isLittle ? "utf-16le" : "utf-16be", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const WORDS: Record<string, string> = { none: "null", true: "true", false: "false", null: "null" };

/** White space, a comment, a punctuation mark, the beginning of a string, or another word. */
const TOKEN = /[ \t\r\n]+|(\/\/[^\n\r]*|\/\*[^]*?\*\/)|([{}[\]:,])|(["“”„‟])|([^\s,:{}[\]"“”„‟/\\]+)/y;

/**
 * Reads a text token by token, and returns the edits that turn it into JSON. Undefined if a token is ambiguous, or if there
 * are more edits than a source can have values.
 */
function repairTokens(source: SourceText, fixes: Fix[]): Edit[] | undefined {
  const { text } = source;
  const edits: Edit[] = [];
  /** The end of the last value, name or closing bracket, and the position of the last comma; -1 for none. */
  let [valueEnd, comma] = [-1, -1];
  const edit = (start: number, end: number, written: string, done: string): void => {
    edits.push({ start, end, text: written });
    fixes.push({ place: placeOf(source, start, end), done });
  };
  /** Adds the missing comma if a line break separates a value from the one before. */
  const beginValue = (at: number): void => {
    if (valueEnd !== -1 && text.slice(valueEnd, at).includes("\n"))
      edit(valueEnd, valueEnd, ",", "added the missing comma");
  };
  for (let at = 0, end = 0; at < text.length; at = end) {
    TOKEN.lastIndex = at;
    const [token, comment, punctuation, quote, word] = TOKEN.exec(text) ?? [];
    if (token === undefined || edits.length > MAX_VALUES) return undefined;
    end = at + token.length;
    if (comment !== undefined) {
      const shown = comment.length > 60 ? `${comment.slice(0, 59)}…` : comment;
      let start = at;
      while (" \t".includes(text.charAt(start - 1) || "\n")) start--;
      edit(start, end, "", `removed the comment “${shown.replace(/\s+/g, " ")}”`);
    } else if (punctuation === ",") {
      if (valueEnd === -1) return undefined;
      [valueEnd, comma] = [-1, at];
    } else if (punctuation === "}" || punctuation === "]") {
      if (comma !== -1) edit(comma, comma + 1, "", "removed a comma after the last entry");
      [valueEnd, comma] = [end, -1];
    } else if (punctuation !== undefined) {
      if (punctuation !== ":") beginValue(at);
      [valueEnd, comma] = [-1, -1];
    } else if (quote !== undefined || word !== undefined) {
      beginValue(at);
      if (word === undefined) {
        const closed = endOfString(text, at);
        if (closed === undefined) return undefined;
        end = closed;
        const straighten = (mark: number): void =>
          edit(mark, mark + 1, '"', 'wrote a straight quotation mark (")');
        if (quote !== '"') straighten(at);
        const written = text.slice(at, end);
        for (let i = -1; (i = written.indexOf("\t", i + 1)) !== -1 && edits.length <= MAX_VALUES;)
          edit(at + i, at + i + 1, String.raw`\t`, String.raw`wrote a tab in a text as \t`);
        if (text.charAt(end - 1) !== '"') straighten(end - 1);
      } else {
        const lower = word.toLowerCase();
        const meant = Object.hasOwn(WORDS, lower) ? WORDS[lower] : undefined;
        if (meant !== undefined && meant !== word) edit(at, end, meant, `wrote ${meant} instead of ${word}`);
      }
      [valueEnd, comma] = [end, -1];
    }
  }
  return edits.length > MAX_VALUES ? undefined : edits;
}

/** The possible text after a string that a curly quotation mark closes. */
const AFTER_CLOSING = /[ \t]*(?:[,:\]}]|\r?\n|$)/y;

/**
 * The end of a string, on the same line. Without a second straight mark on its line, a curly one may have closed it: the
 * first one after which a string can end. Undefined if a straight mark is before that, because it may be a part of the
 * text. (A pattern would overflow its stack on long texts.)
 */
function endOfString(text: string, at: number): number | undefined {
  const end = (isEnd: (mark: string, next: number) => boolean | undefined): number | undefined => {
    for (let i = at + 1; i < text.length; i++) {
      const c = text.charAt(i);
      if (c === "\\") i++;
      const found = isEnd(c, i + 1);
      if (found !== undefined) return found ? i + 1 : undefined;
      if (text.charAt(i) === "\n") return undefined;
    }
    return undefined;
  };
  const straight = text.charAt(at) === '"' ? end((mark) => mark === '"' || undefined) : undefined;
  return (
    straight ??
    end((mark, next) => {
      if (mark !== '"' && !"“”„‟".includes(mark)) return undefined;
      AFTER_CLOSING.lastIndex = next;
      return AFTER_CLOSING.test(text) || (mark === '"' ? false : undefined);
    })
  );
}
