import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { lineChanges } from "./lines.ts";

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

/** Writes a file of a site, unless it was changed by hand. */
export function updateFile(site: string, path: string, text: string): UpdatedFile {
  const file = join(site, path);
  const line = firstLine(path, text);
  const ended = (state: UpdatedFile["state"], changes: string[] = []): UpdatedFile => {
    if (state === "written" || state === "updated") {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, line + text);
    }
    return { path, state, changes, firstLine: line };
  };
  if (!existsSync(file)) return ended("written");
  const found = readFileSync(file, "utf8").replaceAll("\r\n", "\n");
  const [first = "", recorded] = FIRST_LINE.exec(found) ?? [];
  const own = found.slice(first.length);
  // This version writes what the version before has written, or a person has written the same.
  if (recorded === digestOf(text) || own === text) return ended("unchanged");
  const changes = lineChanges(own, text);
  return ended(recorded === digestOf(own) ? "updated" : "changed by hand", changes);
}
