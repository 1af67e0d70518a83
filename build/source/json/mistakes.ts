import type { Args } from "../../findings/catalogue/index.ts";
import { nameOf } from "../../findings/printable.ts";

/** The state of the parser at unexpected text. */
export interface Unexpected {
  text: string;
  at: number;
  expected: "page" | "name" | "colon" | "value" | "comma" | "quote" | "number" | "end";
  /** The offsets of the open brackets. */
  open: readonly number[];
  /** The last value or name, including its quotation marks, if only white space separates it from `at`. */
  last?: { start: number; end: number } | undefined;
  /** The offset of the last comma, colon or bracket. */
  mark: number;
}

/** A mistake, and the range that is marked. */
interface LocatedMistake extends Args<"json-syntax"> {
  start: number;
  end: number;
}

type Kind = LocatedMistake["mistake"];
type MistakeRule = (u: Unexpected) => LocatedMistake | undefined;

const mistake = (
  kind: Kind,
  text: string,
  start: number,
  end: number,
  facts: Partial<Omit<LocatedMistake, "mistake">> = {},
): LocatedMistake => ({ mistake: kind, found: text.slice(start, end), ...facts, start, end });

const CLOSERS: Record<string, string> = { "{": "}", "[": "]" };

/** The closing brackets of all open brackets. */
const closers = ({ text, open }: Unexpected): string =>
  open
    .map((at) => CLOSERS[text[at] ?? ""] ?? "")
    .reverse()
    .join("");

const restOfLine = (text: string, at: number): string => {
  const end = text.indexOf("\n", at);
  return text.slice(at, Math.min(end === -1 ? text.length : end, at + MAX_LINE_LENGTH)).replace(/\r$/, "");
};

/** Maximum length of a line that is searched, in UTF-16 units. */
const MAX_LINE_LENGTH = 10_000;

const lineAt = (text: string, at: number): number => {
  let line = 1;
  for (let next = text.indexOf("\n"); next !== -1 && next < at; next = text.indexOf("\n", next + 1)) line++;
  return line;
};

/** A string literal of a text taken from a file: quotation marks are escaped, existing escapes are kept. */
const literal = (written: string): string =>
  `"${written.replace(/\\.|"/gs, (found) => (found === '"' ? String.raw`\"` : found))}"`;

const WORD = /"[^"\n]{0,80}"?|[\p{L}\p{N}_$.+'’-]+/uy;
/** The word or text at an offset, or its character. */
const wordAt = (text: string, at: number): string => {
  WORD.lastIndex = at;
  return WORD.exec(text)?.[0] ?? String.fromCodePoint(text.codePointAt(at) ?? 0x20);
};

const OPENING = "“„”«»″‟〝";
const QUOTES = `[${OPENING}]`;
const isTypographic = (character: string | undefined): boolean =>
  character !== undefined && OPENING.includes(character);

const MARKER = /^(?:<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|$)/gm;

const mergeConflict: MistakeRule = ({ text }) => {
  const first = /^<{7}(?=[ \r\n]|$).*/m.exec(text);
  if (first === null) return undefined;
  const lines: number[] = [];
  for (const { index } of text.matchAll(MARKER)) if (lines.push(lineAt(text, index)) === 12) break;
  return mistake("merge-conflict", text, first.index, first.index + first[0].length, { lines });
};

const KINDS: [begins: RegExp, kind: string][] = [
  [/^<(?:!doctype|html|head|body|p|div|h\d|span|a|ul|table)\b/i, "a web page (HTML)"],
  [/^<\?xml|^<\w/i, "a file in XML or HTML"],
  [/^%PDF/, "a PDF"],
  [/^GIF8/, "a picture"],
  [/^#{1,6} (?![^]*\n\s*\{)/, "a text in Markdown"],
  [/^[\w-]+:(?: .*)?\n(?:\s*[\w-]+:|\s*- )/, "a text in YAML"],
  [/^[\w "-]+(?:[,;\t][\w "-]+)+\n[^\n{]*[,;\t]/, "a table (CSV)"],
  [/^\{\\rtf/, "a text in rich text format (RTF)"],
];

/** A file that does not begin with an object. */
const wholeFile: MistakeRule = ({ text, at }) => {
  const begin = text.search(/\S/);
  if (begin === -1) return mistake("empty", text, at, at);
  const start = text.slice(begin, begin + 200);
  const kind = KINDS.find(([begins]) => begins.test(start));
  const line = begin + restOfLine(start, 0).length;
  return kind && mistake("other-kind", text, begin, line, { found: kind[1] });
};

/** The missing bracket by the indentation: a field is indented more than the line that opens its object. */
function unclosedByLines(text: string): LocatedMistake | undefined {
  const open: { at: number; indent: number }[] = [];
  let indent = 0;
  let isFirst = true;
  let end = 0;
  for (const { index, 0: token } of text.matchAll(TOKENS)) {
    if (token.startsWith("\n")) {
      indent = token.length - 1;
      isFirst = true;
      continue;
    }
    const inner = open.at(-1);
    if (
      token.startsWith('"') &&
      isFirst &&
      inner !== undefined &&
      open.length > 1 &&
      indent <= inner.indent
    ) {
      const write = CLOSERS[text[inner.at] ?? ""] ?? "";
      return mistake("bracket-missing", text, end, end, { write, lines: [lineAt(text, inner.at)] });
    }
    if (CLOSERS[token] !== undefined) open.push({ at: index, indent });
    else if (token === "}" || token === "]") open.pop();
    if (token !== ",") end = index + token.length;
    isFirst = false;
  }
  return undefined;
}

/** The tokens of a text: line beginnings, texts, brackets, commas, and the words between them. */
const TOKENS = /\n[ \t]*|"(?:[^"\\\n]|\\.)*"|[{}[\],]|[^\s"{}[\],]+/g;

const atTheEnd: MistakeRule = (u) => {
  const { text, at, expected, open, last } = u;
  if (at < text.length || open.length === 0) return undefined;
  const forgotten = expected === "comma" ? unclosedByLines(text) : undefined;
  if (forgotten !== undefined) return forgotten;
  if (expected === "quote") return mistake("cut-off", text, at, at, { write: `"${closers(u)}` });
  const end = expected === "comma" ? (last?.end ?? at) : at;
  const write = expected === "comma" ? closers(u) : undefined;
  return mistake("cut-off", text, end, end, { write });
};

const IS_INVISIBLE = /[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}]/u;

const invisible: MistakeRule = ({ text, at, expected }) => {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0x20);
  if (expected === "quote" || /[\n\r]/.test(character) || !IS_INVISIBLE.test(character)) return undefined;
  const write = /\p{Zs}/u.test(character) ? " " : "";
  return mistake("invisible", text, at, at + character.length, { found: nameOf(character), write });
};

const comment: MistakeRule = ({ text, at, expected }) => {
  if (expected === "quote") return undefined;
  const found = /^(?:\/\/[^\n\r]*|\/\*[^]*?\*\/|#[^\n\r]*|<!--[^]*?-->|--[^\n\r]*)/.exec(
    text.slice(at, at + MAX_LINE_LENGTH),
  );
  return found === null ? undefined : mistake("comment", text, at, at + found[0].length, { write: "" });
};

const signs: MistakeRule = ({ text, at, expected, open, mark }) => {
  const sign = text[at] ?? "";
  if (sign === "," && (expected === "value" || expected === "name") && /[,{[]/.test(text[mark] ?? ""))
    return mistake("comma-too-many", text, at, at + 1, { write: "" });
  const opened = open.at(-1) ?? 0;
  if (sign === ":" && expected === "comma" && text[opened] === "[" && text[mark] !== "[")
    return mistake("bracket-missing", text, mark, mark, { write: "]", lines: [lineAt(text, opened)] });
  if (sign === "{" && expected === "name" && text[mark] !== "{")
    return mistake("bracket-missing", text, mark, mark, { write: "}", lines: [lineAt(text, opened)] });
  return undefined;
};

/** The text that may follow a value on its line. */
const ENDS_VALUE = /^[ \t]*(?:,[ \t]*(?:$|"[^"]*"[ \t]*:|[[{])|[}\]][ \t}\],]*$|$)/;

const ENDS_ITEM = /^[ \t]*(?:[,\]]|$)/;

/** A text or name in quotation marks other than straight double ones. */
const otherQuotes: MistakeRule = ({ text, at, expected }) => {
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

const unclosedText: MistakeRule = ({ text, at, expected, last }) => {
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
const quoteBeforeComma: MistakeRule = ({ text, at, expected, mark, open }) => {
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
const afterText: MistakeRule = ({ text, at, expected, last, open }) => {
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

const NAME = /^"[^"\n]*"\s*:/;

/** Wrong brackets, commas before them, and a text after the page. */
const brackets: MistakeRule = ({ text, at, expected, open, last, mark }) => {
  const sign = text[at] ?? "";
  const opened = open.at(-1);
  const isCloser = sign === "}" || sign === "]";
  if (expected === "end") {
    if (text.trimStart()[0] !== "{") return undefined;
    const found = wordAt(text, at);
    return /^,\s*$/.test(text.slice(at, at + 200))
      ? mistake("comma-too-many", text, at, at + 1, { write: "" })
      : mistake("bracket-too-many", text, at, at + found.length, { found });
  }
  if (!isCloser || opened === undefined) return undefined;
  const own = CLOSERS[text[opened] ?? ""] ?? "";
  if (text[mark] === "," && (expected === "name" || expected === "value"))
    return mistake("comma-too-many", text, mark, mark + 1, { write: "" });
  if (sign === own) return undefined;
  // If the text after this bracket fits the enclosing bracket, the inner bracket was not closed; otherwise this one is
  // wrong.
  const outer = open.at(-2);
  const after = text.slice(at + 1, at + 400).trimStart();
  const closesOuter = outer !== undefined && CLOSERS[text[outer] ?? ""] === sign;
  const isForgotten =
    closesOuter &&
    (/^[}\]\s]*$/.test(after)
      ? after.replace(/\s/g, "").length === open.length - 2
      : CLOSERS[text[open.at(-3) ?? -1] ?? ""] === after[0] ||
        (/^,\s*["{[]/.test(after) && text[open.at(-3) ?? -1] === "[") ||
        (NAME.test(after.replace(/^,\s*/, "")) && text[open.at(-3) ?? -1] === "{"));
  const end = last?.end ?? at;
  return isForgotten
    ? mistake("bracket-missing", text, end, end, { write: own, lines: [lineAt(text, opened)] })
    : undefined;
};

const commaMissing: MistakeRule = ({ text, at, expected, last, open }) => {
  if (expected !== "comma" || !/^(?:"(?!\s*[,}\]])|[\p{L}\p{N}{[$_+-])/u.test(text.slice(at, at + 80)))
    return undefined;
  const end = last?.end ?? at;
  const opened = open.at(-1) ?? 0;
  // A list has no names, so it should have ended before this one, with a comma after it.
  if (text[opened] === "[" && NAME.test(text.slice(at, at + 200)))
    return mistake("bracket-missing", text, end, end, { write: "],", lines: [lineAt(text, opened)] });
  return mistake("comma-missing", text, end, end, { found: wordAt(text, at), write: "," });
};

const number: MistakeRule = ({ text, at, expected }) => {
  const rest = restOfLine(text, at);
  if (expected !== "number" && !(expected === "value" && /^[+.]\d/.test(rest))) return undefined;
  const whole = /^[^,}\]\n]*?(?=\s*(?:[,}\]]|$))/.exec(rest)?.[0] ?? wordAt(text, at);
  const end = at + whole.length;
  // Digits in another form, such as 0x1f, 01848 and 1848., are no text.
  const isNumber = /^\+?[\d.]+$|^0x|^-$|"|^-?\.|^\d+e/i.test(whole);
  return isNumber ? undefined : mistake("without-quotes", text, at, end, { write: literal(whole) });
};

/** A text without quotation marks that begins with a number. */
const textAfterNumber: MistakeRule = ({ text, at, expected, last, open }) => {
  if (expected !== "comma" || last === undefined || !/\d/.test(text[last.end - 1] ?? "")) return undefined;
  const rest = restOfLine(text, last.start);
  const isInList = text[open.at(-1) ?? -1] === "[";
  if (
    at >= last.start + rest.length ||
    !/[^\s,:;|"{}[\]]/.test(text[at] ?? "") ||
    (isInList && /\d/.test(text[at] ?? ""))
  )
    return undefined;
  const whole = /^[^"{}[\]]*?(?=\s*(?:,\s*"|[}\]]|,?\s*$))/.exec(rest)?.[0];
  if (whole === undefined) return undefined;
  return mistake("without-quotes", text, last.start, last.start + whole.length, { write: literal(whole) });
};

/** Words for values that are no texts. */
const VALUES = /^(?:true|false|null|none|nil|undefined|nan|-?infinity|n\/a|\?|-|–|—|tbc|tbd)$/i;

const bareWord: MistakeRule = ({ text, at, expected }) => {
  if (expected !== "value" && expected !== "name") return undefined;
  const rest = restOfLine(text, at);
  const word =
    /^[\p{L}\p{N}_$.()[£€$–—?*&@%~/-](?:[^",:{}[\]]|:(?=[^\s"]))*/u.exec(rest)?.[0].trimEnd() ?? "";
  if (word === "") return undefined;
  if (expected === "name") {
    const name = /^[\p{L}\p{N}_$-]+/u.exec(rest)?.[0] ?? "";
    if (name === "") return undefined;
    if (!/^\s*[:=]/.test(rest.slice(name.length))) return undefined;
    return mistake("without-quotes", text, at, at + name.length, { write: `"${name}"` });
  }
  if (VALUES.test(word) || /^\.\d+$/.test(word) || /^"\s*(?:[,}\]]|$)/.test(rest.slice(word.length)))
    return undefined;
  // To the end of the line if the commas are more likely part of the text.
  const whole = /^[^"{}[\]]*?(?=\s*[}\]]*\s*,?\s*$)/.exec(rest)?.[0] ?? word;
  const isWhole = !/,\s*"/.test(rest);
  const chosen = isWhole && whole !== "" ? whole : word;
  return mistake("without-quotes", text, at, at + chosen.length, { write: literal(chosen) });
};

const somethingElse: MistakeRule = ({ text, at, expected, last }) => {
  const found = wordAt(text, at);
  // A missing colon belongs behind the name.
  const start = expected === "colon" && last !== undefined && !/[},\]]/.test(found) ? last.end : at;
  return mistake("character", text, start, Math.min(at + found.length, text.length), { found });
};

/** The likeliest mistakes come first: the first rule that matches is used. */
const RULES: readonly MistakeRule[] = [
  mergeConflict,
  wholeFile,
  atTheEnd,
  invisible,
  comment,
  otherQuotes,
  unclosedText,
  afterText,
  quoteBeforeComma,
  signs,
  brackets,
  number,
  textAfterNumber,
  bareWord,
  commaMissing,
];

export function mistakeAt(unexpected: Unexpected): LocatedMistake {
  for (const rule of RULES) {
    const found = rule(unexpected);
    if (found !== undefined) return found;
  }
  return somethingElse(unexpected) as LocatedMistake;
}
