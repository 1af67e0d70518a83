import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isFolder, statBehind, type FileStat } from "../base/stat.ts";
import { readInto, withFile } from "../base/file.ts";
import { STAGED_PARTS, stagedName } from "./foreign.ts";
import type { Layout } from "./layout.ts";

/**
 * What became of a page: it is published as it is, or it is staged as a new folder or as a changed file.
 */
export type Staged = "same" | "new" | "changed";

/** Stages pages. `fresh`: there are no published pages yet, so there is nothing to compare with. */
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
   * @returns what became of the page, and for a page that is final where it lies its stat.
   * @throws the system's error, such as ENOSPC.
   */
  page(id: number, bytes: Uint8Array): { staged: Staged; stat: FileStat } {
    if (!this.fresh) {
      // A link to a folder is none: the build does not write through it.
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

  /** The stat of a published file that has these very bytes. */
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

/** Stages parts of the browse UI; gives their paths. A second thread may stage others at the same time. */
export function stageParts(
  { staging }: Layout,
  parts: Iterable<[path: string, bytes: Uint8Array]>,
): string[] {
  const paths: string[] = [];
  for (const [path, bytes] of parts) {
    writeNew(join(staging, STAGED_PARTS, stagedName(path)), bytes);
    paths.push(path);
  }
  return paths;
}

/** Writes a file that must not exist yet. */
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
