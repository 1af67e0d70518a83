import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  readText,
  readInto,
  statIfSame,
  writeNew,
  hasStat,
  isFolder,
  isUnchanged,
  sameStat,
  statAt,
  statIfThere,
  type FileStat,
} from "../../base/file.ts";
import { removeEmpty } from "../../base/paths.ts";
import { isObject } from "../../source/json/object.ts";
import type { KnownImage } from "../manifest/manifest.ts";
import { assertWritable, obstacleTo } from "../output/layout.ts";
import { MEDIA } from "../../source/image-kinds.ts";
import { imageFile, type SourceImage } from "../../source/images.ts";
import { SourceMissing, withSource } from "../../source/read.ts";
import type { Part } from "./part.ts";
import type { StepContext } from "../step.ts";

/** The images in `_media/`, which are published unchanged (“Images” in docs/reference.md). Only changed ones are written. */
export function imagesPart({ folders, discovery: { images }, manifest }: StepContext): Part<KnownImage[]> {
  const { content, cache, layout } = folders;
  const { root } = layout;
  const known = manifest?.images ?? [];
  const before = new Map(known.map((image) => [image.path, image]));
  const published = (path: string): string => join(root, MEDIA, path);
  /** Whether an image and its published file are both unchanged since the manifest. */
  const isPublished = (image: SourceImage): boolean => {
    const last = before.get(image.path);
    return (
      last !== undefined &&
      isUnchanged(image.stat, last.stat) &&
      hasStat(published(image.path), last.published)
    );
  };
  let hasOwned = false;
  const removed: { file: string; twin: string | undefined }[] = [];
  return {
    isUnchanged: () => {
      if (images === known) return true;
      const paths = new Set(images.map(({ path }) => path));
      return (
        images.length === known.length &&
        images.every(isPublished) &&
        // A killed build may have published others, which the manifest does not contain.
        [...loadOwnedImages(cache).keys()].every((path) => paths.has(path))
      );
    },
    stage: async ({ publication }) => {
      if (images === known) return [];
      const owned = loadOwnedImages(cache);
      hasOwned = owned.size > 0;
      if (images.length === 0 && owned.size === 0) return [];
      const all: OwnedImages = new Map(owned);
      for (const image of images) {
        const { path } = image;
        if (isPublished(image)) continue;
        const bytes = readImage(content, image);
        // Images precede the pages that refer to them.
        const stat = statIfSame(published(path), bytes) ?? publication.stage(`${MEDIA}/${path}`, bytes, true);
        all.set(path, stat);
      }
      const now = new Map(images.map(({ path }) => [path.toLowerCase(), path]));
      for (const [path, { size, mtime }] of owned) {
        const twin = now.get(path.toLowerCase());
        // Nothing behind a link is the build's.
        if (twin === path || obstacleTo(layout, `${MEDIA}/${path}`) !== undefined) continue;
        const file = published(path);
        const stat = statIfThere(file);
        // A killed build may have made only the image's folder. Any other file or folder at the path is third-party.
        const isOwn =
          stat === undefined
            ? isFolder(dirname(file))
            : stat.type === "file" && stat.size === size && stat.mtime === mtime;
        if (!isOwn) continue;
        assertWritable(dirname(file));
        removed.push({ file, twin: twin && published(twin) });
      }
      // Saved before they are renamed into place, so that the images of a killed build count as its own.
      saveOwnedImages(cache, all);
      return [];
    },
    commit: () => {
      for (const { file, twin } of removed) {
        // On a file system that ignores case, both paths lead to the same file.
        const isOne = twin !== undefined && statIfThere(twin)?.inode === statIfThere(file)?.inode;
        if (isOne) renameSync(file, twin);
        else rmSync(file, { force: true });
        removeEmpty(dirname(file), join(root, MEDIA));
      }
    },
    state: () => {
      if (images === known) return known;
      const state = images.map((image) => ({ ...image, published: statAt(published(image.path)) }));
      if (images.length > 0 || hasOwned)
        saveOwnedImages(cache, new Map(state.map((image) => [image.path, image.published])));
      return state;
    },
  };
}

/** @throws SourceMissing if the image has changed since it was found. */
const readImage = (content: string, { path, stat }: SourceImage): Buffer =>
  withSource(join(content, imageFile(path)), imageFile(path), (handle, now) => {
    const bytes = Buffer.allocUnsafeSlow(stat.size);
    if (!sameStat(now, stat) || readInto(handle, bytes) < bytes.length)
      throw new SourceMissing(imageFile(path));
    return bytes;
  });

/**
 * The images that builds wrote into an output, so that a later build may remove them: by path, the part of a stat that a
 * rename keeps. Unlike the manifest, this list is used by other versions of the program and by full builds, because nothing
 * else distinguishes the build's own images.
 */
type OwnedImages = Map<string, Pick<FileStat, "size" | "mtime">>;

const LIST = "images";

function loadOwnedImages(cache: string): OwnedImages {
  const owned: OwnedImages = new Map();
  try {
    const listed: unknown = JSON.parse(readText(join(cache, LIST)) ?? "{}");
    for (const [path, value] of Object.entries(isObject(listed) ? listed : {})) {
      const [size, mtime] = Array.isArray(value) ? (value as unknown[]) : [];
      if (typeof size === "number" && typeof mtime === "number") owned.set(path, { size, mtime });
    }
  } catch {
    // The images of a damaged list count as third-party.
  }
  return owned;
}

/** If that fails, later builds treat the images as third-party. */
function saveOwnedImages(cache: string, owned: OwnedImages): void {
  const file = join(cache, LIST);
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
