import {
  type Dir,
  accessSync,
  constants,
  mkdirSync,
  opendirSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { BULK_INDEX, BULK_SHARDS } from "../base/api.ts";
import { Obstructed } from "../base/failure.ts";
import { isFolder, statAt, type FileStat } from "../base/stat.ts";
import { INDEX } from "../browse/files.ts";
import {
  stagedName,
  CHANGED_PAGES,
  foreignEntries,
  lookIntoPage,
  obstacleIn,
  OF_A_PAGE,
  OWN_NAMES,
  REMOVED,
  STAGED_PAGES,
  STAGED_PARTS,
  STAGED_SHARDS,
  STAMP,
  type StaticFiles,
} from "./foreign.ts";
import { isInside, makeFolder, otherSpelling, removeEmpty } from "../base/paths.ts";
import { shardFile } from "./bulk.ts";
import type { Layout } from "./layout.ts";
import { Stager, writeNew } from "./stage.ts";

/** The ids of pages that are new or changed, and what is to be removed from the pages, by names relative to them. */
export interface PageChanges {
  added: number[];
  changed: number[];
  removed: string[];
}

/**
 * A change of the output, made in two steps: everything new is staged, then it is renamed into place. Between
 * `open` and `commit` the published files are only read; after `abandon` nothing of the change is left. Whoever makes
 * one holds the output's lock.
 */
export class Publication {
  readonly layout: Layout;
  /** There are no published pages: staged pages are renamed into place as one folder. */
  readonly fresh: boolean;
  private readonly staticPaths: readonly string[];
  private readonly changedStaticFiles: string[] = [];
  /** The names of the shards that are staged. */
  private readonly shards: string[] = [];

  /**
   * @param staticPaths those of all files beside the pages.
   * @throws Obstructed
   * @throws the system's error where the output cannot be written.
   */
  constructor(layout: Layout, staticPaths: readonly string[]) {
    this.layout = layout;
    this.staticPaths = staticPaths;
    const obstacle = obstacleIn(layout, staticPaths);
    if (obstacle !== undefined) throw obstacle;
    this.fresh = isEmptyOrAbsent(layout.pages);
    if (!this.fresh) accessSync(layout.pages, WRITABLE);
    try {
      this.clear();
      mkdirSync(join(layout.staging, STAGED_PAGES), { recursive: true });
      mkdirSync(join(layout.staging, CHANGED_PAGES));
      mkdirSync(join(layout.staging, STAGED_PARTS));
    } catch (cause) {
      this.abandon();
      throw cause;
    }
  }

  /** Stages those of the files beside the pages that are not published as they should be. */
  stageStaticFiles(files: StaticFiles): void {
    const stager = new Stager(this.layout, false);
    for (const [path, bytes] of files) {
      if (stager.compare(join(this.layout.root, path), bytes) !== undefined) continue;
      writeNew(join(this.layout.staging, stagedName(path)), bytes);
      this.changedStaticFiles.push(path);
    }
  }

  /** Stages the ZIP file of a shard, in the place of one with this name if there is one. */
  stageShard(name: string, zip: Uint8Array): void {
    const to = shardFile(this.layout, name);
    if (isFolder(to)) throw new Obstructed(to, "a file");
    const folder = join(this.layout.staging, STAGED_SHARDS);
    if (this.shards.length === 0) mkdirSync(folder);
    writeNew(join(folder, `${name}.zip`), zip);
    this.shards.push(name);
  }

  /** Refuses before anything is changed what could only fail halfway. */
  assertWritable({ changed, removed }: PageChanges): void {
    const { pages, root } = this.layout;
    for (const path of this.changedStaticFiles) {
      const folder = dirname(join(root, path));
      if (isFolder(folder)) accessSync(folder, WRITABLE);
    }
    const shards = join(root, BULK_SHARDS);
    // A new index means that shards are removed, even if none is new.
    if (this.changedStaticFiles.includes(BULK_INDEX) && isFolder(shards)) accessSync(shards, WRITABLE);
    for (const id of changed) accessSync(`${pages}/${id}`, WRITABLE);
    for (const name of removed) {
      accessSync(dirname(join(pages, name)), WRITABLE);
      assertRemovable(join(pages, name));
    }
  }

  /**
   * Renames everything into place: new and changed files, then removals.
   *
   * @param parts the paths of the parts of the browse UI that are staged.
   * @returns a moment between the last page that was staged and the first that was renamed.
   */
  commit({ added, changed, removed }: PageChanges, parts: readonly string[]): number {
    const { pages, staging, root } = this.layout;
    const staged = this.now();
    const above = dirname(pages);
    const made = makeFolder(above);
    try {
      if (this.fresh) renameSync(join(staging, STAGED_PAGES), pages);
    } catch (cause) {
      if (made !== undefined) removeEmpty(above, made);
      throw cause;
    }
    if (!this.fresh) {
      for (const id of added) this.place(`${staging}/${STAGED_PAGES}/${id}`, `${pages}/${id}`);
      for (const id of changed)
        this.place(`${staging}/${CHANGED_PAGES}/${id}.json`, `${pages}/${id}/${OF_A_PAGE}`);
    }
    // Before the index that names them, which is one of the static files.
    if (this.shards.length > 0) makeFolder(join(root, BULK_SHARDS));
    for (const name of this.shards)
      this.place(join(staging, STAGED_SHARDS, `${name}.zip`), shardFile(this.layout, name));
    for (const path of this.changedStaticFiles) {
      makeFolder(dirname(join(root, path)));
      this.place(join(staging, stagedName(path)), join(root, path));
    }
    for (const folder of new Set(parts.map((path) => dirname(path)))) makeFolder(join(root, folder));
    for (const path of parts) this.place(join(staging, STAGED_PARTS, stagedName(path)), join(root, path));
    for (const name of removed) this.remove(join(pages, name));
    return staged;
  }

  /** Whether `commit` puts something into the folder of pages itself, beside new pages. */
  changesAmongPages(): boolean {
    return this.changedStaticFiles.some(
      (path) => dirname(join(this.layout.root, path)) === this.layout.pages,
    );
  }

  /** Removes what somebody put into a page's folder until now; gives the folder's ctime, with nothing foreign in it. */
  tidyPage(id: number): number {
    const { pages } = this.layout;
    for (;;) {
      const { ctime, foreign } = lookIntoPage(pages, id);
      if (foreign.length === 0) return ctime;
      for (const name of foreign) this.remove(join(pages, name));
    }
  }

  /** The same of the folder of pages itself. */
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
    // Where case makes no difference this may be a file of the build, in another spelling.
    if (OWN_NAMES.has(own) && otherSpelling(dirname(path), own) !== undefined)
      renameSync(path, join(dirname(path), own));
    else rmSync(isFolder(path) ? this.takeAway(path) : inBytes(path), { recursive: true, force: true });
  }

  /** Without its file a page's folder is none that all hosts answer with 404: it goes at once, and its file after that. */
  private takeAway(folder: string): string {
    const away = join(this.layout.staging, REMOVED);
    try {
      renameSync(folder, away);
      return away;
    } catch (cause) {
      // A folder of a lower layer of an overlay cannot be renamed.
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
      // Among the pages nothing stays that is not the build's: a folder for a file, or the reverse.
      if (!isInside(to, this.layout.pages)) throw new Obstructed(to, "a file");
      rmSync(to, { recursive: true, force: true });
      renameSync(from, to);
    }
  }

  /** The time by the output's own clock: nothing that was done before is later than it. */
  private now(): number {
    const stamp = join(this.layout.staging, STAMP);
    rmSync(stamp, { force: true });
    return writeNew(stamp, new Uint8Array(0)).ctime;
  }

  /** Tidies up after `commit`; gives a moment after it. */
  close(): number {
    const ended = this.now();
    this.clear();
    return ended;
  }

  /** Takes back everything that is not published. */
  abandon(): void {
    this.clear();
  }

  private clear(): void {
    const files = [...this.staticPaths, INDEX, BULK_INDEX].map(stagedName);
    for (const name of [STAGED_PAGES, CHANGED_PAGES, STAGED_PARTS, STAGED_SHARDS, REMOVED, STAMP, ...files])
      rmSync(join(this.layout.staging, name), { recursive: true, force: true });
  }
}

/** A name that is not UTF-8 leads nowhere as it was read: the path of an entry that reads so, as it lies on the disk. */
function inBytes(path: string): string | Buffer {
  const name = basename(path);
  if (!name.includes("\ufffd")) return path;
  const entries = readdirSync(dirname(path), { encoding: "buffer" });
  const entry = entries.find((bytes) => bytes.toString() === name);
  return entry === undefined ? path : Buffer.concat([Buffer.from(`${dirname(path)}/`), entry]);
}

const WRITABLE = constants.W_OK | constants.X_OK;

/** A folder's entries are removed by who may write the folder. */
function assertRemovable(path: string): void {
  if (!isFolder(path)) return;
  accessSync(path, WRITABLE | constants.R_OK);
  for (const name of readdirSync(path)) assertRemovable(join(path, name));
}

/** Whether all static files are published as they should be. */
export function areSame(layout: Layout, staticFiles: StaticFiles): boolean {
  const stager = new Stager(layout, false);
  return [...staticFiles].every(
    ([path, bytes]) => stager.compare(join(layout.root, path), bytes) !== undefined,
  );
}

function isEmptyOrAbsent(folder: string): boolean {
  let entries: Dir;
  try {
    entries = opendirSync(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw cause;
  }
  // One entry tells; there may be a million.
  const isEmpty = entries.readSync() === null;
  entries.closeSync();
  return isEmpty;
}
