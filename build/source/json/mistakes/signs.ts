import { nameOf } from "../../../findings/printable.ts";
import { lineAt, MAX_LINE_LENGTH, type MistakeRule, mistake } from "./unexpected.ts";

const IS_INVISIBLE = /[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}]/u;

export const invisible: MistakeRule = ({ text, at, expected }) => {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0x20);
  if (expected === "quote" || /[\n\r]/.test(character) || !IS_INVISIBLE.test(character)) return undefined;
  const write = /\p{Zs}/u.test(character) ? " " : "";
  return mistake("invisible", text, at, at + character.length, { found: nameOf(character), write });
};

export const comment: MistakeRule = ({ text, at, expected }) => {
  if (expected === "quote") return undefined;
  const found = /^(?:\/\/[^\n\r]*|\/\*[^]*?\*\/|#[^\n\r]*|<!--[^]*?-->|--[^\n\r]*)/.exec(
    text.slice(at, at + MAX_LINE_LENGTH),
  );
  return found === null ? undefined : mistake("comment", text, at, at + found[0].length, { write: "" });
};

const COMMAS: Record<string, string> = {
  ";": "a semicolon",
  "，": "a full-width comma",
  "、": "an ideographic comma",
  "؛": "an Arabic semicolon",
  "،": "an Arabic comma",
  ".": "a full stop",
  "|": "a bar",
};
/** A wrong character between values, or between a name and its value. */
export const signs: MistakeRule = ({ text, at, expected, last, open, mark }) => {
  const sign = text[at] ?? "";
  const after = text.slice(at + 1, at + 200).trimStart();
  if ((expected === "comma" || expected === "end") && COMMAS[sign] !== undefined) {
    const isLast = expected === "end" || /^[}\],]|^$/.test(after);
    const found = COMMAS[sign];
    return isLast
      ? mistake("semicolon-at-end", text, at, at + 1, { found, write: "" })
      : mistake("semicolon", text, at, at + 1, { found, write: "," });
  }
  if (expected === "colon") {
    const end = last?.end ?? at;
    if (!/[},\]]/.test(sign) && sign !== "") return mistake("colon-missing", text, end, end, { write: ":" });
    return mistake("value-missing", text, at, Math.min(at + 1, text.length), { found: sign });
  }
  if (sign === "," && (expected === "value" || expected === "name")) {
    if (expected === "value" && text[open.at(-1) ?? -1] === "{")
      return mistake("value-missing", text, at, at + 1);
    if (/[,{[]/.test(text[mark] ?? "")) return mistake("comma-twice", text, at, at + 1, { write: "" });
  }
  const opened = open.at(-1) ?? 0;
  if (sign === ":" && expected === "comma" && text[opened] === "[" && text[mark] !== "[")
    return mistake("bracket-missing", text, mark, mark, { write: "]", lines: [lineAt(text, opened)] });
  if (sign === "{" && expected === "name" && text[mark] !== "{")
    return mistake("bracket-missing", text, mark, mark, { write: "}", lines: [lineAt(text, opened)] });
  return undefined;
};
