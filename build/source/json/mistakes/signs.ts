import { nameOf } from "../../../findings/printable.ts";
import { CLOSERS, lineAt, MAX_LINE_LENGTH, type MistakeRule, mistake } from "./unexpected.ts";

export const IS_INVISIBLE = /[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}]/u;

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
const COLONS: Record<string, string> = {
  "=": "an equals sign",
  "：": "a full-width colon",
  ";": "a semicolon",
  "-": "a dash",
  ",": "a comma",
  "∶": "a ratio sign",
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
      return mistake("brace-for-bracket", text, opened, opened + 1);
    if (COLONS[sign] !== undefined && (isName || sign === "="))
      return mistake("colon-sign", text, at, at + arrow.length, { found: COLONS[sign], write: ":" });
    const end = last?.end ?? at;
    if (/^["\d[{-]|^(?:true|false|null)\b/.test(text.slice(at, at + 6)))
      return mistake("colon-missing", text, end, end, { write: ":" });
    return mistake("value-missing", text, at, Math.min(at + 1, text.length), { found: sign });
  }
  if (sign === "," && (expected === "value" || expected === "name")) {
    if (expected === "value" && text[open.at(-1) ?? -1] === "{")
      return mistake("value-missing", text, at, at + 1);
    if (text[mark] === ",") return mistake("comma-twice", text, at, at + 1, { write: "" });
    if (text[mark] === "{" || text[mark] === "[")
      return mistake("comma-at-start", text, at, at + 1, { write: "" });
  }
  if (sign === ":" && expected === "value") return mistake("colon-twice", text, at, at + 1, { write: "" });
  if (sign === ":" && expected === "comma" && text[open.at(-1) ?? -1] === "[") {
    const opened = open.at(-1) ?? 0;
    return text[mark] === "["
      ? mistake("bracket-for-brace", text, opened, opened + 1)
      : mistake("bracket-missing", text, mark, mark, { write: "]", lines: [lineAt(text, opened)] });
  }
  if (sign === ":" && expected === "comma" && last !== undefined && text[last.start] === '"')
    return mistake("brace-missing", text, last.start, last.start, {
      found: text.slice(last.start, last.end),
      write: "{",
    });
  if (sign === "{" && expected === "name") {
    const opened = open.at(-1) ?? 0;
    if (text[mark] === "{" && open.length === 1)
      return mistake("brace-twice", text, opened, opened + 1, { write: "" });
    return text[mark] === "{"
      ? mistake("brace-for-bracket", text, opened, opened + 1)
      : mistake("bracket-missing", text, mark, mark, { write: "}", lines: [lineAt(text, opened)] });
  }
  if (/[()（）]/.test(sign) && expected !== "quote") {
    const write = /[)）]/.test(sign) ? (CLOSERS[text[open.at(-1) ?? -1] ?? "["] ?? "]") : "[";
    return mistake("round-bracket", text, at, at + 1, { write });
  }
  return undefined;
};
