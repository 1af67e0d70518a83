import { lstatSync, readdirSync } from "node:fs";
import { join, dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../base/failure.ts";
import { ownerOf } from "../model/ownership.ts";
import { isPageName, GROUP, isReservedName } from "../source/address.ts";
import { isDraftFile } from "../source/page-files.ts";
import {
  MEDIA_FOLDER,
  imagePath,
  MAX_IMAGE_BYTES,
  kindOf,
  IMAGE_HEAD_BYTES,
  isImageEnding,
  endingOf,
} from "../source/image-kinds.ts";
import { objectIn, valueAt } from "../source/json/object.ts";
import { MAX_BYTES } from "../source/json/parse.ts";
import { SYNC, SITE_FILES } from "../source/site-files.ts";
import { type ApplyOptions, SaveRefused, changeSources, sourceText, tooLarge } from "./apply.ts";
import type { FileChange } from "./change.ts";
import { obstacleIn } from "./files.ts";

/**
 * Writes a page source, if its text has not changed since its editor opened it.
 *
 * @param content the real path of the content folder. @param mayRemove whether it may be removed: a published page has an address.
 * @throws SaveRefused, SourceChanged, or an error of the system, before any change.
 */
export function saveSource(
  content: string,
  change: FileChange,
  options: ApplyOptions = {},
  mayRemove = isDraftFile(change.file),
): void {
  const { file, after } = change;
  assertSourceName(file);
  if (after !== null) assertText(file, after);
  else if (!mayRemove)
    throw new SaveRefused("content", `${file} is a page: retire it, so that its address is kept.`);
  changeSources(
    content,
    () => {
      assertFolders(content, file);
      assertNotOwned(content, change);
      return [{ files: [change] }, undefined];
    },
    options,
  );
}

/** @throws SaveRefused if a field changes that belongs to a collection system: only `sync` writes it. */
function assertNotOwned(content: string, { file, before, after }: FileChange): void {
  const [was, is] = [objectIn(before ?? ""), objectIn(after ?? "")];
  if (was === undefined || is === undefined || valueAt(was, ["meta", "external_id"]) === undefined) return;
  const owner = ownerOf(was, objectIn(sourceText(content, SYNC) ?? ""));
  for (const path of owner?.fields ?? [])
    if (!isDeepStrictEqual(valueAt(was, path.split(".")), valueAt(is, path.split("."))))
      throw new SaveRefused("content", `${file}: “${path}” follows ${owner?.label}, which alone changes it.`);
}

function assertText(file: string, text: string): void {
  if (Buffer.byteLength(text) > MAX_BYTES) throw tooLarge(file);
  if (!text.isWellFormed())
    throw new SaveRefused("content", `${file} contains half a character, which is not UTF-8. Remove it.`);
}

const FORBIDDEN = /[\\\0]/;

/** @throws SaveRefused if the path leads out of the content folder, or is not the path of a page source. */
export function assertSourceName(file: string): void {
  const folders = file.split("/");
  const name = folders.pop() ?? "";
  if ([...folders, name].some((part) => part === "" || part.startsWith(".") || FORBIDDEN.test(part)))
    throw new SaveRefused("place", `${JSON.stringify(file)} is not a path for a page source.`);
  const [, draft, own = ""] = /^(_?)(.*)\.json$/s.exec(name) ?? [];
  const isGroup = folders.at(-1)?.startsWith("_") === true;
  if (
    !isPageName(own) ||
    SITE_FILES.has(name.toLowerCase()) ||
    folders[0] === MEDIA_FOLDER ||
    (own === "index" && draft === "" && isGroup) ||
    !folders.every((part) => (part.startsWith("_") ? GROUP.test(part) : isPageName(part))) ||
    [...folders, own].some(isReservedName)
  )
    throw new SaveRefused("content", `${JSON.stringify(file)} is not the name of a page source.`);
}

/** @throws SaveRefused if a folder of the path is a link or a file. */
export function assertFolders(content: string, file: string): void {
  const { path, isLink } = obstacleIn(content, file.split("/").slice(0, -1)) ?? {};
  if (path === undefined) return;
  throw isLink === true
    ? new SaveRefused("place", `${path} is a link, and links are not followed.`)
    : new SaveRefused("content", `${path} is not a folder.`);
}

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
export function saveImage(content: string, path: string, bytes: Buffer, options: ApplyOptions): void {
  const file = `${MEDIA_FOLDER}/${path}`;
  assertImage(path, file, bytes);
  changeSources(
    content,
    () => {
      assertFolders(content, file);
      if (isTaken(join(content, file)))
        throw new ImageTaken(`There is an image ${file} already. Choose another name.`);
      const change = { file, before: null, after: bytes.toString("base64"), encoding: "base64" } as const;
      return [{ files: [change] }, undefined];
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
