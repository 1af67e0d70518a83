import type { Args } from "../findings/catalogue/index.ts";
import { nameOf } from "../findings/printable.ts";

/** What the parser met, where it could not go on. */
export interface Unexpected {
  text: string;
  at: number;
  expected: "page" | "name" | "colon" | "value" | "comma" | "quote" | "number" | "end";
  /** The offsets of the brackets that are open. */
  open: readonly number[];
  /** The literal read last, with the marks around it, where nothing but white space stands between it and `at`. */
  last?: { start: number; end: number } | undefined;
  /** The comma, colon or bracket passed last. */
  mark: number;
}

/** A mistake, and what is marked as it. */
export interface Told extends Args<"json-syntax"> {
  start: number;
  end: number;
}

type Kind = Told["mistake"];
type Rule = (u: Unexpected) => Told | undefined;

const told = (
  mistake: Kind,
  text: string,
  start: number,
  end: number,
  facts: Partial<Omit<Told, "mistake">> = {},
): Told => ({ mistake, found: text.slice(start, end), ...facts, start, end });

const CLOSERS: Record<string, string> = { "{": "}", "[": "]" };

/** What closes all brackets that are open. */
const closers = ({ text, open }: Unexpected): string =>
  open
    .map((at) => CLOSERS[text[at] ?? ""] ?? "")
    .reverse()
    .join("");

const restOfLine = (text: string, at: number): string => {
  const end = text.indexOf("\n", at);
  return text.slice(at, Math.min(end === -1 ? text.length : end, at + MOST_OF_LINE)).replace(/\r$/, "");
};

/** So much of a line is looked at. */
const MOST_OF_LINE = 10_000;

const lineAt = (text: string, at: number): number => {
  let line = 1;
  for (let next = text.indexOf("\n"); next !== -1 && next < at; next = text.indexOf("\n", next + 1)) line++;
  return line;
};

/** A literal of a text that is written as it stands in a file, with what cannot stand in one escaped. */
const literal = (written: string): string =>
  `"${written.replace(/\\.|"/gs, (found) => (found === '"' ? String.raw`\"` : found))}"`;

const WORD = /[\p{L}\p{N}_$.+'’-]+/uy;
const wordAt = (text: string, at: number): string => {
  WORD.lastIndex = at;
  return WORD.exec(text)?.[0] ?? String.fromCodePoint(text.codePointAt(at) ?? 0x20);
};

/** What may follow a value on its line. */
const ENDS_VALUE = /^[ \t]*(?:,[ \t]*(?:$|"[^"]*"[ \t]*:|[[{])|[}\]][ \t}\],]*$|$)/;

const OPENING = "“„”«»″‟〝";
const QUOTES = `[${OPENING}]`;
const isTypographic = (character: string | undefined): boolean =>
  character !== undefined && OPENING.includes(character);

const IS_INVISIBLE = /[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}]/u;

const MARKER = /^(?:<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|$)/gm;

/** Of a merge that was solved but for one of its lines. */
function markerLeft(text: string): Told | undefined {
  const left = /^(?:>{7}(?: .*)?|={7})$/m.exec(text.replace(/\r$/gm, " "));
  return left === null
    ? undefined
    : told("marker-left", text, left.index, left.index + left[0].trimEnd().length, { write: "" });
}

const mergeConflict: Rule = ({ text }) => {
  const first = /^<{7}(?=[ \r\n]|$).*/m.exec(text);
  if (first === null) return markerLeft(text);
  const lines: number[] = [];
  for (const { index } of text.matchAll(MARKER)) if (lines.push(lineAt(text, index)) === 12) break;
  return told("merge-conflict", text, first.index, first.index + first[0].length, { lines });
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

/** What is no object from its first character on. */
const wholeFile: Rule = ({ text, at, expected, open }) => {
  const begin = text.search(/\S/);
  if (begin === -1) return told("empty", text, at, at);
  const start = text.slice(begin, begin + 200);
  const kind = KINDS.find(([begins]) => begins.test(start));
  const line = begin + restOfLine(start, 0).length;
  if (kind !== undefined) return told("other-kind", text, begin, line, { found: kind[1] });
  if (open.length > 0 || (expected !== "page" && expected !== "end" && expected !== "number"))
    return undefined;
  if (/^---\s/.test(start)) return told("front-matter", text, begin, begin + 3);
  if (start.startsWith("```")) return told("fence", text, begin, line);
  const code = /^(?:export default|module\.exports\s*=|(?:const|let|var)\s+\w+\s*=|\w+\s*=(?=\s*\{))/.exec(
    start,
  );
  if (code !== null) return told("code", text, begin, begin + code[0].length);
  const before = /^(?!["{[])[^{]*?(?=\s*\{\s*")/.exec(text.slice(begin, begin + 1000))?.[0];
  if (
    expected === "page" &&
    before !== undefined &&
    !/^(?:\/[/*]|#|<!--)/.test(before) &&
    !IS_INVISIBLE.test(before[0] ?? " ")
  )
    return told("text-before", text, begin, begin + before.length);
  if (expected === "end" && /^"[^"\n]*"\s*:/.test(start)) return told("no-braces", text, begin, begin + 1);
  return undefined;
};

/** The bracket that the lines' indentation says was forgotten: a field stands no deeper than the line that opens its object. */
function unclosedByLines(text: string): Told | undefined {
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
      return told("bracket-missing", text, end, end, { write, lines: [lineAt(text, inner.at)] });
    }
    if (CLOSERS[token] !== undefined) open.push({ at: index, indent });
    else if (token === "}" || token === "]") open.pop();
    if (token !== ",") end = index + token.length;
    isFirst = false;
  }
  return undefined;
}

/** The beginnings of lines, texts, brackets, commas, and all between them. */
const TOKENS = /\n[ \t]*|"(?:[^"\\\n]|\\.)*"|[{}[\],]|[^\s"{}[\],]+/g;

const atTheEnd: Rule = (u) => {
  const { text, at, expected, open, last } = u;
  if (at < text.length || open.length === 0) return undefined;
  const forgotten = expected === "comma" ? unclosedByLines(text) : undefined;
  if (forgotten !== undefined) return forgotten;
  if (expected === "quote") return told("cut-in-text", text, at, at, { write: `"${closers(u)}` });
  const end = expected === "comma" ? (last?.end ?? at) : at;
  const write = expected === "comma" ? closers(u) : undefined;
  return told("cut-off", text, end, end, { write });
};

const invisible: Rule = ({ text, at, expected }) => {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0x20);
  if (expected === "quote" || /[\n\r]/.test(character) || !IS_INVISIBLE.test(character)) return undefined;
  const write = /\p{Zs}/u.test(character) ? " " : "";
  return told("invisible", text, at, at + character.length, { found: nameOf(character), write });
};

const comment: Rule = ({ text, at, expected }) => {
  if (expected === "quote") return undefined;
  const found = /^(?:\/\/[^\n\r]*|\/\*[^]*?\*\/|#[^\n\r]*|<!--[^]*?-->|--[^\n\r]*)/.exec(
    text.slice(at, at + MOST_OF_LINE),
  );
  return found === null ? undefined : told("comment", text, at, at + found[0].length, { write: "" });
};

/** A text or name in other quotation marks than straight double ones. */
const otherQuotes: Rule = ({ text, at, expected }) => {
  const mark = text[at] ?? "";
  if (expected === "quote" || expected === "end") return undefined;
  const rest = restOfLine(text, at);
  if (isTypographic(mark) || mark === "‘" || mark === "’" || mark === "‚") {
    const found =
      /^(.)(.*?)[“”«»″‟’](?=\s*(?:[,:}\]]|$))/.exec(rest) ?? /^(.)([^"“”„«»″‘’]*)["“”«»″‘’]/.exec(rest);
    const end = at + (found?.[0].length ?? 1);
    return told("typographic-quote", text, at, end, {
      write: found === null ? undefined : literal(found[2] ?? ""),
    });
  }
  if (mark !== "'" && mark !== "`") return undefined;
  // An apostrophe inside is not followed by what ends a value.
  for (let end = 1; (end = rest.indexOf(mark, end)) !== -1; end++) {
    if (!/^\s*(?:[,:}\]]|$)/.test(rest.slice(end + 1))) continue;
    const write = literal(rest.slice(1, end).replaceAll(String.raw`\'`, "'"));
    return told("single-quote", text, at, at + end + 1, { found: mark, write });
  }
  const closed = /^.[^"]*"\s*(?:[,:}\]]|$)/.test(rest);
  return told("single-quote", text, at, at + 1, { found: mark, write: closed ? '"' : undefined });
};

/** A text that is not closed on its line. */
const unclosedText: Rule = ({ text, at, expected, last }) => {
  if (expected !== "quote" || last === undefined) return undefined;
  const line = text.slice(last.start, at);
  const close = new RegExp(`(${QUOTES}|’’|'')[ \\t]*,?[ \\t]*[}\\]]*,?[ \\t]*$`).exec(line);
  if (close !== null) {
    const start = last.start + close.index;
    return told("typographic-close", text, start, start + (close[1]?.length ?? 1), { write: '"' });
  }
  const name = /^"(\w+)(?=[ \t]*:[ \t]*\S)/.exec(line);
  const next = text.slice(at).trimStart().slice(0, 200);
  const isName = name !== null && /[{[]\s*$/.test(line);
  if (name !== null && (isName || /:[ \t]*(?:\d[\d.]*|true|false|null),?[ \t]*$/.test(line))) {
    const end = last.start + name[0].length;
    return told("name-quote-missing", text, end, end, { found: name[1] ?? "", write: '"' });
  }
  if (!/^(?:"\w[^"\n]*"\s*:|[}\]]|$)/.test(next)) {
    const rest = text.slice(last.start + 1, last.start + MOST_OF_LINE);
    const whole = /^(?:[^"\\\n]|\\.|"(?!\s*(?:[,}\]:]|$))|\n(?!\s*"))*?(?="\s*(?:,|[}\]]|$))/.exec(rest);
    if (whole !== null) {
      const write = literal(whole[0].replace(/[ \t]*(?:\r?\n[ \t]*)+/g, " "));
      return told("line-break-in-text", text, last.start, last.start + 2 + whole[0].length, { write });
    }
  }
  const after = /[ \t]*(?:[}\]]*,?|,)[ \t]*$/.exec(line);
  const end = last.start + Math.max(1, after?.index ?? line.length);
  return told("quote-missing", text, end, end, { write: '"' });
};

/** What comes after a text that a quotation mark inside it has ended. */
const afterText: Rule = ({ text, at, expected, last, open }) => {
  if (last === undefined || text[last.start] !== '"' || (expected !== "comma" && expected !== "colon"))
    return undefined;
  const written = text.slice(last.start + 1, last.end - 1);
  if (text.slice(last.end, at).includes("\n")) return undefined;
  const swallowed = new RegExp(`^[^"]*?(${QUOTES})[ \\t]*[,:][ \\t]*$`).exec(written);
  if (swallowed !== null) {
    const start = last.start + 1 + written.lastIndexOf(swallowed[1] ?? "");
    return told("typographic-close", text, start, start + 1, { write: '"' });
  }
  const name = /^(\w+)[ \t]*:[ \t]*$/.exec(written);
  if (name !== null) {
    const end = last.start + 1 + (name[1]?.length ?? 0);
    return told("name-quote-missing", text, end, end, { found: name[1] ?? "", write: '"' });
  }
  if (/^[,:=;}\]{[]/.test(text.slice(at, at + 1)) || expected === "colon") return undefined;
  const rest = restOfLine(text, last.end);
  if (/^"[ \t]*(?:[,}\]]|$)/.test(rest) && !/\d$/.test(written))
    return told("quote-too-many", text, last.end, last.end + 1, { write: "" });
  const comma = /,[ \t]*$/.exec(written);
  if (comma !== null && /^[\w/.-][^"]*"\s*[:,\]}]/.test(rest)) {
    const end = last.start + 1 + comma.index;
    return told("quote-missing", text, end, end, { write: '"' });
  }
  if (/^[ \t]+"[^"]*"[ \t]*[,\]]/.test(rest)) return undefined;
  // A name after it, and not more of the text: a comma is missing.
  if (/^[ \t]*"\w[^"]*"[ \t]*:/.test(rest)) return undefined;
  const ends = text[open.at(-1) ?? -1] === "[" ? /^[ \t]*(?:[,\]]|$)/ : ENDS_VALUE;
  for (let quote = rest.indexOf('"'); quote !== -1; quote = rest.indexOf('"', quote + 1)) {
    if (rest[quote - 1] === "\\" || !ends.test(rest.slice(quote + 1))) continue;
    const end = last.end + quote + 1;
    const inner = text.slice(last.start + 1, end - 1);
    return told("quote-in-text", text, last.start, end, { write: literal(inner) });
  }
  return undefined;
};

const BETWEEN = String.raw`[ ,.'’_\u00a0\u202f\u2009]`;
const GROUPED = new RegExp(
  String.raw`^-?[1-9]\d{0,2}(?:(${BETWEEN})\d{3})(?:\1\d{3})*(?![\w.,'’_](?=\d))(?!\d)`,
);

/** A number with something between its thousands, or a comma before its decimals. */
const groupedNumber: Rule = ({ text, at, expected, open, mark }) => {
  if (expected === "value" || expected === "page" || expected === "quote" || expected === "end")
    return undefined;
  if (text[open.at(-1) ?? -1] === "[") return undefined;
  const before = text.slice(
    Math.max(0, Math.min(at, mark) - 40),
    expected === "number" ? at : Math.max(mark, at),
  );
  const start =
    expected === "number"
      ? at
      : Math.max(0, Math.min(at, mark) - 40) + before.search(/-?\d[\d.]*[\s,.'’_\u00a0\u202f\u2009]*$/);
  if (start < 0 || !/^[-\d]/.test(text.slice(start, start + 1))) return undefined;
  const rest = restOfLine(text, start);
  const name = /"(\w+)"\s*:\s*$/.exec(text.slice(Math.max(0, start - 60), start))?.[1] ?? "";
  const decimal = /^(-?\d+),(\d+)(?=\s*(?:[,}\]]|$))/.exec(rest);
  if (decimal !== null && (decimal[2]?.length !== 3 || decimal[1] === "0" || name.includes("ratio")))
    return told("decimal-comma", text, start, start + decimal[0].length, {
      write: `${decimal[1]}.${decimal[2]}`,
    });
  const grouped = GROUPED.exec(rest);
  if (grouped === null) return undefined;
  const write = grouped[0].replace(/[^\d-]/g, "");
  return told("thousands", text, start, start + grouped[0].length, { write });
};

const number: Rule = ({ text, at, expected }) => {
  const rest = restOfLine(text, at);
  if (expected !== "number" && !(expected === "value" && /^[+.]\d/.test(rest))) return undefined;
  const stop = /^\d+\.(?=\s*")/.exec(rest)?.[0].length;
  if (stop !== undefined)
    return told("semicolon", text, at + stop - 1, at + stop, { found: "a full stop", write: "," });
  const whole = /^[^,}\]\n]*?(?=\s*(?:[,}\]]|$))/.exec(rest)?.[0] ?? wordAt(text, at);
  const end = at + whole.length;
  const digits = /^\+?0*(\d*)(?:\.(\d*))?$/.exec(whole);
  if (digits !== null) {
    const fraction = digits[2] === undefined || digits[2] === "" ? "" : `.${digits[2]}`;
    return told("number", text, at, end, { write: `${digits[1] === "" ? "0" : digits[1]}${fraction}` });
  }
  if (/^0x|^-$|"|^-?\.|^\d+e/i.test(whole)) return told("number", text, at, at + wordAt(text, at).length);
  return told("number-for-text", text, at, end, { write: literal(whole) });
};

/** A text without quotation marks that begins with a number. */
const textAfterNumber: Rule = ({ text, at, expected, last, open }) => {
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
  return told("number-for-text", text, last.start, last.start + whole.length, { write: literal(whole) });
};

const CONSTANTS: Record<string, string> = {
  true: "true",
  false: "false",
  null: "null",
  none: "null",
  nil: "null",
};

/** A word where a value or a name is to stand. */
const bareWord: Rule = ({ text, at, expected }) => {
  if (expected !== "value" && expected !== "name" && expected !== "page") return undefined;
  const rest = restOfLine(text, at);
  const word =
    /^[\p{L}\p{N}_$.()[£€$–—?*&@%~/-](?:[^",:{}[\]]|:(?=[^\s"]))*/u.exec(rest)?.[0].trimEnd() ?? "";
  if (word === "") return undefined;
  if (expected === "name") {
    const name = /^[\p{L}\p{N}_$-]+/u.exec(rest)?.[0] ?? "";
    if (name === "") return undefined;
    const after = rest.slice(name.length);
    if (/^"\s*:/.test(after)) return told("opening-quote-missing", text, at, at, { found: name, write: '"' });
    if (!/^\s*[:=]/.test(after)) return undefined;
    return told("name-without-quotes", text, at, at + name.length, { write: `"${name}"` });
  }
  const constant = CONSTANTS[word.toLowerCase()];
  const end = at + word.length;
  if (constant !== undefined) return told("constant", text, at, end, { write: constant });
  if (/^(?:undefined|nan|-?infinity|n\/a|\?|-|–|—|tbc|tbd)$/i.test(word))
    return told("no-value", text, at, end);
  if (/^"\s*(?:[,}\]]|$)/.test(rest.slice(word.length)))
    return told("opening-quote-missing", text, at, at, { found: word, write: '"' });
  // To the end of the line, where commas are more likely part of the text.
  const whole = /^[^"{}[\]]*?(?=\s*[}\]]*\s*,?\s*$)/.exec(rest)?.[0] ?? word;
  const isWhole = !/,\s*"/.test(rest);
  const chosen = isWhole && whole !== "" ? whole : word;
  return told("text-without-quotes", text, at, at + chosen.length, { write: literal(chosen) });
};

const COMMAS: Record<string, string> = {
  ";": "a semicolon",
  "，": "a full-width comma",
  "、": "an ideographic comma",
  "؛": "an Arabic semicolon",
  "،": "an Arabic comma",
  ".": "a full stop",
  "|": "a bar",
  ":": "a colon",
};
const COLONS: Record<string, string> = {
  "=": "an equals sign",
  "：": "a full-width colon",
  ";": "a semicolon",
  "-": "a dash",
  ",": "a comma",
  "∶": "a ratio sign",
};

/** A wrong sign between values, or between a name and its value. */
const signs: Rule = ({ text, at, expected, last, open, mark }) => {
  const sign = text[at] ?? "";
  const after = text.slice(at + 1, at + 200).trimStart();
  if ((expected === "comma" || expected === "end") && COMMAS[sign] !== undefined && sign !== ":") {
    const isLast = expected === "end" || /^[}\],]|^$/.test(after);
    const found = COMMAS[sign];
    return isLast
      ? told("semicolon-at-end", text, at, at + 1, { found, write: "" })
      : told("semicolon", text, at, at + 1, { found, write: "," });
  }
  if (expected === "colon") {
    const isName = /^\s*(?:["\d[{tfn-]|=>)/.test(text.slice(at + 1, at + 20));
    const arrow = /^(?:=>|->|:=)/.exec(text.slice(at, at + 2))?.[0] ?? sign;
    const opened = open.at(-1) ?? 0;
    const isFirst = last !== undefined && text.slice(opened + 1, last.start).trim() === "";
    if (
      isFirst &&
      open.length > 1 &&
      (sign === "}" ||
        (sign === "," &&
          /^"[^"\n]*"\s*[,}](?!\s*\])/.test(after) &&
          !/^"[^"\n]*"\s*,\s*"[^"\n]*"\s*:/.test(after)))
    )
      return told("brace-for-bracket", text, opened, opened + 1);
    if (COLONS[sign] !== undefined && (isName || sign === "="))
      return told("colon-sign", text, at, at + arrow.length, { found: COLONS[sign], write: ":" });
    const end = last?.end ?? at;
    if (/^["\d[{-]|^(?:true|false|null)\b/.test(text.slice(at, at + 6)))
      return told("colon-missing", text, end, end, { write: ":" });
    return told("value-missing", text, at, Math.min(at + 1, text.length), { found: sign });
  }
  if (sign === "," && (expected === "value" || expected === "name")) {
    if (expected === "value" && text[open.at(-1) ?? -1] === "{")
      return told("value-missing", text, at, at + 1);
    if (text[mark] === ",") return told("comma-twice", text, at, at + 1, { write: "" });
    if (text[mark] === "{" || text[mark] === "[")
      return told("comma-at-start", text, at, at + 1, { write: "" });
  }
  if (sign === ":" && expected === "value") return told("colon-twice", text, at, at + 1, { write: "" });
  if (sign === ":" && expected === "comma" && text[open.at(-1) ?? -1] === "[") {
    const opened = open.at(-1) ?? 0;
    return text[mark] === "["
      ? told("bracket-for-brace", text, opened, opened + 1)
      : told("bracket-missing", text, mark, mark, { write: "]", lines: [lineAt(text, opened)] });
  }
  if (sign === ":" && expected === "comma" && last !== undefined && text[last.start] === '"')
    return told("brace-missing", text, last.start, last.start, {
      found: text.slice(last.start, last.end),
      write: "{",
    });
  if (sign === "{" && expected === "name") {
    const opened = open.at(-1) ?? 0;
    if (text[mark] === "{" && open.length === 1)
      return told("brace-twice", text, opened, opened + 1, { write: "" });
    return text[mark] === "{"
      ? told("brace-for-bracket", text, opened, opened + 1)
      : told("bracket-missing", text, mark, mark, { write: "}", lines: [lineAt(text, opened)] });
  }
  if (/[()（）]/.test(sign) && expected !== "quote") {
    const write = /[)）]/.test(sign) ? (CLOSERS[text[open.at(-1) ?? -1] ?? "["] ?? "]") : "[";
    return told("round-bracket", text, at, at + 1, { write });
  }
  return undefined;
};

/** Brackets that do not fit, commas before them, and a second page. */
const brackets: Rule = ({ text, at, expected, open, last, mark }) => {
  const sign = text[at] ?? "";
  const opened = open.at(-1);
  const isCloser = sign === "}" || sign === "]";
  if (expected === "end") {
    const rest = text.slice(at, at + 200);
    if (isCloser) return told("bracket-too-many", text, at, at + 1, { write: "" });
    if (/^,?\s*\{/.test(rest)) return told("second-page", text, at, at + 1);
    if (/^,\s*$/.test(rest))
      return told("semicolon-at-end", text, at, at + 1, { found: "a comma", write: "" });
    return told("text-at-end", text, at, at + wordAt(text, at).length, { found: wordAt(text, at) });
  }
  if (!isCloser || opened === undefined) return undefined;
  const own = CLOSERS[text[opened] ?? ""] ?? "";
  if (text[mark] === "," && (expected === "name" || expected === "value")) {
    const start = mark;
    return told("comma-too-many", text, start, start + 1, { write: "" });
  }
  if (sign === own)
    return expected === "value" ? told("value-missing", text, at, at + 1, { found: sign }) : undefined;
  const lines = [lineAt(text, opened)];
  // Where what follows fits the bracket that is open around this one, its own closer was forgotten; else it is the wrong one.
  const outer = open.at(-2);
  const after = text.slice(at + 1, at + 400).trimStart();
  const closesOuter = outer !== undefined && CLOSERS[text[outer] ?? ""] === sign;
  const isForgotten =
    closesOuter &&
    (/^[}\]\s]*$/.test(after)
      ? after.replace(/\s/g, "").length === open.length - 2
      : CLOSERS[text[open.at(-3) ?? -1] ?? ""] === after[0] ||
        (/^,\s*["{[]/.test(after) && text[open.at(-3) ?? -1] === "["));
  const end = last?.end ?? at;
  return isForgotten
    ? told("bracket-missing", text, end, end, { write: own, lines })
    : told("wrong-bracket", text, at, at + 1, { write: own, lines });
};

const commaMissing: Rule = ({ text, at, expected, last }) => {
  if (expected !== "comma") return undefined;
  const end = last?.end ?? at;
  const found =
    text[at] === '"' ? (/^"[^"\n]*"?/.exec(text.slice(at, at + 80))?.[0] ?? '"') : wordAt(text, at);
  return told("comma-missing", text, end, end, { found, write: "," });
};

const somethingElse: Rule = ({ text, at, expected }) => {
  const found = wordAt(text, at);
  const end = Math.min(at + Math.max(1, found.length), text.length);
  return told(expected === "name" ? "name-expected" : "character", text, at, end, { found });
};

/** The likeliest first: the first that fits is told. */
const RULES: readonly Rule[] = [
  mergeConflict,
  wholeFile,
  atTheEnd,
  groupedNumber,
  invisible,
  comment,
  otherQuotes,
  unclosedText,
  afterText,
  signs,
  brackets,
  number,
  textAfterNumber,
  bareWord,
  commaMissing,
];

/** The mistake that is the likeliest, by what stands around the place where the parser could not go on. */
export function mistakeAt(unexpected: Unexpected): Told {
  for (const rule of RULES) {
    const found = rule(unexpected);
    if (found !== undefined) return found;
  }
  return somethingElse(unexpected) as Told;
}
