import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "../base/file.ts";
import { isObject } from "../json/object.ts";
import { writeNew } from "../output/stage.ts";
import type { FileStat } from "../base/stat.ts";

/**
 * Which images a build has put into an output, so that a later one may remove them. Unlike a manifest it outlives new
 * versions of the program, and is read by a build that trusts nothing: among images it is the only sign of what is a
 * build's own.
 */
export type OwnedImages = Map<string, OwnedImage>;

/** What an image keeps when it is renamed into place, and loses when somebody puts another in its place. */
export type OwnedImage = Pick<FileStat, "size" | "mtime">;

const NAME = "images";

/** Those of an output, by the folder of its cache. None if nothing is known. */
export function loadOwnedImages(cache: string): OwnedImages {
  const owned: OwnedImages = new Map();
  try {
    const listed: unknown = JSON.parse(readBytes(join(cache, NAME))?.toString("utf8") ?? "{}");
    for (const [path, value] of Object.entries(isObject(listed) ? listed : {})) {
      const [size, mtime] = Array.isArray(value) ? (value as unknown[]) : [];
      if (typeof size === "number" && typeof mtime === "number") owned.set(path, { size, mtime });
    }
  } catch {
    // A damaged list: what it had is as good as third-party.
  }
  return owned;
}

/** A list that cannot be saved, like a manifest, only keeps later builds from knowing it. */
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
