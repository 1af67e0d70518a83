import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/*
 * Files that `init` writes and later versions of the program update. The first line of such a file has a digest of the
 * text that `init` wrote, so that `init` recognizes a file that was changed by hand.
 */

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

const comment = (path: string): string => (path.endsWith(".jsonc") ? "//" : "#");

const FIRST_LINE = /^(?:#|\/\/) Written by page-api init, ([0-9a-f]{16})[^\n]*\n/;

const firstLine = (path: string, text: string): string =>
  `${comment(path)} Written by page-api init, ${digestOf(text)}. Keep this line: it shows whether the file was changed by hand.\n`;

export interface UpdatedFile {
  path: string;
  state: "written" | "updated" | "unchanged" | "changed by hand";
  /** The lines that this version would change. */
  changes: string[];
  /** The first line that records this version, for a person who has taken in its changes. */
  firstLine: string;
}

/**
 * Writes a file of a site, unless it was changed by hand.
 *
 * @param record the digests of written files by their paths, for files without such a first line. A later version's change of a
 *   file that was changed by hand is shown once.
 */
export function updateFile(
  site: string,
  path: string,
  text: string,
  record?: Record<string, string>,
): UpdatedFile {
  const file = join(site, path);
  const line = record === undefined ? firstLine(path, text) : "";
  const ended = (state: UpdatedFile["state"], changes: string[] = []): UpdatedFile => {
    if (state === "written" || state === "updated") {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, line + text);
    }
    return { path, state, changes, firstLine: line };
  };
  const before = record?.[path];
  if (record !== undefined) record[path] = digestOf(text);
  if (!existsSync(file)) return ended("written");
  const found = readFileSync(file, "utf8").replaceAll("\r\n", "\n");
  const [first = "", recorded] = before === undefined ? (FIRST_LINE.exec(found) ?? []) : ["", before];
  const own = found.slice(first.length);
  // This version writes what the version before has written, or a person has written the same.
  if (recorded === digestOf(text) || own === text) return ended("unchanged");
  const changes = lineChanges(own, text);
  return ended(recorded === digestOf(own) ? "updated" : "changed by hand", changes);
}

/** Lines before and after a change that are shown with it. */
const CONTEXT = 2;

/** The changed lines of a short text, each with “-” or “+” before it, and the lines around them. */
export function lineChanges(before: string, after: string): string[] {
  const [old, now] = [before, after].map((text) => text.replace(/\n$/, "").split("\n")) as [
    string[],
    string[],
  ];
  const common = commonLengths(old, now);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const isSame = i < old.length && j < now.length && old[i] === now[j];
    const isRemoved = i < old.length && (j >= now.length || common(i + 1, j) >= common(i, j + 1));
    if (isSame) lines.push(`  ${old[i]}`);
    else if (isRemoved) lines.push(`- ${old[i]}`);
    else lines.push(`+ ${now[j]}`);
    if (isSame || isRemoved) i++;
    if (isSame || !isRemoved) j++;
  }
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((line) => !line.startsWith(" "));
  return lines.flatMap((line, k) => (isNear(k) ? [line] : k > 0 && isNear(k - 1) ? ["  …"] : []));
}

/** The length of the longest common subsequence of the lines from `i` and from `j` on. */
function commonLengths(old: readonly string[], now: readonly string[]): (i: number, j: number) => number {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        old[i] === now[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  return (i, j) => lengths[i * width + j] ?? 0;
}
