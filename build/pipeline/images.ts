import { dirname, join } from "node:path";
import { readInto } from "../base/file.ts";
import { isFolder, isUnchanged, sameStat, statAt, statIfThere } from "../base/stat.ts";
import { loadOwnedImages, saveOwnedImages, type OwnedImages } from "../manifest/images.ts";
import type { KnownImage, Manifest } from "../manifest/manifest.ts";
import { publishedImage } from "../output/images.ts";
import type { Layout } from "../output/layout.ts";
import type { Publication } from "../output/publish.ts";
import { Stager } from "../output/stage.ts";
import { imageFile, type SourceImage } from "../sources/images.ts";
import { SourceVanished, withSource } from "../sources/read.ts";
import type { Discovery } from "./discover.ts";
import type { Folders } from "./files.ts";

/** The images in `_media/`, which are published unchanged (“Images” in docs/design.md). Only changed ones are written. */

/** Whether the published images are the images of the sources. */
export const areImagesUnchanged = (
  { layout, cache }: Pick<Folders, "layout" | "cache">,
  { images }: Discovery,
  known: Manifest["images"],
): boolean =>
  images === known ||
  (images.length === known.length &&
    images.every((image, k) => {
      const before = known[k];
      return before !== undefined && isPublished(layout, image, before);
    }) &&
    // A killed build may have published others, which the manifest does not contain.
    areAllAmong(images, loadOwnedImages(cache)));

function areAllAmong(images: readonly SourceImage[], owned: OwnedImages): boolean {
  const paths = new Set(images.map(({ path }) => path));
  return [...owned.keys()].every((path) => paths.has(path));
}

/** Whether an image and its published file are both unchanged since the manifest. */
const isPublished = (layout: Layout, image: SourceImage, before: KnownImage): boolean =>
  before.path === image.path && isUnchanged(image.stat, before.stat) && isAsLeft(layout, before);

function isAsLeft(layout: Layout, { path, published }: KnownImage): boolean {
  const now = statIfThere(publishedImage(layout, path));
  return now !== undefined && sameStat(now, published);
}

/** Stages new and changed images, and lists images to remove; before anything is renamed. */
export function stageImages(
  publication: Publication,
  { content, cache }: Folders,
  { images }: Discovery,
  known: readonly KnownImage[],
): void {
  const { layout } = publication;
  if (images === known) return;
  const owned = loadOwnedImages(cache);
  if (images.length === 0 && owned.size === 0) return;
  const before = new Map(known.map((image) => [image.path, image]));
  const stager = new Stager(layout, false);
  const all: OwnedImages = new Map(owned);
  for (const image of images) {
    const { path } = image;
    const last = before.get(path);
    if (last !== undefined && isPublished(layout, image, last)) continue;
    const bytes = readImage(content, image);
    const stat = stager.compare(publishedImage(layout, path), bytes) ?? publication.stageImage(path, bytes);
    all.set(path, stat);
  }
  const now = new Map(images.map(({ path }) => [path.toLowerCase(), path]));
  for (const [path, { size, mtime }] of owned) {
    const twin = now.get(path.toLowerCase());
    if (twin === path) continue;
    const file = publishedImage(layout, path);
    const stat = statIfThere(file);
    // A killed build may have made only the image's folder. Any other file or folder at the path is third-party.
    const isOwn =
      stat === undefined
        ? isFolder(dirname(file))
        : stat.type === "file" && stat.size === size && stat.mtime === mtime;
    if (isOwn) publication.removeImage(path, twin);
  }
  // Saved before they are renamed into place, so that the images of a killed build count as its own.
  saveOwnedImages(cache, all);
}

/** @throws SourceVanished if the image has changed since it was found. */
const readImage = (content: string, { path, stat }: SourceImage): Buffer =>
  withSource(join(content, imageFile(path)), imageFile(path), (handle, now) => {
    const bytes = Buffer.allocUnsafeSlow(stat.size);
    if (!sameStat(now, stat) || readInto(handle, bytes) < bytes.length)
      throw new SourceVanished(imageFile(path));
    return bytes;
  });

/** The manifest's data about the images, after they are published. */
export function settleImages(
  { layout, cache }: Folders,
  { images }: Discovery,
  known: Manifest["images"],
): KnownImage[] {
  if (images === known) return known;
  const settled = images.map((image) => ({
    ...image,
    published: statAt(publishedImage(layout, image.path)),
  }));
  if (images.length > 0 || known.length > 0)
    saveOwnedImages(cache, new Map(settled.map(({ path, published }) => [path, published])));
  return settled;
}
