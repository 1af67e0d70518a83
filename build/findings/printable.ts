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
