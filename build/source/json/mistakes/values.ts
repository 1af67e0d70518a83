import { literal, restOfLine, type MistakeRule, mistake, wordAt } from "./unexpected.ts";

export const number: MistakeRule = ({ text, at, expected }) => {
  const rest = restOfLine(text, at);
  if (expected !== "number" && !(expected === "value" && /^[+.]\d/.test(rest))) return undefined;
  const whole = /^[^,}\]\n]*?(?=\s*(?:[,}\]]|$))/.exec(rest)?.[0] ?? wordAt(text, at);
  const end = at + whole.length;
  // Digits in another form, such as 0x1f, 01848 and 1848., are no text.
  const isNumber = /^\+?[\d.]+$|^0x|^-$|"|^-?\.|^\d+e/i.test(whole);
  return isNumber ? undefined : mistake("without-quotes", text, at, end, { write: literal(whole) });
};

/** A text without quotation marks that begins with a number. */
export const textAfterNumber: MistakeRule = ({ text, at, expected, last, open }) => {
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

export const bareWord: MistakeRule = ({ text, at, expected }) => {
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
