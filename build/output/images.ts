import { dirname, join } from "node:path";
import { Obstructed } from "../base/failure.ts";
import { isFolder, statIfThere } from "../base/stat.ts";
import { MEDIA } from "../page/images.ts";
import type { Layout } from "./layout.ts";

/** The images that are kept with the pages, in an output. */

/** Where an image is published. */
export const publishedImage = ({ root }: Layout, path: string): string => join(root, MEDIA, path);

/** What is in the way of an image: no folder where one belongs, or a folder in its own place. */
export function obstacleToImage(layout: Layout, path: string): Obstructed | undefined {
  for (let folder = publishedImage(layout, dirname(path)); folder !== layout.root; folder = dirname(folder))
    // A link to a folder is none: the build does not write through it.
    if ((statIfThere(folder)?.type ?? "folder") !== "folder") return new Obstructed(folder, "a folder");
  const file = publishedImage(layout, path);
  return isFolder(file) ? new Obstructed(file, "a file") : undefined;
}
