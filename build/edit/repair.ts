import { isError, type Place } from "../findings/finding.ts";
import { MAX_VALUES, parseJson, type ParsedJson } from "../json/parse.ts";
import { placeOf, SourceText } from "../json/place.ts";
import { applyEdits, type Edit } from "./text.ts";

/** One fix, with its location in the original file. */
export interface Fix {
  place: Place;
  /** The rest of a sentence that begins with the location: `removed the byte order mark`. */
  done: string;
}

/** The JSON that a repair has made, and its fixes with their locations in the original file. */
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
  const text = utf16 ?? (isUtf8(bytes) ? bytes.toString("utf8").replace(/^\ufeff/, "") : undefined);
  if (text === undefined) return undefined;
  const source = new SourceText(file, text);
  const fixes: Fix[] = [];
  if (utf16 !== undefined)
    fixes.push({ place: placeOf(source, 0), done: "changed the encoding from UTF-16 to UTF-8" });
  else if (bytes.length > text.length && bytes[0] === 0xef && bytes.readUInt16BE(1) === 0xbbbf)
    fixes.push({ place: placeOf(source, 0), done: "removed the byte order mark" });
  const edits = new Scanner(source, fixes).scan();
  if (edits === undefined || fixes.length === 0) return undefined;
  const parsed = parseJson(file, Buffer.from(applyEdits(text, edits)));
  if (parsed.root?.type !== "object" || parsed.findings.some(isError)) return undefined;
  return { parsed, fixes };
}

const isUtf8 = (bytes: Buffer): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};

/** The text of a program that saves as “Unicode”; undefined if the bytes are not UTF-16. */
function decodeUtf16(bytes: Buffer): string | undefined {
  const [a, b] = [bytes[0], bytes[1]];
  const encoding =
    (a === 0xff && b === 0xfe) || (a === 0x7b && b === 0)
      ? "utf-16le"
      : (a === 0xfe && b === 0xff) || (a === 0 && b === 0x7b)
        ? "utf-16be"
        : undefined;
  if (encoding === undefined) return undefined;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const WORDS: Record<string, string> = { none: "null", true: "true", false: "false", null: "null" };
const OPENING = "“”„‟";
/** The possible text after a string that a curly quotation mark closes. */
const AFTER_CLOSING = /[ \t]*(?:[,:\]}]|\r?\n|$)/y;

/** Reads a file token by token, and collects the edits that turn it into JSON. */
class Scanner {
  private readonly source: SourceText;
  private readonly text: string;
  private readonly fixes: Fix[];
  private readonly edits: Edit[] = [];
  private at = 0;
  /** The end of the last value, name or closing bracket, and the position of the last comma; -1 for none. */
  private valueEnd = -1;
  private comma = -1;

  constructor(source: SourceText, fixes: Fix[]) {
    this.source = source;
    this.text = source.text;
    this.fixes = fixes;
  }

  /** Undefined if a token is ambiguous, or if there are more edits than a source can have values. */
  scan(): Edit[] | undefined {
    while (this.at < this.text.length) if (!this.token() || this.isTooMuch()) return undefined;
    return this.edits;
  }

  private isTooMuch(): boolean {
    return this.edits.length > MAX_VALUES;
  }

  private edit(start: number, end: number, text: string, done: string): void {
    this.edits.push({ start, end, text });
    this.fixes.push({ place: placeOf(this.source, start, end), done });
  }

  private token(): boolean {
    const { text, at } = this;
    const c = text.charAt(at);
    if (" \t\r\n".includes(c)) this.at++;
    else if (c === "/") return this.commentAt();
    else if (c === "{" || c === "[") {
      this.beforeValue();
      this.at++;
      this.valueEnd = this.comma = -1;
    } else if (c === "}" || c === "]") {
      if (this.comma !== -1)
        this.edit(this.comma, this.comma + 1, "", "removed a comma after the last entry");
      this.at++;
      this.endValue();
    } else if (c === ":") {
      this.at++;
      this.valueEnd = this.comma = -1;
    } else if (c === ",") {
      if (this.valueEnd === -1) return false;
      this.comma = this.at++;
      this.valueEnd = -1;
    } else if (c === '"' || OPENING.includes(c)) {
      this.beforeValue();
      return this.stringAt();
    } else {
      this.beforeValue();
      return this.wordAt();
    }
    return true;
  }

  private endValue(): void {
    this.valueEnd = this.at;
    this.comma = -1;
  }

  /** Adds the missing comma if a line break separates a value from the one before. */
  private beforeValue(): void {
    if (this.valueEnd !== -1 && this.text.slice(this.valueEnd, this.at).includes("\n"))
      this.edit(this.valueEnd, this.valueEnd, ",", "added the missing comma");
    this.comma = -1;
  }

  private commentAt(): boolean {
    const comment = /\/\/[^\n\r]*|\/\*[^]*?\*\//y;
    comment.lastIndex = this.at;
    const [found] = comment.exec(this.text) ?? [];
    if (found === undefined) return false;
    const shown = found.length > 60 ? `${found.slice(0, 59)}…` : found;
    let start = this.at;
    while (" \t".includes(this.text.charAt(start - 1) || "\n")) start--;
    this.edit(start, this.at + found.length, "", `removed the comment “${shown.replace(/\s+/g, " ")}”`);
    this.at += found.length;
    return true;
  }

  private wordAt(): boolean {
    const word = /[^\s,:{}[\]"“”„‟/\\]+/y;
    word.lastIndex = this.at;
    const [found = ""] = word.exec(this.text) ?? [];
    if (found === "") return false;
    const meant = Object.hasOwn(WORDS, found.toLowerCase()) ? WORDS[found.toLowerCase()] : undefined;
    if (meant !== undefined && meant !== found)
      this.edit(this.at, this.at + found.length, meant, `wrote ${meant} instead of ${found}`);
    this.at += found.length;
    this.endValue();
    return true;
  }

  /** A string, up to its closing quotation mark on the same line. */
  private stringAt(): boolean {
    const { text, at } = this;
    const isStraight = text.charAt(at) === '"';
    // Without a second straight mark on its line, a curly one may have closed it.
    const end = (isStraight ? endOfStraight(text, at) : undefined) ?? endOfCurly(text, at);
    if (end === undefined) return false;
    if (!isStraight) this.edit(at, at + 1, '"', 'wrote a straight quotation mark (")');
    const inner = text.slice(at + 1, end - 1);
    for (let i = -1; (i = inner.indexOf("\t", i + 1)) !== -1 && !this.isTooMuch();)
      this.edit(at + 1 + i, at + 2 + i, String.raw`\t`, String.raw`wrote a tab in a text as \t`);
    if (text.charAt(end - 1) !== '"') this.edit(end - 1, end, '"', 'wrote a straight quotation mark (")');
    this.at = end;
    this.endValue();
    return true;
  }
}

/** The end, on the same line, of a string that a straight mark opens. A pattern would overflow its stack on long texts. */
function endOfStraight(text: string, at: number): number | undefined {
  for (let i = at + 1; i < text.length; i++) {
    const c = text.charAt(i);
    if (c === '"') return i + 1;
    if (c === "\\") i++;
    if (text.charAt(i) === "\n") return undefined;
  }
  return undefined;
}

/**
 * The end of a string at the first mark on its line after which a string can end. Undefined if a straight mark comes
 * before, because it may be a part of the text.
 */
function endOfCurly(text: string, at: number): number | undefined {
  for (let i = at + 1; i < text.length; i++) {
    const c = text.charAt(i);
    if (c === "\\") i++;
    else if (c === '"' || OPENING.includes(c)) {
      AFTER_CLOSING.lastIndex = i + 1;
      if (AFTER_CLOSING.test(text)) return i + 1;
      if (c === '"') return undefined;
    }
    if (text.charAt(i) === "\n") return undefined;
  }
  return undefined;
}
