import {
  CLOSERS,
  closers,
  lineAt,
  restOfLine,
  type MistakeRule,
  type LocatedMistake,
  mistake,
} from "./unexpected.ts";

const MARKER = /^(?:<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|$)/gm;

export const mergeConflict: MistakeRule = ({ text }) => {
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
export const wholeFile: MistakeRule = ({ text, at }) => {
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

export const atTheEnd: MistakeRule = (u) => {
  const { text, at, expected, open, last } = u;
  if (at < text.length || open.length === 0) return undefined;
  const forgotten = expected === "comma" ? unclosedByLines(text) : undefined;
  if (forgotten !== undefined) return forgotten;
  if (expected === "quote") return mistake("cut-off", text, at, at, { write: `"${closers(u)}` });
  const end = expected === "comma" ? (last?.end ?? at) : at;
  const write = expected === "comma" ? closers(u) : undefined;
  return mistake("cut-off", text, end, end, { write });
};
