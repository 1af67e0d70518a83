import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isFolder, statBehind, type FileStat } from "../base/stat.ts";
import { readInto, withFile } from "../base/file.ts";
import { STAGED_DATA_FILES, stagedName } from "./foreign.ts";
import type { Layout } from "./layout.ts";

/** A page is published with the same bytes, or it is staged as a new folder or as a changed file. */
export type Staged = "same" | "new" | "changed";

/** Stages pages. `fresh`: there are no published pages to compare with. */
export class Stager {
  readonly fresh: boolean;
  private readonly pages: string;
  private readonly staging: string;
  private before = Buffer.alloc(0);

  constructor(layout: Layout, fresh: boolean) {
    this.pages = layout.pages;
    this.staging = layout.staging;
    this.fresh = fresh;
  }

  /**
   * @returns the result, and the stat of the published or staged file.
   * @throws the system's error, such as ENOSPC.
   */
  page(id: number, bytes: Uint8Array): { staged: Staged; stat: FileStat } {
    if (!this.fresh) {
      // A link to a folder does not count as a folder: the build does not write through links.
      if (isFolder(`${this.pages}/${id}`)) {
        const published = this.compare(`${this.pages}/${id}/index.json`, bytes);
        if (published !== undefined) return { staged: "same", stat: published };
        return { staged: "changed", stat: writeNew(`${this.staging}/changed/${id}.json`, bytes) };
      }
    }
    const folder = `${this.staging}/pages/${id}`;
    mkdirSync(folder);
    return { staged: "new", stat: writeNew(`${folder}/index.json`, bytes) };
  }

  /** The stat of a published file, if it has exactly these bytes. */
  compare(path: string, bytes: Uint8Array): FileStat | undefined {
    return withFile(path, (file, stat) => {
      if (stat.size !== bytes.length) return undefined;
      if (this.before.length < bytes.length) this.before = Buffer.allocUnsafe(2 * bytes.length);
      const length = readInto(file, this.before.subarray(0, bytes.length));
      return length === bytes.length && this.before.compare(bytes, 0, bytes.length, 0, length) === 0
        ? stat
        : undefined;
    });
  }
}

/** Stages data files of the browse UI; a second thread may stage others at the same time. @returns their paths. */
export function stageBrowseFiles(
  { staging }: Layout,
  files: Iterable<[path: string, bytes: Uint8Array]>,
): string[] {
  const paths: string[] = [];
  for (const [path, bytes] of files) {
    writeNew(join(staging, STAGED_DATA_FILES, stagedName(path)), bytes);
    paths.push(path);
  }
  return paths;
}

/** @throws EEXIST if the file exists. */
export function writeNew(path: string, bytes: Uint8Array): FileStat {
  const file = openSync(path, "wx");
  try {
    let at = 0;
    while (at < bytes.length) at += writeSync(file, bytes, at, bytes.length - at);
    return statBehind(file);
  } finally {
    closeSync(file);
  }
}
