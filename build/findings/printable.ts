/**
 * Characters that are invisible, or change or hide the text around them: control characters (escape sequences begin
 * with one), format characters (bidirectional, zero-width, soft hyphens, tags), line and paragraph separators, lone
 * surrogates, and characters that a font may leave out (variation selectors, fillers). An emoji joined by such a
 * character is shown in parts, because a report must show the real content of a file.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const HIDDEN_IN_LINES = /[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Most texts are ASCII, which is searched many times faster. */
const withoutHidden = (text: string, hidden: RegExp, print: (character: string) => string): string =>
  /[^\n\t -~]/.test(text) ? text.replace(hidden, print) : text;

/** A command of GitHub's runner such as `##[group]`, anywhere in a line; some have a name between the signs. */
const BRACKET_COMMAND = /##(?=\w*\[)/g;
/** A command of the runner such as `::error::`, with only white space before it. */
const COLON_COMMAND = /^(\s*):(?=:)/gm;

const escaped = (text: string): string => `\\u{${(text.codePointAt(0) ?? 0).toString(16)}}`;

const withoutBracketCommands = (text: string): string => text.replace(BRACKET_COMMAND, `#${escaped("#")}`);
const withoutColonCommands = (text: string): string =>
  text.replace(COLON_COMMAND, (_, space: string) => space + escaped(":"));

/**
 * A text from outside (from a source, a host, a file name or an argument) made safe for one line: it cannot control the
 * terminal, run a command of the CI runner, end the line or be invisible. Different texts stay different.
 */
export const printable = (text: string): string =>
  withoutColonCommands(
    withoutBracketCommands(text.replaceAll("\\u{", `${escaped("\\")}u{`).replace(HIDDEN, escaped)),
  );

/** A name as a command-line argument that people can type. */
export const argument = (name: string): string => (/^[\w./-]+$/.test(name) ? name : `"${name}"`);

/**
 * The output of a command, with everything escaped that was not escaped before. Line breaks and tabs stay, because the
 * program prints them too. With `commands`, commands to the CI runner that begin with `::` stay as well.
 */
export function printableLines(text: string, { commands = false } = {}): string {
  const shown = withoutBracketCommands(withoutHidden(text, HIDDEN_IN_LINES, escaped));
  return commands ? shown : withoutColonCommands(shown);
}

/** A value as JSON that is safe to print and that parsers read as the same value. */
export const printableJson = (value: unknown, indent?: number): string =>
  withoutHidden(JSON.stringify(value, undefined, indent), HIDDEN_IN_LINES, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
    ).join(""),
  ).replace(BRACKET_COMMAND, String.raw`#\u0023`);

const NAMES: Record<number, string> = {
  0x00: "NUL",
  0x09: "tab",
  0x0b: "vertical tab",
  0x0c: "form feed",
  0x1a: "end-of-file mark",
  0x85: "next line",
  0xa0: "no-break space",
  0xad: "soft hyphen",
  0x200b: "zero-width space",
  0x200c: "zero-width non-joiner",
  0x200d: "zero-width joiner",
  0x200e: "left-to-right mark",
  0x200f: "right-to-left mark",
  0x2028: "line separator",
  0x2029: "paragraph separator",
  0x202f: "narrow no-break space",
  0x2060: "word joiner",
  0x3000: "ideographic space",
  0xfeff: "byte order mark",
};
export function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const name = NAMES[code] ?? (/\p{Zs}/u.test(character) ? "a wide or narrow space" : "a control character");
  return `${name} (${number})`;
}
