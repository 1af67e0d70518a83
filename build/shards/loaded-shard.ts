import { readFileSync } from "node:fs";
import type { Named } from "./format.ts";
import { nameOf, zip, type PageBytes } from "./zip.ts";

/** The file of a page's response. */
export interface PageFile {
  id: number;
  path: string;
}

/** A shard whose pages have been read and are kept in memory until it is known whether its ZIP file is needed. */
export class LoadedShard {
  readonly named: Named;
  private readonly pages: PageBytes[];

  /** @param files by ascending id. */
  constructor(files: readonly PageFile[]) {
    this.pages = files.map(({ id, path }) => ({ id, bytes: readFileSync(path) }));
    this.named = [nameOf(this.pages), this.pages.reduce((sum, { bytes }) => sum + bytes.length, 0)];
  }

  zip = (): Uint8Array => zip(this.pages);
}
