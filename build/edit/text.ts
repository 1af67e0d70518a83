/** Replaces the range from `start` to `end` by `text`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Applies edits. They must not overlap. */
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

export const lineEnding = (text: string): "\r\n" | "\n" => (text.includes("\r\n") ? "\r\n" : "\n");
