import { readFileSync } from "node:fs";
import type { Named } from "./format.ts";
import { nameOf, zip, type PageBytes } from "./zip.ts";

/** The file of a page's response. */
export interface PageFile {
  id: number;
  path: string;
}

/** A task with the number of its shard: to read the shard's files, by ascending id, or to pack or release what was read. */
export type PackTask = { number: number; files: readonly PageFile[] } | { number: number; isWanted: boolean };
export type PackResult = Named | Uint8Array | undefined;

/** Runs tasks. The pages of a shard are kept in memory until the caller knows whether it needs the ZIP file. */
export function packTasks(): (task: PackTask) => PackResult {
  const loaded = new Map<number, PageBytes[]>();
  return (task) => {
    if ("files" in task) {
      const pages = task.files.map(({ id, path }) => ({ id, bytes: readFileSync(path) }));
      loaded.set(task.number, pages);
      return [nameOf(pages), pages.reduce((sum, { bytes }) => sum + bytes.length, 0)];
    }
    const pages = loaded.get(task.number);
    loaded.delete(task.number);
    return pages !== undefined && task.isWanted ? zip(pages) : undefined;
  };
}
