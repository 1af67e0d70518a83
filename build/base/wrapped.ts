/** Breaks a text at spaces; a word longer than a line is cut. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of paragraph.split(" ")) {
      if (line !== "" && line.length + 1 + word.length > width) {
        lines.push(line);
        line = "";
      }
      line = line === "" ? word : `${line} ${word}`;
      for (; line.length > width; line = line.slice(width)) lines.push(line.slice(0, width));
    }
    lines.push(line);
  }
  return lines;
}
