import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure } from "../../base/failure.ts";
import { makeFolder, removeEmpty } from "../../base/paths.ts";
import { openStaging } from "../../base/lock.ts";
import { statIfThere } from "../../base/file.ts";
import { printable } from "../../findings/printable.ts";

/** Lists the names of files while they are moved into place: until the command ends, they are its own. */
const PLACING = "placing";
/** The folder of staged files, in the staging folder. */
const FILES = "files";

/**
 * Fills a folder that is empty or does not exist yet, with all files or none: they are staged inside the folder, and
 * moved into place at the end.
 *
 * @throws Failure if the folder is not empty.
 */
export class StagedFolder {
  readonly folder: string;
  private readonly staged: string;
  private readonly files: string;
  private readonly madeFolder: string | undefined;
  private readonly close: () => void;
  private readonly made = new Set<string>();
  /** Names that may have been moved into place. */
  private readonly placed: string[] = [];

  /**
   * @param staging the folder in which files are staged: a dotfile, which builds ignore.
   * @param work the work of the command, in the singular.
   * @param kept the names of files that may be in the folder.
   */
  constructor(folder: string, staging: string, work: string, kept: readonly string[] = []) {
    this.folder = resolve(folder);
    assertEmpty(folder, staging, kept);
    this.staged = join(this.folder, staging);
    this.files = join(this.staged, FILES);
    this.madeFolder = makeFolder(this.folder);
    this.close = openStaging(
      this.staged,
      (name) => name === FILES,
      () => new Failure(`${folder}: another ${work} into this folder is running. Wait until it has ended.`),
    );
    try {
      // Files of a killed command: another one may have ended since the first check.
      for (const name of assertEmpty(folder, staging, kept)) this.remove(name);
      rmSync(join(this.staged, PLACING), { force: true });
      mkdirSync(this.files);
    } catch (cause) {
      this.close();
      throw cause;
    }
  }

  /** @param path relative to the folder, with slashes. @param flag "w" replaces a file that is staged already. */
  writeFile(path: string, content: string | Uint8Array, flag: "wx" | "w" = "wx"): void {
    const file = join(this.files, path);
    const folder = dirname(file);
    if (!this.made.has(folder)) {
      mkdirSync(folder, { recursive: true });
      this.made.add(folder);
    }
    // By default, never overwrite: two files with the same path are a mistake of the command.
    writeFileSync(file, content, { flag });
  }

  /** Moves all files into place. @param last the name of the file without which the others are incomplete */
  commit(last?: string): void {
    this.place(last);
    this.end();
  }

  /** Moves all files into place, and leaves them the command's own until `end` or `abandon`. */
  protected place(last?: string): void {
    const names = readdirSync(this.files).sort((a, b) => Number(a === last) - Number(b === last));
    writeFileSync(join(this.staged, PLACING), JSON.stringify(names));
    for (const name of names) {
      this.placed.push(name);
      renameSync(join(this.files, name), join(this.folder, name));
    }
  }

  abandon(): void {
    for (const name of this.placed) this.remove(name);
    this.end();
    if (this.madeFolder !== undefined) removeEmpty(this.folder, this.madeFolder);
  }

  protected end(): void {
    this.close();
    rmSync(this.staged, { recursive: true, force: true });
  }

  private remove(name: string): void {
    rmSync(join(this.folder, name), { recursive: true, force: true });
  }
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

/**
 * Returns the names in the folder that a killed command moved there.
 *
 * @throws Failure if the path is a file, or the folder contains anything else.
 */
export function assertEmpty(folder: string, staging: string, kept: readonly string[] = []): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new Failure(`${folder}: this is a file. Name an empty or new folder.`);
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => ![staging, ...kept].includes(name))
    : [];
  const mark = join(folder, staging, PLACING);
  const since = names.length === 0 ? undefined : statIfThere(mark);
  const placed = new Set(since?.type === "file" ? placedIn(mark) : []);
  for (const name of names)
    if (since === undefined || !placed.has(name) || isChangedSince(join(folder, name), since.mtime))
      throw new Failure(
        `${folder}: the folder is not empty (it contains ${printable(name)}), and this command overwrites nothing. Name an empty or new folder.`,
      );
  return names;
}
