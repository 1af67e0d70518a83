import type { ValueMistake } from "../findings/finding.ts";
import { nameOf } from "../findings/printable.ts";

/** A probable mistake in a plain text, with its range in the text. */
export type TextProblem = { start: number; end: number } & ValueMistake<
  "space-around" | "markup-in-text" | "invisible-in-title"
>;

/** Without line breaks: texts from other systems often end in them, and no reader sees them. */
const AROUND = /^[ \t\u00a0]+|[ \t\u00a0]+$/;

const MARKUP: [pattern: RegExp, kind: string][] = [
  [/<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/i, "an HTML tag"],
  [/&(?:[a-z][a-z0-9]{1,7}|#\d{2,6}|#x[0-9a-f]{2,6});/i, "an HTML entity"],
  [/\*\*[^\s*][^*]*\*\*|\[[^\][]+\]\((?:https?:|\/)[^()\s]*\)/, "Markdown"],
];

/**
 * Control characters, and characters that are invisible or change the direction of text. Joiners are allowed
 * because words and emoji contain them.
 */
const INVISIBLE = /(?!\u200c|\u200d|[\n\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

export function textProblem(text: string, isTitle: boolean): TextProblem | undefined {
  const around = AROUND.exec(text);
  if (around !== null)
    return {
      code: "space-around",
      args: { right: text.replace(/^[ \t\u00a0]+|[ \t\u00a0]+$/g, "") },
      ...spanOf(around),
    };
  for (const [pattern, kind] of MARKUP) {
    const found = pattern.exec(text);
    if (found !== null) return { code: "markup-in-text", args: { found: found[0], kind }, ...spanOf(found) };
  }
  const unseen = isTitle ? INVISIBLE.exec(text) : null;
  return unseen === null
    ? undefined
    : { code: "invisible-in-title", args: { name: nameOf(unseen[0]) }, ...spanOf(unseen) };
}

const spanOf = ({ index, 0: { length } }: RegExpExecArray): { start: number; end: number } => ({
  start: index,
  end: index + length,
});
