import { dirname, join } from "node:path";
import { Obstructed } from "../base/failure.ts";
import { isFolder, statIfThere } from "../base/stat.ts";
import { MEDIA } from "../page/images.ts";
import type { Layout } from "./layout.ts";

/** The images of `_media/` in an output. */

export const publishedImage = ({ root }: Layout, path: string): string => join(root, MEDIA, path);

/** The obstacle to an image: a file in the place of a folder, or a folder in the place of the image. */
export function obstacleToImage(layout: Layout, path: string): Obstructed | undefined {
  for (let folder = publishedImage(layout, dirname(path)); folder !== layout.root; folder = dirname(folder))
    // A link to a folder does not count as a folder: the build does not write through links.
    if ((statIfThere(folder)?.type ?? "folder") !== "folder") return new Obstructed(folder, "a folder");
  const file = publishedImage(layout, path);
  return isFolder(file) ? new Obstructed(file, "a file") : undefined;
}
