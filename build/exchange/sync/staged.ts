import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { statIfThere } from "../../base/file.ts";
import { memoized } from "../../base/memoized.ts";
import { alone, whenFree } from "../../source/journal.ts";

/** Number of files that are placed while no form can be saved. */
const BATCH_SIZE = 256;

/** The pages that a sync writes, until all records were read. */
export function openStagedPages(content: string, staging: string) {
  const pages: { file: string; old: string | undefined }[] = [];
  const stagedAt = (k: number): string => join(staging, String(k));

  /** @param old the text that is replaced; undefined for a new page. */
  function add(file: string, old: string | undefined, text: string): void {
    writeFileSync(stagedAt(pages.length), text);
    pages.push({ file, old });
  }

  /**
   * Moves the pages into place, one by one: a killed run is completed by the next one. Forms can be saved in between.
   * Returns the files that have changed since they were read, and stay as they are.
   */
  async function place(): Promise<string[]> {
    const lost: string[] = [];
    for (let from = 0; from < pages.length; from += BATCH_SIZE)
      await whenFree(() =>
        alone(content, () => {
          const makeFolder = memoized((folder: string) => mkdirSync(folder, { recursive: true }));
          for (const [k, { file, old }] of pages.slice(from, from + BATCH_SIZE).entries()) {
            const path = join(content, file);
            if (isAsRead(path, old)) {
              makeFolder(dirname(path));
              renameSync(stagedAt(from + k), path);
            } else lost.push(file);
          }
        }),
      );
    return lost;
  }

  return { add, place };
}

function isAsRead(path: string, old: string | undefined): boolean {
  const stats = statIfThere(path);
  return old === undefined
    ? stats === undefined
    : stats?.type === "file" && readFileSync(path, "utf8") === old;
}
