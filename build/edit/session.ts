import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, relative, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { Locked, takeLock } from "../base/lock.ts";
import { isInside, realPath } from "../base/paths.ts";
import { idIn } from "./ids.ts";

/** The folder for the lock and the staged files: a dotfolder, which no reader of sources opens. */
const STAGING = ".editing";
const STAGED = /^staged-\d+$/;

/** Another command or a save is changing the sources. */
export class Busy extends Failure {}

/**
 * A change of many sources by one command. Files are staged first, so that a full disk is noticed before any change, and
 * then renamed into place in the same order.
 */
export class EditSession {
  private readonly content: string;
  /** Whether nothing is written: for the preview of a change. */
  readonly isDry: boolean;
  private readonly staged: { staged: string; path: string; isNew: boolean }[] = [];
  private count = 0;
  /** A folder that cannot be renamed, and its copy, which is moved instead. */
  private copied: { from: string; copy: string } | undefined;

  constructor(content: string, isDry: boolean) {
    this.content = content;
    this.isDry = isDry;
  }

  /**
   * Stages the text of a source. `file` is relative to the content folder.
   *
   * @param isNew whether `commit` fails if the file exists.
   */
  stage(file: string, text: string, isNew = false): void {
    if (this.isDry) return;
    const { from, copy } = this.copied ?? {};
    const path =
      from !== undefined && copy !== undefined && file.startsWith(`${from}/`)
        ? join(copy, file.slice(from.length))
        : join(this.content, file);
    const staged = this.newStaged();
    this.staged.push({ staged, path, isNew });
    writeFileSync(staged, text, { flag: "wx" });
    const before = lstatSync(path, { throwIfNoEntry: false });
    if (before !== undefined) chmodSync(staged, before.mode);
  }

  private newStaged = (): string => join(this.content, STAGING, `staged-${this.count++}`);

  /**
   * Prepares the move of a file or folder, before anything is staged. An overlay file system, as in a container, renames
   * no folder of its image: such a folder is copied.
   */
  prepareRename(from: string): void {
    if (this.isDry) return;
    const path = join(this.content, from);
    try {
      // It always fails, because the folder with the lock is not empty.
      renameSync(path, join(this.content, STAGING));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EXDEV") return;
      const copy = this.newStaged();
      cpSync(path, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
      this.copied = { from, copy };
    }
  }

  /** Renames all staged files into place. @throws EEXIST if a new file exists already. */
  commit(): void {
    for (const { staged, path, isNew } of this.staged.splice(0))
      if (isNew) linkSync(staged, path);
      else renameSync(staged, path);
  }

  /** Moves a file or folder to a new path, whose folder exists. */
  rename(from: string, to: string): void {
    if (this.isDry) return;
    const source = this.copied?.copy ?? join(this.content, from);
    renameSync(source, join(this.content, to));
    if (this.copied !== undefined && !this.removeCopied(from, to))
      throw new Failure(
        `${to} is a copy of ${from}, which changed while it was copied. Remove the one that you do not need.`,
      );
  }

  /** Removes a folder if another folder has a copy of each of its files, as after an interrupted move. */
  removeCopied(from: string, to: string): boolean {
    const [folder, copy] = [join(this.content, from), join(this.content, to)];
    if (this.isDry || !existsSync(folder) || !existsSync(copy)) return false;
    const [real, realCopy] = [realPath(folder), realPath(copy)];
    if (isInside(real, realCopy) || isInside(realCopy, real)) return false;
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      (entry) => !entry.isDirectory(),
    );
    const isCopied = files.every((entry) => {
      const path = join(entry.parentPath, entry.name);
      return isSame(path, join(copy, relative(folder, path)));
    });
    if (isCopied) rmSync(folder, { recursive: true });
    return isCopied;
  }

  /** Removes a file. */
  remove(file: string): void {
    if (!this.isDry) rmSync(join(this.content, file));
  }
}

/** Whether a file is a copy of another. In a source, the move may have changed `$schema` and links. */
function isSame(path: string, copy: string): boolean {
  const stats = lstatSync(copy, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || !lstatSync(path).isFile()) return stats?.isSymbolicLink() === true;
  const [one, other] = [readFileSync(path), readFileSync(copy)];
  const id = path.endsWith(".json") ? idIn(one.toString()) : undefined;
  return one.equals(other) || (id !== undefined && id === idIn(other.toString()));
}

/**
 * Runs a command that changes many sources, while no other such command runs on the content folder.
 *
 * @param isDry whether the command only reports its changes: then nothing is written, not even the lock.

 * @throws Failure if another one is running.
 */
export function editAlone<T>(content: string, edit: (session: EditSession) => T, isDry = false): T {
  if (isDry) return edit(new EditSession(resolve(content), isDry));
  const folder = join(resolve(content), STAGING);
  // A link could lead elsewhere, and files would be staged and removed there.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new Failure(`${folder} is not a folder. Remove it, then run the command again.`);
  const lock = join(folder, "lock");
  let unlock;
  try {
    unlock = takeLock(lock);
  } catch (cause) {
    if (!(cause instanceof Locked)) throw cause;
    throw new Busy(
      `Another command that moves or retires pages is running in ${content}. Wait until it has ended, then try again. If none is running, remove ${lock}.`,
    );
  }
  try {
    clear(folder);
    return edit(new EditSession(resolve(content), isDry));
  } finally {
    clear(folder);
    unlock();
  }
}

/** Removes staged files that this command, or a killed one, did not rename into place. */
function clear(folder: string): void {
  for (const name of readdirSync(folder))
    if (STAGED.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
}
