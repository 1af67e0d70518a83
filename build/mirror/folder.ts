import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PAGES } from "../base/api.ts";
import { Failure, Obstructed } from "../base/failure.ts";
import { readBytes, writeNew } from "../base/file.ts";
import { makeFolder, removeEmpty } from "../base/paths.ts";
import { openStaging } from "../base/staging.ts";
import { isFolder, statIfThere } from "../base/stat.ts";

/** The folder, in a mirror's folder, of its marker file, its lock and the staged page. */
const OWN = ".mirror";
const MARK = "mirror.json";
const STAGED = "page";
const FILE = "index.json";

const ID = /^[1-9]\d{0,15}$/;

/** The folder of a mirror, in which a page is `api/v2/pages/<id>/index.json`, as in an output. */
export class MirrorFolder {
  private readonly root: string;
  private readonly pages: string;
  private readonly staged: string;
  private isReadOnly = false;
  close = (): void => undefined;

  constructor(root: string) {
    this.root = root;
    this.pages = join(root, PAGES);
    this.staged = join(root, OWN, STAGED);
  }

  /** Opens the folder, without writing or removing pages. @throws Failure if it does not exist. */
  openToRead(): void {
    this.isReadOnly = true;
    if (!isFolder(this.root)) throw new Failure(`${this.root}: there is no such folder.`);
    this.assertFolders();
  }

  /** @throws Failure if the folder has pages that no mirror wrote, or if another mirror is writing to it. */
  openToWrite(): void {
    const own = join(this.root, OWN);
    this.assertFolders();
    if (isFolder(this.pages) && statIfThere(join(own, MARK)) === undefined)
      throw new Failure(
        `${this.root}: this folder contains pages that no mirror wrote. Name an empty or new folder.`,
      );
    this.close = openStaging(
      own,
      (name) => name === STAGED,
      () => new Failure(`${this.root}: another mirror of this folder is running. Wait until it has ended.`),
    );
    writeFileSync(join(own, MARK), "{}\n");
    makeFolder(this.pages);
  }

  /** Refuses symbolic links, which may lead out of the folder. */
  private assertFolders(): void {
    let path = this.root;
    for (const folder of [join(path, OWN), ...PAGES.split("/").map((part) => (path = join(path, part)))])
      if ((statIfThere(folder)?.type ?? "folder") !== "folder") throw new Obstructed(folder, "a folder");
  }

  ids(): Float64Array {
    if (!isFolder(this.pages)) return new Float64Array();
    const ids = readdirSync(this.pages)
      .filter((name) => ID.test(name) && Number.isSafeInteger(Number(name)))
      .map(Number);
    return Float64Array.from(ids.filter((id) => this.has(id))).sort();
  }

  private has(id: number): boolean {
    return isFolder(this.folderOf(id)) && statIfThere(this.fileOf(id))?.type === "file";
  }

  fileOf = (id: number): string => join(this.folderOf(id), FILE);
  private readonly folderOf = (id: number): string => join(this.pages, `${id}`);

  isSame(id: number, bytes: Uint8Array): boolean {
    return this.has(id) && readBytes(this.fileOf(id))?.equals(bytes) === true;
  }

  /** Writes a page at once, so that other programs never read an incomplete page. */
  write(id: number, bytes: Uint8Array): void {
    if (this.isReadOnly) return;
    const folder = this.folderOf(id);
    const found = statIfThere(folder)?.type;
    if (found !== undefined && found !== "folder") throw new Obstructed(folder, "a folder");
    if (isFolder(this.fileOf(id))) throw new Obstructed(this.fileOf(id), "a file");
    writeNew(this.staged, bytes);
    if (found === undefined) mkdirSync(folder);
    renameSync(this.staged, this.fileOf(id));
  }

  remove(id: number): void {
    if (this.isReadOnly) return;
    rmSync(this.fileOf(id), { force: true });
    // Third-party files in the page's folder stay.
    removeEmpty(this.folderOf(id));
  }
}
