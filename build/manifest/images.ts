import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "../base/file.ts";
import { isObject } from "../json/object.ts";
import { writeNew } from "../output/stage.ts";
import type { FileStat } from "../base/stat.ts";

/**
 * The images that builds wrote into an output, so that a later build may remove them. Unlike the manifest, this list is
 * used by other versions of the program and by full builds, because nothing else distinguishes the build's own images.
 */
export type OwnedImages = Map<string, OwnedImage>;

/** The part of a stat that a rename keeps, and that differs if another program replaces the image. */
export type OwnedImage = Pick<FileStat, "size" | "mtime">;

const NAME = "images";

/** Loads the list from the cache folder of an output; empty if there is none. */
export function loadOwnedImages(cache: string): OwnedImages {
  const owned: OwnedImages = new Map();
  try {
    const listed: unknown = JSON.parse(readBytes(join(cache, NAME))?.toString("utf8") ?? "{}");
    for (const [path, value] of Object.entries(isObject(listed) ? listed : {})) {
      const [size, mtime] = Array.isArray(value) ? (value as unknown[]) : [];
      if (typeof size === "number" && typeof mtime === "number") owned.set(path, { size, mtime });
    }
  } catch {
    // The images of a damaged list count as third-party.
  }
  return owned;
}

/** Saves the list. If that fails, later builds treat the images as third-party. */
export function saveOwnedImages(cache: string, owned: OwnedImages): void {
  const file = join(cache, NAME);
  const listed = Object.fromEntries([...owned].map(([path, { size, mtime }]) => [path, [size, mtime]]));
  try {
    mkdirSync(cache, { recursive: true });
    rmSync(`${file}.new`, { force: true });
    writeNew(`${file}.new`, Buffer.from(JSON.stringify(listed)));
    renameSync(`${file}.new`, file);
  } catch {
    return;
  }
}
