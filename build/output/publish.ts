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
import { BULK_INDEX, BULK_SHARDS } from "../base/api.ts";
import { Failure, Obstructed } from "../base/failure.ts";
import { isFolder, statAt, statIfThere, type FileStat } from "../base/stat.ts";
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
  STAGED_IMAGES,
  STAGED_PAGES,
  STAGED_DATA_FILES,
  STAGED_SHARDS,
  STAMP,
  type StaticFiles,
} from "./foreign.ts";
import { isInside, makeFolder, mountsBelow, otherSpelling, removeEmpty } from "../base/paths.ts";
import { MEDIA } from "../page/images.ts";
import { shardFile } from "./bulk.ts";
import { obstacleToImage, publishedImage } from "./images.ts";
import type { Layout } from "./layout.ts";
import { Stager, writeNew } from "./stage.ts";

/** The ids of new and changed pages, and the entries to remove, relative to the folder of pages. */
export interface PageChanges {
  added: Float64Array;
  changed: Float64Array;
  removed: string[];
}

/**
 * A change of the output in two steps: everything new is staged, then renamed into place. Before `commit`, published files
 * are only read; `abandon` removes everything staged. The caller holds the output's lock.
 */
export class Publication {
  readonly layout: Layout;
  /** Whether there are no published pages, so that all staged pages are renamed as one folder. */
  readonly fresh: boolean;
  private readonly staticPaths: readonly string[];
  private readonly changedStaticFiles: string[] = [];
  /** The names of staged shards. */
  private readonly shards: string[] = [];
  /** The paths of staged images, and of images to remove. */
  private readonly images: string[] = [];
  private readonly removedImages: { path: string; twin: string | undefined }[] = [];

  /**
   * @param staticPaths the paths of all files that are not pages.
   * @throws Obstructed
   * @throws the system's error if the output cannot be written.
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
      mkdirSync(join(layout.staging, STAGED_DATA_FILES));
    } catch (cause) {
      this.abandon();
      throw cause;
    }
  }

  /** Stages the static files whose published bytes differ. */
  stageStaticFiles(files: StaticFiles): void {
    const stager = new Stager(this.layout, false);
    for (const [path, bytes] of files) {
      if (stager.compare(join(this.layout.root, path), bytes) !== undefined) continue;
      writeNew(join(this.layout.staging, stagedName(path)), bytes);
      this.changedStaticFiles.push(path);
    }
  }

  /** Stages the ZIP file of a shard, which replaces a published one of the same name. */
  stageShard(name: string, zip: Uint8Array): void {
    const to = shardFile(this.layout, name);
    if (isFolder(to)) throw new Obstructed(to, "a file");
    const folder = join(this.layout.staging, STAGED_SHARDS);
    if (this.shards.length === 0) mkdirSync(folder);
    writeNew(join(folder, `${name}.zip`), zip);
    this.shards.push(name);
  }

  /** Stages an image, which replaces a published one at this path. */
  stageImage(path: string, bytes: Uint8Array): FileStat {
    const obstacle = obstacleToImage(this.layout, path);
    if (obstacle !== undefined) throw obstacle;
    const folder = join(this.layout.staging, STAGED_IMAGES);
    if (this.images.length === 0) mkdirSync(folder);
    return writeNew(join(folder, `${this.images.push(path) - 1}`), bytes);
  }

  /**
   * Adds a published image to the images that `commit` removes.
   *
   * @param twin an image that stays, whose path differs only by case.
   */
  removeImage(path: string, twin: string | undefined): void {
    this.removedImages.push({ path, twin });
  }

  /** Checks permissions first, because `commit` cannot be undone halfway. @throws the system's error */
  assertWritable({ changed, removed }: PageChanges): void {
    const { pages, root } = this.layout;
    for (const path of this.changedStaticFiles) {
      const folder = dirname(join(root, path));
      if (isFolder(folder)) accessSync(folder, WRITABLE);
    }
    const shards = join(root, BULK_SHARDS);
    // A changed index removes shards, even if no shard is new.
    if (this.changedStaticFiles.includes(BULK_INDEX) && isFolder(shards)) accessSync(shards, WRITABLE);
    for (const path of [...this.images, ...this.removedImages.map((image) => image.path)]) {
      const folder = nearestFolder(publishedImage(this.layout, dirname(path)));
      accessSync(folder, WRITABLE);
    }
    for (const id of changed) accessSync(`${pages}/${id}`, WRITABLE);
    for (const name of removed) {
      accessSync(dirname(join(pages, name)), WRITABLE);
      assertRemovable(join(pages, name));
    }
  }

  /**
   * Renames new and changed files into place, then removes the others.
   *
   * @param parts the paths of the staged data files of the browse UI.
   * @returns a time after the last page was staged and before the first was renamed.
   * @throws Failure before the first change, if a folder is a mount of its own.
   */
  commit({ added, changed, removed }: PageChanges, parts: readonly string[]): number {
    const { pages, staging, root } = this.layout;
    this.assertOneMount(changed, removed, parts);
    const staged = this.now();
    const above = dirname(pages);
    const made = this.makeImageFolders();
    try {
      made.push([above, makeFolder(above)]);
      if (this.fresh) renameSync(join(staging, STAGED_PAGES), pages);
    } catch (cause) {
      unmake(made);
      throw cause;
    }
    // Images precede the pages that refer to them.
    for (const [number, path] of this.images.entries()) {
      this.place(join(staging, STAGED_IMAGES, `${number}`), publishedImage(this.layout, path));
    }
    if (!this.fresh) {
      for (const id of added) this.place(`${staging}/${STAGED_PAGES}/${id}`, `${pages}/${id}`);
      for (const id of changed)
        this.place(`${staging}/${CHANGED_PAGES}/${id}.json`, `${pages}/${id}/${OF_A_PAGE}`);
    }
    // Shards precede the index that names them, which is a static file.
    if (this.shards.length > 0) makeFolder(join(root, BULK_SHARDS));
    for (const name of this.shards)
      this.place(join(staging, STAGED_SHARDS, `${name}.zip`), shardFile(this.layout, name));
    for (const path of this.changedStaticFiles) {
      makeFolder(dirname(join(root, path)));
      this.place(join(staging, stagedName(path)), join(root, path));
    }
    for (const folder of new Set(parts.map((path) => dirname(path)))) makeFolder(join(root, folder));
    for (const path of parts)
      this.place(join(staging, STAGED_DATA_FILES, stagedName(path)), join(root, path));
    for (const name of removed) this.remove(join(pages, name));
    for (const { path, twin } of this.removedImages) this.takeImage(path, twin);
    return staged;
  }

  private assertOneMount(changed: Float64Array, removed: readonly string[], parts: readonly string[]): void {
    const { pages, staging, root } = this.layout;
    const files = [
      join(pages, this.fresh ? "" : OF_A_PAGE),
      ...[...this.changedStaticFiles, ...parts].map((path) => join(root, path)),
      ...this.shards.map((name) => shardFile(this.layout, name)),
      ...this.images.map((path) => publishedImage(this.layout, path)),
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

  private makeImageFolders(): MadeFolder[] {
    const made: MadeFolder[] = [];
    try {
      for (const folder of new Set(this.images.map((path) => publishedImage(this.layout, dirname(path)))))
        made.push([folder, makeFolder(folder)]);
      return made;
    } catch (cause) {
      unmake(made);
      throw cause;
    }
  }

  private takeImage(path: string, twin: string | undefined): void {
    const file = publishedImage(this.layout, path);
    const other = twin && publishedImage(this.layout, twin);
    // On a file system that ignores case, both paths lead to the same file.
    const isOne = other !== undefined && statIfThere(other)?.inode === statIfThere(file)?.inode;
    if (isOne) renameSync(file, other);
    else rmSync(file, { force: true });
    removeEmpty(dirname(file), join(this.layout.root, MEDIA));
  }

  /** Whether `commit` writes a static file into the folder of pages. */
  changesAmongPages(): boolean {
    return this.changedStaticFiles.some(
      (path) => dirname(join(this.layout.root, path)) === this.layout.pages,
    );
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

  /** Removes everything that was staged. */
  abandon(): void {
    this.clear();
  }

  private clear(): void {
    const files = [...this.staticPaths, INDEX, BULK_INDEX].map(stagedName);
    for (const name of [
      STAGED_PAGES,
      CHANGED_PAGES,
      STAGED_DATA_FILES,
      STAGED_SHARDS,
      STAGED_IMAGES,
      REMOVED,
      STAMP,
      ...files,
    ])
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

function unmake(folders: MadeFolder[]): void {
  for (const [folder, top] of folders.toReversed()) if (top !== undefined) removeEmpty(folder, top);
}

/** The nearest existing folder at or above a path. */
function nearestFolder(path: string): string {
  let folder = path;
  while (!isFolder(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

const WRITABLE = constants.W_OK | constants.X_OK;

/** Checks all folders below, because removing an entry needs the right to write its folder. */
function assertRemovable(path: string): void {
  if (!isFolder(path)) return;
  accessSync(path, WRITABLE | constants.R_OK);
  for (const name of readdirSync(path)) assertRemovable(join(path, name));
}

/** Whether all static files are published with these bytes. */
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
  // Reads only one entry, because there may be a million.
  const isEmpty = entries.readSync() === null;
  entries.closeSync();
  return isEmpty;
}
