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
export class StagedPages {
  private readonly content: string;
  private readonly staging: string;
  private readonly pages: StagedPage[] = [];
  /** The folder in which the files of each folder are staged. */
  private readonly folders = new Map<string, string>();

  constructor(content: string, staging: string) {
    this.content = content;
    this.staging = staging;
  }

  add(file: string, old: string | undefined, text: string): void {
    const folder = dirname(file);
    let staged = this.folders.get(folder);
    if (staged === undefined) {
      staged = join(this.staging, String(this.folders.size));
      mkdirSync(staged);
      this.folders.set(folder, staged);
    }
    writeFileSync(join(staged, basename(file)), text);
    this.pages.push({ file, old });
  }

  /**
   * Moves the pages into place, one by one, or all of a new folder: a killed run is completed by the next one. Forms can be
   * saved in between. Returns the files that have changed since they were read, and stay as they are.
   */
  async place(): Promise<string[]> {
    const moved = await whenFree(() => alone(this.content, () => this.placeFolders()));
    const pages = this.pages.filter(({ file }) => !moved.has(dirname(file)));
    const lost: string[] = [];
    for (let k = 0; k < pages.length; k += BATCH_SIZE) {
      const batch = pages.slice(k, k + BATCH_SIZE);
      await whenFree(() => alone(this.content, () => this.placeFiles(batch, lost)));
    }
    return lost;
  }

  private placeFolders(): Set<string> {
    const moved = new Set<string>();
    for (const [folder, staged] of this.folders) {
      const path = join(this.content, folder);
      if (statIfThere(path) !== undefined) continue;
      mkdirSync(dirname(path), { recursive: true });
      renameSync(staged, path);
      moved.add(folder);
    }
    return moved;
  }

  private placeFiles(pages: readonly StagedPage[], lost: string[]): void {
    for (const { file, old } of pages) {
      const path = join(this.content, file);
      if (isAsRead(path, old)) renameSync(join(this.folders.get(dirname(file)) ?? "", basename(file)), path);
      else lost.push(file);
    }
  }
}

function isAsRead(path: string, old: string | undefined): boolean {
  const stats = statIfThere(path);
  return old === undefined
    ? stats === undefined
    : stats?.type === "file" && readFileSync(path, "utf8") === old;
}
