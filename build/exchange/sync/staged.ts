import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { statIfThere } from "../../base/file.ts";
import { alone, whenFree } from "../../source/journal.ts";

/** Number of files that are placed while no form can be saved. */
const BATCH_SIZE = 256;

interface StagedPage {
  file: string;
  /** The text that is replaced; undefined for a new page. */
  old: string | undefined;
}

/** The pages that a sync writes, until all records were read. */
export function openStagedPages(content: string, staging: string) {
  const pages: StagedPage[] = [];
  /** The folder in which the files of each folder are staged. */
  const folders = new Map<string, string>();

  function add(file: string, old: string | undefined, text: string): void {
    const folder = dirname(file);
    const staged = folders.get(folder) ?? join(staging, String(folders.size));
    if (!folders.has(folder)) mkdirSync(staged);
    folders.set(folder, staged);
    writeFileSync(join(staged, basename(file)), text);
    pages.push({ file, old });
  }

  /**
   * Moves the pages into place, one by one, or all of a new folder: a killed run is completed by the next one. Forms can be
   * saved in between. Returns the files that have changed since they were read, and stay as they are.
   */
  async function place(): Promise<string[]> {
    const moved = await whenFree(() => alone(content, placeFolders));
    const left = pages.filter(({ file }) => !moved.has(dirname(file)));
    const lost: string[] = [];
    for (let k = 0; k < left.length; k += BATCH_SIZE) {
      const batch = left.slice(k, k + BATCH_SIZE);
      await whenFree(() => alone(content, () => placeFiles(batch, lost)));
    }
    return lost;
  }

  function placeFolders(): Set<string> {
    const moved = new Set<string>();
    for (const [folder, staged] of folders) {
      const path = join(content, folder);
      if (statIfThere(path) !== undefined) continue;
      mkdirSync(dirname(path), { recursive: true });
      renameSync(staged, path);
      moved.add(folder);
    }
    return moved;
  }

  function placeFiles(batch: readonly StagedPage[], lost: string[]): void {
    for (const { file, old } of batch) {
      const path = join(content, file);
      if (isAsRead(path, old)) renameSync(join(folders.get(dirname(file)) ?? "", basename(file)), path);
      else lost.push(file);
    }
  }

  return { add, place };
}

function isAsRead(path: string, old: string | undefined): boolean {
  const stats = statIfThere(path);
  return old === undefined
    ? stats === undefined
    : stats?.type === "file" && readFileSync(path, "utf8") === old;
}
