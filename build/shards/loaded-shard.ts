import { readFileSync } from "node:fs";
import type { Named } from "./format.ts";
import { nameOf, zip, type PageBytes } from "./zip.ts";

/** The file of a page's response. */
export interface PageFile {
  id: number;
  path: string;
}

/** A shard whose pages are kept in memory until the caller knows whether it needs the ZIP file. */
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
