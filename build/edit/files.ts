import { randomUUID } from "node:crypto";
import { chmodSync, linkSync, lstatSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import fg from "fast-glob";
import { Failure } from "../base/failure.ts";

/** @throws Failure where there is no such content folder. */
export function contentFolder(content: string): string {
  if (lstatSync(`${content}/`, { throwIfNoEntry: false })?.isDirectory() === true) return content;
  throw new Failure(`There is no content folder ${content}.`);
}

/**
 * The sources that an editor names: files, folders, or patterns such as `content/visit/*.json`, from the current
 * folder or from the content folder; all of them where nothing is named. Relative to the content folder, sorted.
 *
 * @throws Failure where a name leads to no source, or out of the content folder.
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
    // A name that is not UTF-8 leads to no file.
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

/** @throws Failure where the path leads out of the content folder, a link on the way followed. */
export function inContent(content: string, path: string): string {
  const inside = relative(realpathSync(content), realpathSync(path));
  if (inside === ".." || inside.startsWith(`..${sep}`))
    throw new Failure(`${path} is not in the content folder ${content}.`);
  return inside.split(sep).join("/");
}

/** Replaces a file whole: whoever reads it meanwhile reads the old text or the new. */
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

/** Writes a file that is not there yet, whole from its first moment. @throws EEXIST where it is there. */
export function createFile(path: string, text: string): void {
  const staged = stagedPath(path);
  try {
    writeFileSync(staged, text, { flag: "wx" });
    linkSync(staged, path);
  } finally {
    rmSync(staged, { force: true });
  }
}

/** A dotfile, which nothing that reads sources looks at; its name is short, as that of the file may be the longest possible. */
const stagedPath = (path: string): string => join(dirname(path), `.${randomUUID()}`);
