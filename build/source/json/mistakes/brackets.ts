import { CLOSERS, lineAt, type MistakeRule, mistake, wordAt } from "./unexpected.ts";

const NAME = /^"[^"\n]*"\s*:/;

/** Wrong brackets, commas before them, and a text after the page. */
export const brackets: MistakeRule = ({ text, at, expected, open, last, mark }) => {
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

export const commaMissing: MistakeRule = ({ text, at, expected, last, open }) => {
  if (expected !== "comma" || !/^(?:"(?!\s*[,}\]])|[\p{L}\p{N}{[$_+-])/u.test(text.slice(at, at + 80)))
    return undefined;
  const end = last?.end ?? at;
  const opened = open.at(-1) ?? 0;
  // A list has no names, so it should have ended before this one, with a comma after it.
  if (text[opened] === "[" && NAME.test(text.slice(at, at + 200)))
    return mistake("bracket-missing", text, end, end, { write: "],", lines: [lineAt(text, opened)] });
  return mistake("comma-missing", text, end, end, { found: wordAt(text, at), write: "," });
};
