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

export const signs: MistakeRule = ({ text, at, expected, open, mark }) => {
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
