import { lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../base/failure.ts";
import { isReservedName } from "../source/address.ts";
import {
  endingOf,
  IMAGE_HEAD_BYTES,
  imagePath,
  isImageEnding,
  kindOf,
  MAX_IMAGE_BYTES,
  MEDIA_FOLDER,
} from "../source/image-kinds.ts";
import { assertFolders, SaveRefused } from "./save.ts";
import { editAlone, type EditOptions } from "./session.ts";

/** There is another image, or a file, with the name of a new image; case does not matter. */
export class ImageTaken extends Failure {}

/**
 * Writes a new image below `_media/`, by the rules of the build. It never replaces a file, because browsers keep an image
 * for a while.
 *
 * @param content the real path of the content folder.
 * @param path relative to `_media/`.
 * @throws SaveRefused, ImageTaken, or an error of the system, before any change.
 */
export function saveImage(content: string, path: string, bytes: Buffer, options: EditOptions): void {
  const file = `${MEDIA_FOLDER}/${path}`;
  assertImage(path, file, bytes);
  editAlone(
    content,
    (session) => {
      assertFolders(content, file);
      if (isTaken(join(content, file)))
        throw new ImageTaken(`There is an image ${file} already. Choose another name.`);
      session.makeFolder(dirname(file));
      session.stage(file, bytes, true);
      session.commit();
    },
    options,
  );
}

function assertImage(path: string, file: string, bytes: Buffer): void {
  const names = path.split("/");
  if (names.some((name) => name === "" || name.startsWith(".") || /[\\\0]/.test(name)))
    throw new SaveRefused("place", `${JSON.stringify(path)} is not a path for an image.`);
  if (imagePath(file) === undefined || names.some(isReservedName))
    throw new SaveRefused(
      "content",
      `${JSON.stringify(path)} is not a name that every host serves for an image.`,
    );
  if (bytes.length > MAX_IMAGE_BYTES)
    throw new SaveRefused(
      "size",
      `${file} is larger than ${MAX_IMAGE_BYTES / 2 ** 20} MiB. Make it smaller.`,
    );
  const { ending, name } = kindOf(bytes.subarray(0, IMAGE_HEAD_BYTES));
  if (ending === undefined || !isImageEnding(ending) || ending !== endingOf(file))
    throw new SaveRefused("content", `${file} is ${name}, which its name does not say.`);
}

function isTaken(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return true;
  const folder = dirname(path);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  const name = path.slice(folder.length + 1).toLowerCase();
  return readdirSync(folder).some((other) => other.toLowerCase() === name);
}
