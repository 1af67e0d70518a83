import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import fg from "fast-glob";
import { Failure } from "../base/failure.ts";
import { checkSiteConfig } from "../check/config.ts";
import type { Site } from "../model/site.ts";
import { contentPaths, linkPath } from "../model/tree.ts";
import { nameOfSlug } from "../source/address.ts";
import { limitsOf } from "../source/json/parse.ts";
import { readFolder } from "../source/find.ts";
import { SourceReader } from "../source/read.ts";
import { SITE } from "../source/site-files.ts";

/**
 * The path below the content folder that an editor named: from the current folder or the content folder, or absolute; an
 * absolute path that leads to nothing on this machine is an address of the website, such as `/visit/cafe/`. Empty for the
 * content folder.
 *
 * @throws Failure if it leads out of the content folder.
 */
function pathInContent(content: string, written: string): string {
  const root = resolve(content);
  const from = (base: string, path = written): string | undefined => {
    const whole = resolve(base, path);
    const inside = relative(root, whole);
    return inside === ".." || inside.startsWith(`..${sep}`) || resolve(root, inside) !== whole
      ? undefined
      : inside.split(sep).join("/");
  };
  const isAddress = written.startsWith("/") && !existsSync(dirname(resolve(written)));
  const inside =
    from(process.cwd()) ??
    from(root) ??
    (isAddress ? from(root, `./${fileOfAddress(content, written)}`) : undefined);
  if (inside === undefined) throw new Failure(`${written} is not in the content folder ${content}.`);
  return inside;
}

/** The site in a content folder; undefined if its `_site.json` is missing or has errors. */
export const siteIn = (content: string): Site | undefined =>
  existsSync(join(content, SITE))
    ? checkSiteConfig(new SourceReader().read(content, SITE).parsed()).site
    : undefined;

/** The path of the source with an address; a path that ends in `.json` is one already. */
function fileOfAddress(content: string, address: string): string {
  if (address.endsWith(".json")) return address.slice(1);
  const [path, site] = [linkPath(address), siteIn(content)];
  const found = site === undefined ? path.slice(1) : contentPaths(site)(path);
  const names = found.split("/").map(nameOfSlug).join("/");
  return address.endsWith("/") ? `${names}/` : names;
}

/** The folders and the name of a source that an editor named; the name is `index` for a page that can have subpages. */
export function partsOf(content: string, written: string): string[] {
  const parts = pathInContent(content, written).split("/");
  if (parts[0] === "") return ["index"];
  if (/[/\\]$/.test(written)) return [...parts, "index"];
  return [...parts.slice(0, -1), (parts.at(-1) ?? "").replace(/\.json$/, "")];
}

/**
 * The possible source files of a page that an editor named, including its draft. An ending such as `.json` or
 * `/index.json` leaves only one; a slash at the end stands for a section, or is that of an address.
 */
export function sourcesNamed(content: string, written: string): string[] {
  const parts = partsOf(content, written);
  const last = parts.pop() ?? "";
  const at = (...more: string[]): string => [...parts, ...more].join("/");
  if (last !== "index") return [at(`${last}.json`), at(last, "index.json"), at(`_${last}.json`)];
  const folder = at();
  return folder === "" || /index(?:\.json)?$/.test(written)
    ? [at("index.json")]
    : [at("index.json"), `${folder}.json`];
}

/**
 * The sources that an editor named, sorted, relative to the content folder; all sources if there are no names. A name is
 * a page, a file, a folder or a pattern such as `content/visit/*.json`.
 *
 * @throws Failure if a name matches no source, or leads out of the content folder.
 */
export function namedSources(content: string, names: readonly string[]): string[] {
  if (names.length === 0) return sourcesBelow(content, "").sort();
  const found = new Set<string>();
  for (const name of names) for (const file of named(content, name)) found.add(file);
  return [...found].sort();
}

function sourcesBelow(content: string, folder: string): string[] {
  const { files, folders } = readFolder(content, folder);
  const below = (name: string): string => (folder === "" ? name : `${folder}/${name}`);
  // A name that is not UTF-8 has been decoded with replacement characters, so it cannot be opened.
  const found = files.filter((name) => !name.includes("\ufffd")).map(below);
  return [...found, ...folders.flatMap((name) => sourcesBelow(content, below(name)))];
}

function named(content: string, name: string): string[] {
  const path = pathInContent(content, name);
  const stats = lstatSync(join(content, path), { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return sourcesBelow(content, inContent(content, join(content, path)));
  const file = [path, ...sourcesNamed(content, name)].find((one) => isSource(content, one));
  if (file !== undefined) return [inContent(content, join(content, file))];
  if (stats !== undefined) throw new Failure(`${name} is not a source: sources are files that end in .json`);
  const matches = fg
    .globSync(path, { onlyFiles: true, followSymbolicLinks: false, cwd: content })
    .filter((match) => match.endsWith(".json"));
  if (matches.length === 0) throw new Failure(`There is no source ${name}.`);
  return matches.map((match) => inContent(content, join(content, match)));
}

/** Whether there is a file with the name of a source. */
export function isSource(content: string, file: string): boolean {
  try {
    const stats = lstatSync(join(content, file), { throwIfNoEntry: false });
    return stats?.isFile() === true && file.endsWith(".json");
  } catch (cause) {
    // The “_” of a draft can make a name too long, and the name may be that of a file, not of a folder.
    if (["ENAMETOOLONG", "ENOTDIR"].includes((cause as NodeJS.ErrnoException).code ?? "")) return false;
    throw cause;
  }
}

/** @throws Failure if the path, with its links followed, leads out of the content folder. */
function inContent(content: string, path: string): string {
  const inside = relative(realpathSync(content), realpathSync(path));
  if (inside === ".." || inside.startsWith(`..${sep}`))
    throw new Failure(`${path} is not in the content folder ${content}.`);
  return inside.split(sep).join("/");
}

/** @throws Failure if a text is too large for the program to read it again. */
export function assertReadable(file: string, text: string | Buffer): void {
  const { bytes } = limitsOf(file);
  if (Buffer.byteLength(text) > bytes)
    throw new Failure(
      `${file} would be larger than ${bytes / 2 ** 20} MiB, which no command could read again.`,
    );
}

/** The first of these folders that is not a folder: a link could lead out of the content folder. */
export function obstacleIn(
  content: string,
  folders: readonly string[],
): { path: string; isLink: boolean } | undefined {
  for (const [i] of folders.entries()) {
    const path = folders.slice(0, i + 1).join("/");
    const stats = lstatSync(join(content, path), { throwIfNoEntry: false });
    if (stats?.isDirectory() !== true) return stats && { path, isLink: stats.isSymbolicLink() };
  }
  return undefined;
}
