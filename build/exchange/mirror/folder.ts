import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PAGES } from "../../base/api.ts";
import { Failure, Obstructed } from "../../base/failure.ts";
import { readBytes, writeNew } from "../../base/file.ts";
import { makeFolder, removeEmpty } from "../../base/paths.ts";
import { openStaging } from "../../base/staging.ts";
import { isFolder, statIfThere } from "../../base/stat.ts";

/** The folder, in a mirror's folder, of its marker file, its lock and the staged page. */
const OWN = ".mirror";
const MARK = "mirror.json";
const STAGED = "page";
const FILE = "index.json";

const ID = /^[1-9]\d{0,15}$/;

export type MirrorFolder = ReturnType<typeof openMirrorFolder>;

/** The folder of a mirror, in which a page is `api/v2/pages/<id>/index.json`, as in an output. */
export function openMirrorFolder(root: string) {
  const [pages, staged] = [join(root, PAGES), join(root, OWN, STAGED)];
  let isReadOnly = false;
  let close: (() => void) | undefined;
  const folderOf = (id: number): string => join(pages, `${id}`);
  const fileOf = (id: number): string => join(folderOf(id), FILE);

  /** Opens the folder, without writing or removing pages. @throws Failure if it does not exist. */
  function openToRead(): void {
    isReadOnly = true;
    if (!isFolder(root)) throw new Failure(`${root}: there is no such folder.`);
    assertFolders();
  }

  /** @throws Failure if the folder has pages that no mirror wrote, or if another mirror is writing to it. */
  function openToWrite(): void {
    const own = join(root, OWN);
    assertFolders();
    if (isFolder(pages) && statIfThere(join(own, MARK)) === undefined)
      throw new Failure(
        `${root}: this folder contains pages that no mirror wrote. Name an empty or new folder.`,
      );
    close = openStaging(
      own,
      (name) => name === STAGED,
      () => new Failure(`${root}: another mirror of this folder is running. Wait until it has ended.`),
    );
    writeFileSync(join(own, MARK), "{}\n");
    makeFolder(pages);
  }

  /** Refuses symbolic links, which may lead out of the folder. */
  function assertFolders(): void {
    let path = root;
    for (const folder of [join(path, OWN), ...PAGES.split("/").map((part) => (path = join(path, part)))])
      if ((statIfThere(folder)?.type ?? "folder") !== "folder") throw new Obstructed(folder, "a folder");
  }

  function ids(): Float64Array {
    if (!isFolder(pages)) return new Float64Array();
    const named = readdirSync(pages)
      .filter((name) => ID.test(name) && Number.isSafeInteger(Number(name)))
      .map(Number);
    return Float64Array.from(named.filter((id) => has(id))).sort();
  }

  function has(id: number): boolean {
    return isFolder(folderOf(id)) && statIfThere(fileOf(id))?.type === "file";
  }

  function isSame(id: number, bytes: Uint8Array): boolean {
    return has(id) && readBytes(fileOf(id))?.equals(bytes) === true;
  }

  /** Writes a page at once, so that other programs never read an incomplete page. */
  function write(id: number, bytes: Uint8Array): void {
    if (isReadOnly) return;
    const folder = folderOf(id);
    const found = statIfThere(folder)?.type;
    if (found !== undefined && found !== "folder") throw new Obstructed(folder, "a folder");
    if (isFolder(fileOf(id))) throw new Obstructed(fileOf(id), "a file");
    writeNew(staged, bytes);
    if (found === undefined) mkdirSync(folder);
    renameSync(staged, fileOf(id));
  }

  function remove(id: number): void {
    if (isReadOnly) return;
    rmSync(fileOf(id), { force: true });
    // Third-party files in the page's folder stay.
    removeEmpty(folderOf(id));
  }

  return { openToRead, openToWrite, ids, fileOf, isSame, write, remove, close: () => close?.() };
}
