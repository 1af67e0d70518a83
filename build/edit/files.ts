import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import fg from "fast-glob";
import { Failure } from "../base/failure.ts";

/** @throws Failure if there is no such content folder. */
export function contentFolder(content: string): string {
  if (lstatSync(`${content}/`, { throwIfNoEntry: false })?.isDirectory() === true) return content;
  throw new Failure(`There is no content folder ${content}.`);
}

/**
 * The sources that an editor named, sorted, relative to the content folder; all sources if there are no names. A name is
 * a file, a folder or a pattern such as `content/visit/*.json`, relative to the current folder or the content folder.
 *
 * @throws Failure if a name matches no source, or leads out of the content folder.
 */
export function namedSources(content: string, names: readonly string[]): string[] {
  if (names.length === 0) return sourcesBelow(content, "").sort();
  const found = new Set<string>();
  for (const name of names) for (const file of named(content, name)) found.add(file);
  return [...found].sort();
}

const OPTIONS = { onlyFiles: true, followSymbolicLinks: false } as const;

const sourcesBelow = (content: string, folder: string): string[] =>
  fg
    .globSync("**/*.json", { ...OPTIONS, cwd: join(content, folder) })
    // A name that is not UTF-8 has been decoded with replacement characters, so it cannot be opened.
    .filter((file) => !file.includes("\ufffd"))
    .map((file) => (folder === "" ? file : `${folder}/${file}`));

function named(content: string, name: string): string[] {
  for (const from of [process.cwd(), content]) {
    const path = resolve(from, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) return sourcesBelow(content, inContent(content, path));
    if (stats?.isFile() === true && path.endsWith(".json")) return [inContent(content, path)];
    if (stats !== undefined)
      throw new Failure(`${name} is not a source: sources are files that end in .json`);
    const matches = fg.globSync(name, { ...OPTIONS, cwd: from }).filter((match) => match.endsWith(".json"));
    if (matches.length > 0) return matches.map((match) => inContent(content, resolve(from, match)));
  }
  throw new Failure(`There is no source ${name}.`);
}

/** @throws Failure if the path, with its links followed, leads out of the content folder. */
export function inContent(content: string, path: string): string {
  const inside = relative(realpathSync(content), realpathSync(path));
  if (inside === ".." || inside.startsWith(`..${sep}`))
    throw new Failure(`${path} is not in the content folder ${content}.`);
  return inside.split(sep).join("/");
}

/** Replaces a file atomically: a concurrent reader gets the old text or the new one. */
export function replaceFile(path: string, text: string): void {
  const staged = stagedPath(path);
  try {
    writeFileSync(staged, text, { flag: "wx" });
    chmodSync(staged, lstatSync(path).mode);
    renameSync(staged, path);
  } finally {
    rmSync(staged, { force: true });
  }
}

/** Creates a file atomically. @throws EEXIST if it exists already. */
export function createFile(path: string, text: string): void {
  const staged = stagedPath(path);
  try {
    writeFileSync(staged, text, { flag: "wx" });
    placeNew(staged, path);
  } finally {
    rmSync(staged, { force: true });
  }
}

/** Gives a staged file its path, atomically. @throws EEXIST if there is a file already. */
export function placeNew(staged: string, path: string): void {
  try {
    linkSync(staged, path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") throw cause;
    // Some file systems have no links, such as exFAT: there, an empty file reserves the path.
    closeSync(openSync(path, "wx"));
    try {
      renameSync(staged, path);
    } catch (refused) {
      rmSync(path);
      throw refused;
    }
  }
}

/** A dotfile, which no reader of sources opens. Its name does not extend the file's, which may be as long as allowed. */
const stagedPath = (path: string): string => join(dirname(path), `.${randomUUID()}`);
