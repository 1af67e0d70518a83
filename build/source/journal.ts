import {
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
import { dirname, join, relative, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "../base/failure.ts";
import { placeNew } from "../base/file.ts";
import { makeFolder, removeEmpty } from "../base/paths.ts";
import { openStaging } from "../base/lock.ts";

/*
 * A change of the sources that was decided, and is being carried out. Its new texts are staged and the journal is written
 * before the first source changes. So the next command completes the change of a command that was killed.
 */

/** All paths are relative to the content folder; files have their paths after the renames. */
export interface Journal {
  renames: readonly { from: string; to: string }[];
  /** `staged`: the number of the staged new text; absent to remove the file. `isNew`: whether there must be no file. */
  files: readonly { file: string; staged?: number; isNew?: boolean }[];
  /** Folders to remove at the end if they contain only empty folders. */
  emptied: readonly string[];
}

/** The folder of the lock, the journal and the staged files: a dotfolder, which no reader of sources opens. */
const STAGING = ".editing";
const STAGED = /^(?:staged|former)-\d+$|^journal(?:\.new)?$/;

/** Another command or a save is changing the sources. */
export class Busy extends Failure {}

const inStaging = (content: string, name: string): string => join(content, STAGING, name);
export const stagedPath = (content: string, number: number): string => inStaging(content, `staged-${number}`);
/** The second name, or the copy, of a file that is replaced or removed. */
export const formerPath = (content: string, number: number): string => inStaging(content, `former-${number}`);

/** Runs a change of the sources while no other one runs, after it has completed one that was killed. @throws Busy */
export function alone<T>(folder: string, change: () => T): T {
  const content = resolve(folder);
  const close = openStaging(
    join(content, STAGING),
    // The files of a journal are needed until it is carried out.
    (name) => STAGED.test(name) && !existsSync(inStaging(content, "journal")),
    (lock) =>
      new Busy(
        `Another command that moves or retires pages is running in ${folder}. Wait until it has ended, then try again. If none is running, remove ${lock}.`,
      ),
  );
  let left: Journal | undefined;
  try {
    left = journalIn(content);
    if (left === undefined) return change();
    carryOut(content, left, true);
  } finally {
    close();
  }
  return alone(folder, change);
}

/** Milliseconds between two attempts while another command has the lock. */
const PAUSE_MS = 100;
/** Maximum number of these attempts. */
const MAX_ATTEMPTS = 30;

/** Tries a change again while another command has the lock. @throws Busy if it has it for three seconds */
export async function whenFree<T>(change: () => T | Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await change();
    } catch (cause) {
      if (!(cause instanceof Busy) || attempt === MAX_ATTEMPTS) throw cause;
      await delay(PAUSE_MS);
    }
}

/** Completes the change of a command that was killed, if there is one. */
export function completeChange(content: string): void {
  if (existsSync(inStaging(content, "journal"))) alone(content, () => undefined);
}

function journalIn(content: string): Journal | undefined {
  const path = inStaging(content, "journal");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Journal) : undefined;
}

/** Carries out a change whose files are staged, and undoes all of it if it fails. @returns the folders that were made */
export function carryOut(content: string, journal: Journal, isLeft = false): string[] {
  const path = inStaging(content, "journal");
  const undo: (() => void)[] = [];
  const made: string[] = [];
  if (!isLeft) {
    writeFileSync(`${path}.new`, JSON.stringify(journal));
    renameSync(`${path}.new`, path);
  }
  const at = (file: string): string => join(content, file);
  const makeFolderOf = (file: string): void => {
    const folder = makeFolder(dirname(at(file)));
    if (folder === undefined) return;
    undo.push(() => removeEmpty(dirname(at(file)), folder));
    made.push(relative(content, folder));
  };
  try {
    for (const { from, to } of journal.renames) {
      if (isLeft && !existsSync(at(from))) continue;
      if (isLeft && existsSync(at(to))) removeCopied(at(from), at(to));
      else {
        makeFolderOf(to);
        undo.push(rename(at(from), at(to), inStaging(content, `staged-${journal.files.length}`)));
      }
    }
    for (const [k, { file, staged, isNew = false }] of journal.files.entries()) {
      const restore = (): void =>
        existsSync(formerPath(content, k)) ? renameSync(formerPath(content, k), at(file)) : rmSync(at(file));
      if (staged === undefined) rmSync(at(file), { force: isLeft });
      else if (!isLeft || existsSync(stagedPath(content, staged))) {
        makeFolderOf(file);
        if (isNew && !isLeft) placeNew(stagedPath(content, staged), at(file));
        else renameSync(stagedPath(content, staged), at(file));
      }
      undo.push(restore);
    }
    rmSync(path);
  } catch (cause) {
    // A later command completes what this one could not.
    if (!isLeft) rollBack(undo, path);
    throw cause;
  }
  for (const folder of journal.emptied) removeEmptyFolders(at(folder));
  return made;
}

/**
 * Moves a file or folder. An overlay file system, as in a container, renames no folder of its image: such a folder is copied.
 *
 * @returns a function that moves it back.
 */
function rename(from: string, to: string, copy: string): () => void {
  try {
    renameSync(from, to);
    return () => renameSync(to, from);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EXDEV") throw cause;
  }
  cpSync(from, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  renameSync(copy, to);
  const restore = (): void => {
    cpSync(to, from, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, force: false });
    rmSync(to, { recursive: true });
  };
  try {
    removeCopied(from, to);
  } catch (cause) {
    restore();
    throw cause;
  }
  return restore;
}

/** Removes a folder of which each file was copied. */
function removeCopied(from: string, to: string): void {
  const added = readdirSync(from, { recursive: true, encoding: "utf8" }).find(
    (name) => lstatSync(join(to, name), { throwIfNoEntry: false }) === undefined,
  );
  if (added !== undefined)
    throw new Failure(`${from} changed while it was copied to ${to}: ${added} is new. Move the file too.`);
  rmSync(from, { recursive: true });
}

/** @throws Failure if a file cannot be restored. */
function rollBack(undo: (() => void)[], journal: string): void {
  const failed: string[] = [];
  for (const restore of undo.reverse())
    try {
      restore();
    } catch (cause) {
      failed.push(String(cause));
    }
  rmSync(journal, { force: true });
  if (failed.length > 0) throw new Failure(`Some changes could not be undone: ${failed.join("; ")}`);
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
