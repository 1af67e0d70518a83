import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { removeEmpty } from "../base/paths.ts";
import { statIfThere } from "../base/stat.ts";
import { printable } from "../findings/printable.ts";
import { Locked, takeLock } from "../base/lock.ts";
import { schemaReference } from "../contract/location.ts";
import { formatJson } from "../json/format.ts";
import { MEDIA_FOLDER } from "../page/images.ts";
import { SITE } from "../page/files.ts";

/** The folder in which sources are staged: a dotfile, which builds ignore. */
const STAGING = ".importing";
/**
 * A file in the staging folder that exists while sources are moved into place. It lists their names: until the import
 * has ended, files with these names are its own.
 */
const PLACING = "placing";

/**
 * Writes sources into a folder that is empty or does not exist yet, either all of them or none: they are staged
 * inside the folder, and moved into place at the end.
 *
 * @throws Failure if the folder is not empty.
 */
export class SourceWriter {
  readonly folder: string;
  private readonly staged: string;
  private readonly sources: string;
  private readonly madeFolder: string | undefined;
  private readonly unlock: () => void;
  private readonly made = new Set<string>();
  /** Names that may have been moved into place. */
  private readonly placed: string[] = [];

  constructor(folder: string) {
    this.folder = resolve(folder);
    assertEmpty(folder, foundIn(this.folder));
    this.staged = join(this.folder, STAGING);
    this.sources = join(this.staged, "sources");
    this.madeFolder = mkdirSync(this.folder, { recursive: true });
    try {
      this.unlock = takeLock(join(this.staged, "lock"));
    } catch (cause) {
      if (!(cause instanceof Locked)) throw cause;
      throw new Failure(`${folder}: another import into this folder is running. Wait until it has ended.`);
    }
    try {
      this.clearLeftovers(folder);
    } catch (cause) {
      this.unlock();
      throw cause;
    }
    mkdirSync(this.sources);
  }

  /** Removes the files of a killed import. */
  private clearLeftovers(named: string): void {
    const left = foundIn(this.folder);
    // Another import may have ended since the first check.
    assertEmpty(named, left);
    for (const name of left.placed) rmSync(join(this.folder, name), { recursive: true, force: true });
    rmSync(join(this.staged, PLACING), { force: true });
    rmSync(this.sources, { recursive: true, force: true });
  }

  /** `path` is relative to the folder, with slashes. */
  write(path: string, source: object): void {
    this.writeText(path, formatJson(source));
  }

  /** Returns false if another image has the name, on a disk that does not distinguish upper and lower case. */
  writeImage(path: string, bytes: Uint8Array): boolean {
    try {
      this.writeText(`${MEDIA_FOLDER}/${path}`, bytes);
      return true;
    } catch (cause) {
      if (!["EEXIST", "ENOTDIR", "ENAMETOOLONG"].includes((cause as NodeJS.ErrnoException).code ?? ""))
        throw cause;
      return false;
    }
  }

  writeText(path: string, text: string | Uint8Array): void {
    const file = join(this.sources, path);
    const folder = dirname(file);
    if (!this.made.has(folder)) {
      mkdirSync(folder, { recursive: true });
      this.made.add(folder);
    }
    // Never overwrite: two sources with the same path are a mistake of the importer.
    writeFileSync(file, text, { flag: "wx" });
  }

  /** The `$schema` of a source at this path, for callers that write it. */
  schemaOf(path: string): string {
    return schemaReference(join(this.folder, path), path);
  }

  /** Moves all sources into place. */
  commit(): void {
    // `_site.json` is last: without it, no build takes the other sources for a whole site.
    const names = [...readdirSync(this.sources).filter((name) => name !== SITE), SITE];
    writeFileSync(join(this.staged, PLACING), JSON.stringify(names));
    for (const name of names) {
      this.placed.push(name);
      renameSync(join(this.sources, name), join(this.folder, name));
    }
    rmSync(this.sources, { recursive: true, force: true });
    this.unlock();
    rmSync(this.staged, { recursive: true, force: true });
  }

  /** Restores the folder to its state before the import. */
  abandon(): void {
    for (const name of this.placed) rmSync(join(this.folder, name), { recursive: true, force: true });
    this.unlock();
    rmSync(this.staged, { recursive: true, force: true });
    if (this.madeFolder !== undefined) removeEmpty(this.folder, this.madeFolder);
  }
}

interface FoundFiles {
  /** Names of third-party files. */
  others: string[];
  /** Names that a killed import moved into place, if they have not changed since. */
  placed: string[];
}

function foundIn(folder: string): FoundFiles {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return { others: [], placed: [] };
  const names = readdirSync(folder).filter((name) => name !== STAGING);
  const mark = join(folder, STAGING, PLACING);
  const since = names.length === 0 ? undefined : statIfThere(mark);
  if (since?.type !== "file") return { others: names, placed: [] };
  const own = new Set(placedIn(mark));
  const isPlaced = (name: string): boolean =>
    own.has(name) && !isChangedSince(join(folder, name), since.mtime);
  return { others: names.filter((name) => !isPlaced(name)), placed: names.filter(isPlaced) };
}

/** The listed names; none if the list is incomplete, because then no source was moved yet. */
function placedIn(mark: string): string[] {
  try {
    const names: unknown = JSON.parse(readFileSync(mark, "utf8"));
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

/** Whether a file, or any file below a folder, was written after a time. */
function isChangedSince(path: string, time: number): boolean {
  const stat = statIfThere(path);
  if (stat === undefined) return false;
  if (stat.type !== "folder") return stat.type !== "file" || stat.mtime > time;
  return readdirSync(path).some((name) => isChangedSince(join(path, name), time));
}

/** @throws Failure if the path is a file, or the folder contains anything other than the files of a killed import. */
export function assertEmpty(folder: string, { others }: FoundFiles = foundIn(folder)): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new Failure(`${folder}: this is a file; --content needs a folder.`);
  const [found] = others;
  if (found !== undefined)
    throw new Failure(
      `${folder}: the folder is not empty (it contains ${printable(found)}), and this command overwrites nothing. Name an empty or new folder.`,
    );
}
