import { literal, restOfLine, type MistakeRule, mistake, wordAt } from "./unexpected.ts";

export const number: MistakeRule = ({ text, at, expected }) => {
  const rest = restOfLine(text, at);
  if (expected !== "number" && !(expected === "value" && /^[+.]\d/.test(rest))) return undefined;
  const stop = /^\d+\.(?=\s*")/.exec(rest)?.[0].length;
  if (stop !== undefined)
    return mistake("semicolon", text, at + stop - 1, at + stop, { found: "a full stop", write: "," });
  const whole = /^[^,}\]\n]*?(?=\s*(?:[,}\]]|$))/.exec(rest)?.[0] ?? wordAt(text, at);
  const end = at + whole.length;
  const digits = /^\+?0*(\d*)(?:\.(\d*))?$/.exec(whole);
  if (digits !== null) {
    const fraction = digits[2] === undefined || digits[2] === "" ? "" : `.${digits[2]}`;
    return mistake("number", text, at, end, { write: `${digits[1] === "" ? "0" : digits[1]}${fraction}` });
  }
  if (/^0x|^-$|"|^-?\.|^\d+e/i.test(whole)) return mistake("number", text, at, at + wordAt(text, at).length);
  return mistake("number-for-text", text, at, end, { write: literal(whole) });
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
  return mistake("number-for-text", text, last.start, last.start + whole.length, { write: literal(whole) });
};

const CONSTANTS: Record<string, string> = {
  true: "true",
  false: "false",
  null: "null",
  none: "null",
  nil: "null",
};

export const bareWord: MistakeRule = ({ text, at, expected }) => {
  if (expected !== "value" && expected !== "name") return undefined;
  const rest = restOfLine(text, at);
  const word =
    /^[\p{L}\p{N}_$.()[£€$–—?*&@%~/-](?:[^",:{}[\]]|:(?=[^\s"]))*/u.exec(rest)?.[0].trimEnd() ?? "";
  if (word === "") return undefined;
  if (expected === "name") {
    const name = /^[\p{L}\p{N}_$-]+/u.exec(rest)?.[0] ?? "";
    if (name === "") return undefined;
    const after = rest.slice(name.length);
    if (/^"\s*:/.test(after))
      return mistake("opening-quote-missing", text, at, at, { found: name, write: '"' });
    if (!/^\s*[:=]/.test(after)) return undefined;
    return mistake("name-without-quotes", text, at, at + name.length, { write: `"${name}"` });
  }
  const constant = CONSTANTS[word.toLowerCase()];
  const end = at + word.length;
  if (constant !== undefined) return mistake("constant", text, at, end, { write: constant });
  if (/^(?:undefined|nan|-?infinity|n\/a|\?|-|–|—|tbc|tbd)$/i.test(word))
    return mistake("no-value", text, at, end);
  if (/^"\s*(?:[,}\]]|$)/.test(rest.slice(word.length)))
    return mistake("opening-quote-missing", text, at, at, { found: word, write: '"' });
  // To the end of the line if the commas are more likely part of the text.
  const whole = /^[^"{}[\]]*?(?=\s*[}\]]*\s*,?\s*$)/.exec(rest)?.[0] ?? word;
  const isWhole = !/,\s*"/.test(rest);
  const chosen = isWhole && whole !== "" ? whole : word;
  return mistake("text-without-quotes", text, at, at + chosen.length, { write: literal(chosen) });
};
