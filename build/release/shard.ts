import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Named } from "./format.ts";
import { nameOf, zip, type Page } from "./zip.ts";

/** A shard whose pages have been read and are held until it is known whether the bucket has them. */
export class HeldShard {
  readonly named: Named;
  private readonly pages: Page[];

  /** @param folder of the published pages. */
  constructor(folder: string, ids: readonly number[]) {
    this.pages = ids.map((id) => ({ id, bytes: readFileSync(join(folder, `${id}`, "index.json")) }));
    this.named = [nameOf(this.pages), this.pages.reduce((sum, { bytes }) => sum + bytes.length, 0)];
  }

  zip = (): Uint8Array => zip(this.pages);
}
