import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, relative, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { linkOrCopy } from "../base/file.ts";
import { isInside, makeFolder, realPath, removeEmpty } from "../base/paths.ts";
import { openStaging } from "../base/staging.ts";
import { assertReadable, placeNew } from "./files.ts";
import { idIn } from "./ids.ts";
import { imagePath } from "../source/image-kinds.ts";
import type { PageModel } from "../model/page.ts";
import { modelOf } from "../model/types.ts";

/** The folder for the lock and the staged files: a dotfolder, which no reader of sources opens. */
const STAGING = ".editing";
const STAGED = /^staged-\d+$/;

/** Another command or a save is changing the sources. */
export class Busy extends Failure {}

/** A change that was made. Paths are relative to the content folder. */
export type Step =
  /** A file that was written or removed. `before`: its former bytes; absent if it is new. */
  | { kind: "file"; file: string; before?: { bytes: Buffer; mode: number } }
  | { kind: "rename"; from: string; to: string }
  | { kind: "folder"; made: string; folder: string };

export interface EditOptions {
  /** The page types of the site; the program's own by default. */
  model?: PageModel | undefined;
  /** Whether the command only reports its changes: then nothing is written, not even the lock. */
  isDry?: boolean;
  /** Called at the end with all changes. */
  onDone?: (steps: readonly Step[]) => void;
}

interface StagedSource {
  file: string;
  path: string;
  staged: string;
  /** A second name or a copy of the file that is replaced, if there is one. */
  former: string | undefined;
  isNew: boolean;
}

/**
 * A change of many sources by one command, all or nothing. Files are staged first, so that a full disk is noticed before
 * any change, and then renamed into place in the same order.
 */
export class EditSession {
  readonly model: PageModel;
  /** Whether nothing is written: for the preview of a change. */
  readonly isDry: boolean;
  private readonly content: string;
  private readonly staged: StagedSource[] = [];
  /** The changes, and functions that restore the former state, in the order of the changes. */
  private readonly changes: { step?: () => Step; restore: () => void }[] = [];
  private count = 0;
  private readonly left: string[] = [];

  constructor(content: string, { model, isDry = false }: EditOptions) {
    this.content = content;
    this.model = modelOf(content, model);
    this.isDry = isDry;
  }

  /** `file` is relative to the content folder. @param isNew whether `commit` fails if the file exists. */
  stage(file: string, text: string | Buffer, isNew = false, mode?: number): void {
    if (imagePath(file) === undefined) assertReadable(file, text);
    if (this.isDry) return;
    const [path, staged] = [join(this.content, file), this.stagedPath()];
    writeFileSync(staged, text, { flag: "wx" });
    const before = lstatSync(path, { throwIfNoEntry: false });
    const permissions = mode ?? before?.mode;
    if (permissions !== undefined) chmodSync(staged, permissions);
    let former: string | undefined;
    if (before !== undefined && !isNew) linkOrCopy(path, (former = this.stagedPath()));
    this.staged.push({ file, path, staged, former, isNew });
  }

  /** Renames all staged files into place. @throws EEXIST if a new file exists already. */
  commit(): void {
    for (const { file, path, staged, former, isNew } of this.staged.splice(0)) {
      if (isNew) placeNew(staged, path);
      else renameSync(staged, path);
      const restore = (): void => (former === undefined ? rmSync(path) : renameSync(former, path));
      this.changes.push({ restore, step: () => fileStep(file, former) });
    }
  }

  /**
   * Moves a file or folder to a new path, whose folder exists. An overlay file system, as in a container, renames no folder
   * of its image: such a folder is copied.
   */
  rename(from: string, to: string): void {
    if (this.isDry) return;
    const [old, now] = [join(this.content, from), join(this.content, to)];
    const step = (): Step => ({ kind: "rename", from, to });
    try {
      renameSync(old, now);
      this.changes.push({ restore: () => renameSync(now, old), step });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EXDEV") throw cause;
      const copy = this.stagedPath();
      cpSync(old, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
      renameSync(copy, now);
      this.changes.push({ restore: () => renameSync(now, copy), step });
      if (!this.removeCopied(from, to, false))
        throw new Failure(`${from} changed while it was copied. Nothing was moved: try again.`);
    }
  }

  /** Removes a folder if another folder has a copy of each of its files, as after an interrupted move. */
  removeCopied(from: string, to: string, isStep = true): boolean {
    const [folder, copy] = [join(this.content, from), join(this.content, to)];
    if (this.isDry || !existsSync(folder) || !existsSync(copy)) return false;
    const [real, realCopy] = [realPath(folder), realPath(copy)];
    if (isInside(real, realCopy) || isInside(realCopy, real)) return false;
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    const isCopied = files.every((file) => isSame(join(folder, file), join(copy, file)));
    if (!isCopied) return false;
    for (const file of files) this.remove(join(from, file), isStep);
    this.removeIfEmpty(from);
    return true;
  }

  /** @param isStep whether it is a change of its own, to be undone. */
  remove(file: string, isStep = true): void {
    if (this.isDry) return;
    const [path, former] = [join(this.content, file), this.stagedPath()];
    renameSync(path, former);
    const restore = (): void => renameSync(former, path);
    this.changes.push(isStep ? { restore, step: () => fileStep(file, former) } : { restore });
  }

  makeFolder(folder: string): void {
    if (this.isDry) return;
    const path = join(this.content, folder);
    const made = makeFolder(path);
    if (made === undefined) return;
    this.changes.push({
      restore: () => removeEmpty(path, made),
      step: () => ({ kind: "folder", made: relative(this.content, made), folder }),
    });
  }

  /** Removes a folder at the end, if it then contains only empty folders. */
  removeIfEmpty(folder: string): void {
    this.left.push(folder);
  }

  end(onDone: EditOptions["onDone"]): void {
    for (const folder of this.left) removeEmptyFolders(join(this.content, folder));
    onDone?.(this.changes.flatMap(({ step }) => step?.() ?? []));
  }

  /** @throws Failure if a file cannot be restored. */
  rollBack(): void {
    const failed: string[] = [];
    for (const { restore } of this.changes.splice(0).reverse())
      try {
        restore();
      } catch (cause) {
        failed.push(String(cause));
      }
    if (failed.length > 0) throw new Failure(`Some changes could not be undone: ${failed.join("; ")}`);
  }

  private stagedPath(): string {
    return join(this.content, STAGING, `staged-${this.count++}`);
  }
}

/** @param former the path of the former file; undefined if the file is new. */
const fileStep = (file: string, former: string | undefined): Step => ({
  kind: "file",
  file,
  ...(former !== undefined && { before: { bytes: readFileSync(former), mode: lstatSync(former).mode } }),
});

/** Whether a file is a copy of another. In a source, the move may have changed `$schema` and links. */
function isSame(path: string, copy: string): boolean {
  const stats = lstatSync(copy, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || !lstatSync(path).isFile()) return stats?.isSymbolicLink() === true;
  const [one, other] = [readFileSync(path), readFileSync(copy)];
  const id = path.endsWith(".json") ? idIn(one.toString()) : undefined;
  return one.equals(other) || (id !== undefined && id === idIn(other.toString()));
}

/** Removes the empty folders in a folder, and the folder if it is empty; a folder that cannot be removed stays. */
function removeEmptyFolders(folder: string): void {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
    rmdirSync(folder);
  } catch {
    // The folder is not empty, or is gone, or the system refuses it: without sources, it has no pages.
  }
}

/** Runs a command alone; if it fails, its changes are undone. @throws Failure if another one is running. */
export function editAlone<T>(
  content: string,
  edit: (session: EditSession) => T,
  options: EditOptions = {},
): T {
  const { isDry = false, onDone } = options;
  const session = new EditSession(resolve(content), options);
  if (isDry) return edit(session);
  const close = openStaging(
    join(resolve(content), STAGING),
    (name) => STAGED.test(name),
    (lock) =>
      new Busy(
        `Another command that moves or retires pages is running in ${content}. Wait until it has ended, then try again. If none is running, remove ${lock}.`,
      ),
  );
  try {
    const result = edit(session);
    session.end(onDone);
    return result;
  } catch (cause) {
    session.rollBack();
    throw cause;
  } finally {
    close();
  }
}
