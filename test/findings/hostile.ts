/** Misleading characters, except line breaks and tabs. Repeats the program's definition on purpose. */
export const HIDDEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- The pattern lists these characters.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Surrogate}/u;

/** Whether the CI runner of GitHub or Azure takes a line for a command: `::` after white space, or `##[` anywhere. */
export const isCommand = (line: string): boolean => line.trimStart().startsWith("::") || /##\w*\[/.test(line);

/** One character of each kind; all are allowed in file names. */
export const HOSTILE = "a\u001b[2J\u009b31m\u202e\u2066\u200b\u00ad\u{e0041}\ufe0f\u2028\u007f##[error]z";

/** The same, with a second line that imitates a program's own output. */
export const HOSTILE_LINES = `${HOSTILE}\ninjected\r\n  ::error::injected`;
