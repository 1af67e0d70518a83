import { chmodSync, lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { Locked, takeLock } from "../base/lock.ts";

/** The folder for the lock and for staged files: a dotfolder, which nothing that reads sources looks at. */
const ASIDE = ".editing";
const STAGED = /^staged-\d+$/;

/**
 * A change of many sources by one command. Files are staged first, so that a full disk changes nothing, and then renamed
 * into place in the order in which they were staged.
 */
export class EditSession {
  private readonly content: string;
  private readonly staged: { aside: string; path: string }[] = [];
  private count = 0;

  constructor(content: string) {
    this.content = content;
  }

  /** Stages the text of a source, whether the source exists or not. `file` is relative to the content folder. */
  stage(file: string, text: string): void {
    const path = join(this.content, file);
    const aside = join(this.content, ASIDE, `staged-${this.count++}`);
    this.staged.push({ aside, path });
    writeFileSync(aside, text, { flag: "wx" });
    const before = lstatSync(path, { throwIfNoEntry: false });
    if (before !== undefined) chmodSync(aside, before.mode);
  }

  /** Renames all staged files into place. */
  commit(): void {
    for (const { aside, path } of this.staged.splice(0)) renameSync(aside, path);
  }
}

/**
 * Runs a command that changes many sources, while no other such command runs on the content folder.
 *
 * @throws Failure if another one is running.
 */
export function editAlone<T>(content: string, edit: (session: EditSession) => T): T {
  const folder = join(resolve(content), ASIDE);
  // Through a link, files would be staged, and removed, elsewhere.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new Failure(`${folder} is not a folder. Remove it, then run the command again.`);
  const lock = join(folder, "lock");
  let unlock;
  try {
    unlock = takeLock(lock);
  } catch (cause) {
    if (!(cause instanceof Locked)) throw cause;
    throw new Failure(
      `Another command that moves or retires pages is running in ${content}. Wait until it has ended, then try again. If none is running, remove ${lock}.`,
    );
  }
  try {
    clear(folder);
    return edit(new EditSession(resolve(content)));
  } finally {
    clear(folder);
    unlock();
  }
}

/** Removes the files that this command, or one that was killed, staged and did not put into place. */
function clear(folder: string): void {
  for (const name of readdirSync(folder)) if (STAGED.test(name)) rmSync(join(folder, name), { force: true });
}
