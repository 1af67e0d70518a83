import {
  type Dir,
  accessSync,
  constants,
  mkdirSync,
  opendirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure, Obstructed } from "../../base/failure.ts";
import { statIfSame, writeNew, isFolder, statAt, type FileStat } from "../../base/file.ts";
import { isInside, makeFolder, mountsBelow, otherSpelling, removeEmpty } from "../../base/paths.ts";
import {
  CHANGED_PAGES,
  foreignEntries,
  lookIntoPage,
  obstacleIn,
  OF_A_PAGE,
  OWN_NAMES,
  REMOVED,
  STAGED_FILES,
  STAGED_PAGES,
  STAMP,
  type StaticFiles,
} from "./foreign.ts";
import { assertWritable, nearestFolder, obstacleTo, WRITABLE, type Layout } from "./layout.ts";

/** A page is published with the same bytes, or it is staged as a new folder or as a changed file. */
export type Staged = "same" | "new" | "changed";

/**
 * @param fresh whether there are no published pages to compare with.
 * @returns the result, and the stat of the published or staged file.
 * @throws the system's error, such as ENOSPC.
 */
export function stagePage(
  { pages, staging }: Layout,
  fresh: boolean,
  id: number,
  bytes: Uint8Array,
): { staged: Staged; stat: FileStat } {
  // A link to a folder does not count as a folder: the build does not write through links.
  if (!fresh && isFolder(`${pages}/${id}`)) {
    const published = statIfSame(`${pages}/${id}/${OF_A_PAGE}`, bytes);
    if (published !== undefined) return { staged: "same", stat: published };
    return { staged: "changed", stat: writeNew(`${staging}/${CHANGED_PAGES}/${id}.json`, bytes) };
  }
  const folder = `${staging}/${STAGED_PAGES}/${id}`;
  mkdirSync(folder);
  return { staged: "new", stat: writeNew(`${folder}/${OF_A_PAGE}`, bytes) };
}

/** The ids of new and changed pages, and the entries to remove, relative to the folder of pages. */
export interface PageChanges {
  added: Float64Array;
  changed: Float64Array;
  removed: string[];
}

/**
 * A change of the output in two steps: everything new is staged, then renamed into place. Before `commit`, published files
 * are only read; `abandon` removes everything staged. The caller holds the output's lock. Pages are staged by `stagePage`.
 */
export class Publication {
  readonly layout: Layout;
  /** Whether there are no published pages, so that all staged pages are renamed as one folder. */
  readonly fresh: boolean;
  /** The staged files that are not pages, in the order in which they are renamed. */
  private readonly staged: { path: string; precedesPages: boolean }[] = [];

  /**
   * @param paths the paths of files that the build will own: third-party files there are an obstacle.
   * @throws Obstructed
   * @throws the system's error if the output cannot be written.
   */
  constructor(layout: Layout, paths: readonly string[]) {
    this.layout = layout;
    const obstacle = obstacleIn(layout, paths);
    if (obstacle !== undefined) throw obstacle;
    this.fresh = isEmptyOrAbsent(layout.pages);
    if (!this.fresh) assertWritable(layout.pages);
    try {
      this.clear();
      mkdirSync(join(layout.staging, STAGED_PAGES), { recursive: true });
      mkdirSync(join(layout.staging, CHANGED_PAGES));
      mkdirSync(join(layout.staging, STAGED_FILES));
    } catch (cause) {
      this.abandon();
      throw cause;
    }
  }

  /** Not for pages. `commit` renames files in the order in which they were staged. @throws Obstructed */
  stage(path: string, bytes: Uint8Array, precedesPages = false): FileStat {
    // Among the pages, the build replaces a folder by a file.
    const obstacle = this.isAmongPages(path) ? undefined : obstacleTo(this.layout, path);
    if (obstacle !== undefined) throw obstacle;
    const number = this.staged.push({ path, precedesPages }) - 1;
    return writeNew(this.stagedFile(number), bytes);
  }

  /** Stages the files whose published bytes differ. */
  stageChanged(files: StaticFiles): void {
    for (const [path, bytes] of files)
      if (statIfSame(join(this.layout.root, path), bytes) === undefined) this.stage(path, bytes);
  }

  /** Checks permissions first, because `commit` cannot be undone halfway. @throws the system's error */
  assertWritable({ changed, removed }: PageChanges): void {
    const { pages } = this.layout;
    for (const folder of this.folders()) assertWritable(folder);
    for (const id of changed) assertWritable(`${pages}/${id}`);
    for (const name of removed) {
      assertWritable(dirname(join(pages, name)));
      assertRemovable(join(pages, name));
    }
  }

  /**
   * Renames new and changed files into place, then removes the others.
   *
   * @returns a time after the last page was staged and before the first was renamed.
   * @throws Failure before the first change, if a folder is a mount of its own.
   */
  commit({ added, changed, removed }: PageChanges): number {
    const { pages, staging } = this.layout;
    this.assertOneMount(changed, removed);
    const stagedAt = this.now();
    const made: MadeFolder[] = [];
    try {
      for (const folder of [...this.folders(), dirname(pages)]) made.push([folder, makeFolder(folder)]);
      if (this.fresh) renameSync(join(staging, STAGED_PAGES), pages);
    } catch (cause) {
      for (const [folder, top] of made.toReversed()) if (top !== undefined) removeEmpty(folder, top);
      throw cause;
    }
    this.placeFiles(true);
    if (!this.fresh) {
      for (const id of added) this.place(`${staging}/${STAGED_PAGES}/${id}`, `${pages}/${id}`);
      for (const id of changed)
        this.place(`${staging}/${CHANGED_PAGES}/${id}.json`, `${pages}/${id}/${OF_A_PAGE}`);
    }
    this.placeFiles(false);
    for (const name of removed) this.remove(join(pages, name));
    return stagedAt;
  }

  private placeFiles(precedePages: boolean): void {
    for (const [number, { path, precedesPages }] of this.staged.entries())
      if (precedesPages === precedePages) this.place(this.stagedFile(number), join(this.layout.root, path));
  }

  private stagedFile(number: number): string {
    return join(this.layout.staging, STAGED_FILES, String(number));
  }

  private isAmongPages(path: string): boolean {
    return isInside(join(this.layout.root, path), this.layout.pages);
  }

  /** The folders of staged files, except the folder of pages. */
  private folders(): Set<string> {
    const outside = this.staged.filter(({ path }) => !this.isAmongPages(path));
    return new Set(outside.map(({ path }) => dirname(join(this.layout.root, path))));
  }

  private assertOneMount(changed: Float64Array, removed: readonly string[]): void {
    const { pages, staging, root } = this.layout;
    const files = [
      join(pages, this.fresh ? "" : OF_A_PAGE),
      ...this.staged.map(({ path }) => join(root, path)),
    ];
    const mounts = mountsBelow(root);
    // There may be a million changed pages, and hardly ever a mount.
    const concerned =
      mounts.length === 0 ? [] : [...files, ...[...changed, ...removed].map((name) => `${pages}/${name}`)];
    const mount =
      mounts.find((at) => concerned.some((path) => isInside(path, at) || isInside(at, path))) ??
      [...new Set([...new Set(files.map(dirname))].map(nearestFolder))].find(
        (folder) => statSync(folder).dev !== statSync(staging).dev,
      );
    if (mount !== undefined)
      throw new Failure(
        `${mount} is a mount of its own, so the build cannot rename files into it from ${staging}. Mount the whole output folder ${root} instead.`,
      );
  }

  /** Whether `commit` writes a static file into the folder of pages. */
  changesAmongPages(): boolean {
    return this.staged.some(({ path }) => this.isAmongPages(path));
  }

  /** Removes foreign entries from a page's folder. @returns the ctime of the clean folder. */
  tidyPage(id: number): number {
    const { pages } = this.layout;
    for (;;) {
      const { ctime, foreign } = lookIntoPage(pages, id);
      if (foreign.length === 0) return ctime;
      for (const name of foreign) this.remove(join(pages, name));
    }
  }

  /** Removes foreign entries from the folder of pages. @returns the stat of the clean folder. */
  tidyPages(isPublished: (id: number) => boolean): FileStat {
    const { pages } = this.layout;
    for (;;) {
      const stat = statAt(pages);
      const foreign = foreignEntries(pages, isPublished);
      if (foreign.length === 0) return stat;
      for (const name of foreign) this.remove(join(pages, name));
    }
  }

  private remove(path: string): void {
    const own = basename(path).toLowerCase();
    // On a file system that ignores case, this may be the build's own file in another spelling.
    if (OWN_NAMES.has(own) && otherSpelling(dirname(path), own) !== undefined)
      renameSync(path, join(dirname(path), own));
    else rmSync(isFolder(path) ? this.takeAway(path) : inBytes(path), { recursive: true, force: true });
  }

  /** Renames a folder away before its files are removed: some hosts do not respond with 404 for a folder without a file. */
  private takeAway(folder: string): string {
    const away = join(this.layout.staging, REMOVED);
    try {
      renameSync(folder, away);
      return away;
    } catch (cause) {
      // An overlay file system cannot rename a folder of a lower layer.
      if ((cause as NodeJS.ErrnoException).code !== "EXDEV") throw cause;
      return folder;
    }
  }

  private place(from: string, to: string): void {
    try {
      renameSync(from, to);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "EISDIR" && code !== "ENOTDIR") throw cause;
      // Among the pages, the build replaces a folder by a file and a file by a folder.
      if (!isInside(to, this.layout.pages)) throw new Obstructed(to, "a file");
      rmSync(to, { recursive: true, force: true });
      renameSync(from, to);
    }
  }

  /** The current time by the output's own clock, which stamps its files. */
  private now(): number {
    const stamp = join(this.layout.staging, STAMP);
    rmSync(stamp, { force: true });
    return writeNew(stamp, new Uint8Array(0)).ctime;
  }

  /** Clears the staging folder after `commit`. @returns a time after it. */
  close(): number {
    const ended = this.now();
    this.clear();
    return ended;
  }

  abandon(): void {
    this.clear();
  }

  private clear(): void {
    for (const name of [STAGED_PAGES, CHANGED_PAGES, STAGED_FILES, REMOVED, STAMP])
      rmSync(join(this.layout.staging, name), { recursive: true, force: true });
  }
}

/** The path in the bytes of the file system: a name that is not UTF-8 cannot be opened as text. */
function inBytes(path: string): string | Buffer {
  const name = basename(path);
  if (!name.includes("\ufffd")) return path;
  const entries = readdirSync(dirname(path), { encoding: "buffer" });
  const entry = entries.find((bytes) => bytes.toString() === name);
  return entry === undefined ? path : Buffer.concat([Buffer.from(`${dirname(path)}/`), entry]);
}

/** A required folder, and the topmost folder that was created for it. */
type MadeFolder = [folder: string, top: string | undefined];

/** Checks all folders below, because removing an entry needs the right to write its folder. */
function assertRemovable(path: string): void {
  if (!isFolder(path)) return;
  accessSync(path, WRITABLE | constants.R_OK);
  for (const name of readdirSync(path)) assertRemovable(join(path, name));
}

/** Whether all static files are published with these bytes. */
export const areSame = ({ root }: Layout, staticFiles: StaticFiles): boolean =>
  [...staticFiles].every(([path, bytes]) => statIfSame(join(root, path), bytes) !== undefined);

function isEmptyOrAbsent(folder: string): boolean {
  let entries: Dir;
  try {
    entries = opendirSync(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw cause;
  }
  // Reads only one entry, because there may be a million.
  const isEmpty = entries.readSync() === null;
  entries.closeSync();
  return isEmpty;
}
