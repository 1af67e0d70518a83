import { chmodSync, linkSync, lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { Locked, takeLock } from "../base/lock.ts";

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
    const path = join(this.content, file);
    const staged = join(this.content, STAGING, `staged-${this.count++}`);
    this.staged.push({ staged, path, isNew });
    writeFileSync(staged, text, { flag: "wx" });
    const before = lstatSync(path, { throwIfNoEntry: false });
    if (before !== undefined) chmodSync(staged, before.mode);
  }

  /** Renames all staged files into place. @throws EEXIST if a new file exists already. */
  commit(): void {
    for (const { staged, path, isNew } of this.staged.splice(0))
      if (isNew) linkSync(staged, path);
      else renameSync(staged, path);
  }

  /** Moves a file or folder to a new path, whose folder exists. */
  rename(from: string, to: string): void {
    if (!this.isDry) renameSync(join(this.content, from), join(this.content, to));
  }

  /** Removes a file. */
  remove(file: string): void {
    if (!this.isDry) rmSync(join(this.content, file));
  }
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
  for (const name of readdirSync(folder)) if (STAGED.test(name)) rmSync(join(folder, name), { force: true });
}
