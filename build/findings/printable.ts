/**
 * What nobody sees, or what turns or hides the text around it: controls (escape sequences begin with one), formats
 * (bidi, zero-width, soft hyphens, tags), line and paragraph separators, halves of surrogate pairs, and what a font may
 * leave out (variation selectors, fillers). Emoji that are joined by such a character are shown in parts: a report is
 * there to show what is in a file.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const HIDDEN_IN_LINES = /[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** `##[group]`, which GitHub's runner takes for a command wherever it stands in a line; others have names in between. */
const BRACKET_COMMAND = /##(?=\w*\[)/g;
/** `::error::`, which it takes for one where nothing but white space stands before it. */
const COLON_COMMAND = /^(\s*):(?=:)/gm;

const escaped = (text: string): string => `\\u{${(text.codePointAt(0) ?? 0).toString(16)}}`;

const withoutBracketCommands = (text: string): string => text.replace(BRACKET_COMMAND, `#${escaped("#")}`);
const withoutColonCommands = (text: string): string =>
  text.replace(COLON_COMMAND, (_, space: string) => space + escaped(":"));

/**
 * A text of others (a source's, a host's, a file's name, an argument) for a place on one line: nothing in it steers a
 * terminal, commands a runner, ends the line or stays unseen. No two texts come out as the same.
 */
export const printable = (text: string): string =>
  withoutColonCommands(
    withoutBracketCommands(text.replaceAll("\\u{", `${escaped("\\")}u{`).replace(HIDDEN, escaped)),
  );

/** A name as an argument of a command, for people to type. */
export const argument = (name: string): string => (/^[\w./-]+$/.test(name) ? name : `"${name}"`);

/**
 * What a command prints, on its way out: whatever reached it unescaped, but for line breaks and tabs, which are also
 * our own. `commands` are those of a reporter that speaks to the runner.
 */
export function printableLines(text: string, { commands = false } = {}): string {
  const shown = withoutBracketCommands(text.replace(HIDDEN_IN_LINES, escaped));
  return commands ? shown : withoutColonCommands(shown);
}

/** A value as JSON that is as safe to print, and means the very same to a parser. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent)
    .replace(HIDDEN_IN_LINES, (character) =>
      Array.from(
        { length: character.length },
        (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
      ).join(""),
    )
    .replace(BRACKET_COMMAND, String.raw`#\u0023`);

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
/** An invisible character by its name and number. */
export function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const name = NAMES[code] ?? (/\p{Zs}/u.test(character) ? "a wide or narrow space" : "a control character");
  return `${name} (${number})`;
}
