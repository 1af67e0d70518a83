import { ELEMENTS } from "./elements.ts";

/** Markup that readers would see as text, with its correction if that is clear. */
export interface VisibleMarkup {
  kind: string;
  found: string;
  write?: string;
  start: number;
  end: number;
}

type MarkupRow = [pattern: RegExp, kind: string, write?: (...groups: string[]) => string];

const escapedTags: MarkupRow[1] = "tags written as text";
const element =
  (name: string): ((text?: string) => string) =>
  (text = "") =>
    `<${name}>${text}</${name}>`;

/**
 * Emphasis between two signs. A sign beside a letter on its outside or a space on its inside does not count: it is a
 * footnote mark, a product of numbers, or part of a name with underscores.
 */
const emphasis = (sign: string): RegExp =>
  new RegExp(
    String.raw`(?<![\w${sign}/])${sign}(?![\s${sign}])([^${sign}\n]*[^\s${sign}])${sign}(?![\w${sign}])`,
    "g",
  );

const ROWS: readonly MarkupRow[] = [
  [
    /&lt;([a-z][a-z\d]*)(?:&gt;|>)([^]*?)&lt;\/\1(?:&gt;|>)/gi,
    escapedTags,
    (name = "", text) => element(name)(text),
  ],
  [/&(?:lt|#0*60|#x0*3c);\/?([a-z][a-z\d]*)(?:\s[^<>]*?)?\/?(?:&(?:gt|#0*62|#x0*3e);|>)/gi, escapedTags],
  [/&amp;([a-z]{2,8}|#\d{2,6}|#x[\da-f]{2,6});/gi, "a character encoded twice", (name = "") => `&${name};`],
  [
    /!?\[([^\][]+)\]\(((?:https?:|mailto:|\/)[^()\s]*)\)/gi,
    "Markdown",
    (text = "", href = "") => `<a href='${href}'>${text}</a>`,
  ],
  [/\*\*([^\s*](?:[^*]*[^\s*])?)\*\*/g, "Markdown", element("strong")],
  [/(?<![\w<])__([^\s_](?:[^_]*[^\s_])?)__(?!\w)/g, "Markdown", element("strong")],
  [emphasis(String.raw`\*`), "Markdown", element("em")],
  [emphasis("_"), "Markdown", element("em")],
  [/(?<=^\s*|\n\s*)#{1,6} \S.*/g, "Markdown"],
];

/** Signs of which every text with such markup contains at least one. */
const SIGNS = /[*_[#]|&(?:lt|amp|#)/i;

export function visibleMarkup(text: string): VisibleMarkup[] {
  const found: VisibleMarkup[] = [];
  if (!SIGNS.test(text)) return found;
  for (const [pattern, kind, write] of ROWS)
    for (const { 0: whole, index: start, ...groups } of text.matchAll(pattern)) {
      const end = start + whole.length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const name = groups[1]?.toLowerCase() ?? "";
      if (kind === escapedTags && !ELEMENTS.has(name)) continue;
      const right = whole.startsWith("!") ? undefined : write?.(groups[1] ?? "", groups[2] ?? "");
      found.push({ kind, found: whole, start, end, ...(right === undefined ? {} : { write: right }) });
    }
  return found;
}
