/** Puts `text` in place of what stands from `start` to `end`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Applies edits that do not overlap; everything outside of them stays as it is. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let done = "";
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) throw new RangeError(`two edits overlap at ${edit.start}`);
    done += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return done + text.slice(at);
}

/** How the lines of a file end. */
export const lineEnding = (text: string): "\r\n" | "\n" => (text.includes("\r\n") ? "\r\n" : "\n");
