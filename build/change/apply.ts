import { createHash } from "node:crypto";
import { chmodSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve, dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../base/failure.ts";
import { linkOrCopy } from "../base/file.ts";
import { utf8Text, MAX_BYTES } from "../source/json/parse.ts";
import { alone, carryOut, formerPath, stagedPath, type Journal } from "../source/journal.ts";
import { SourceMissing, SourceReader } from "../source/read.ts";
import { renaming, reversed, type FileChange, type SiteChange } from "./change.ts";
import { assertReadable, obstacleIn } from "./files.ts";
import { ownerOf } from "../model/ownership.ts";
import { objectIn, valueAt } from "../source/json/object.ts";
import { SITE_FILES, SYNC } from "../source/site-files.ts";
import {
  endingOf,
  IMAGE_HEAD_BYTES,
  imagePath,
  isImageEnding,
  kindOf,
  MAX_IMAGE_BYTES,
  MEDIA_FOLDER,
} from "../source/image-kinds.ts";
import { GROUP, isPageName, isReservedName } from "../source/address.ts";

export interface ApplyOptions {
  /** Whether the change is only computed: then nothing is written, not even the lock. */
  isDry?: boolean;
  /** Called at the end, with what takes the change back. */
  onDone?: (undo: Undo) => void;
}

/** A change that takes another back, if its files have not changed since. */
export interface Undo {
  change: SiteChange;
  /** The modes of the files that it writes again, and the states of the renamed files and folders, by path. */
  modes: ReadonlyMap<string, number>;
  states: ReadonlyMap<string, string>;
}

/** A source that may not be written, or not with this text. */
export class SaveRefused extends Failure {
  /** `place`: a forbidden path; `size`: too large; `content`: not the name or text of a page source. */
  readonly reason: "place" | "size" | "content";

  constructor(reason: SaveRefused["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A source has changed since its editor opened it. `current`: its text now; null if the file was removed. */
export class SourceChanged extends Failure {
  readonly current: string | null;

  constructor(file: string, current: string | null) {
    super(`${file} has ${current === null ? "been removed" : "changed"} since you opened it.`);
    this.current = current;
  }
}

/** Computes a change while no other command changes the sources, and applies it, all or nothing. @returns the result */
export function changeSources<T>(
  content: string,
  compute: () => readonly [change: SiteChange, result: T],
  { isDry = false, onDone }: ApplyOptions = {},
): T {
  if (isDry) return compute()[1];
  return alone(content, () => {
    const [change, result] = compute();
    const undone = apply(resolve(content), change);
    onDone?.(undone);
    return result;
  });
}

const cannotUndo = (path: string): Failure =>
  new Failure(`${path} has changed since, so the change cannot be undone.`);

/** Restores the bytes of before a change. @throws Failure, before any change, if a file has changed since. */
export function undo(content: string, { change, modes, states }: Undo): void {
  alone(content, () => {
    for (const [path, state] of states) if (stateOf(join(content, path)) !== state) throw cannotUndo(path);
    apply(resolve(content), change, modes, cannotUndo);
  });
}

/**
 * Stages all new texts, so that a full disk is noticed before any change, and then carries out the change.
 *
 * @param modes of files that were removed.
 * @throws SourceChanged if a file does not have the text to replace.
 */
function apply(
  content: string,
  { renames = [], files, emptied = [] }: SiteChange,
  modes: ReadonlyMap<string, number> = new Map(),
  refused: (file: string, current: string | null) => Failure = (...now) => new SourceChanged(...now),
): Undo {
  const back = reversed(renames);
  const former = renaming(back);
  const formerModes = new Map<string, number>();
  const journalled: Journal["files"][number][] = [];
  for (const { file, before, after, encoding } of files) {
    const k = journalled.length;
    const now = former(file);
    const path = join(content, now);
    const current = textNow(content, now, encoding);
    if (current !== before) throw refused(file, current);
    if (before === after) continue;
    const mode = before === null ? modes.get(file) : lstatSync(path).mode;
    if (before !== null) {
      formerModes.set(now, lstatSync(path).mode);
      linkOrCopy(path, formerPath(content, k));
    }
    if (after !== null) {
      if (encoding === undefined) assertReadable(file, after);
      writeFileSync(stagedPath(content, k), after, { flag: "wx", encoding: encoding ?? "utf8" });
      if (mode !== undefined) chmodSync(stagedPath(content, k), mode);
    }
    journalled.push({ file, ...(after !== null && { staged: k, isNew: before === null }) });
  }
  let made: string[];
  try {
    made = carryOut(content, { renames, files: journalled, emptied });
  } catch (cause) {
    // Another program made the file in this moment.
    const taken = files.find(({ file, before }) => before === null && textNow(content, file) !== null);
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST" || taken === undefined) throw cause;
    throw refused(taken.file, textNow(content, taken.file));
  }
  return {
    change: {
      renames: back,
      files: files
        .map((change): FileChange => {
          const { file, before, after } = change;
          return { ...change, file: former(file), before: after, after: before };
        })
        .toReversed(),
      emptied: made,
    },
    modes: formerModes,
    states: new Map(
      renames
        .flatMap(({ from, to }) => [from, to])
        .map((path) => [path, stateOf(join(content, path))] as const),
    ),
  };
}

/** The text of a file, or the bytes of an image as base64; null if there is none. */
function textNow(content: string, file: string, encoding?: "base64"): string | null {
  if (encoding === undefined) return sourceText(content, file);
  const path = join(content, file);
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
    ? readFileSync(path).toString(encoding)
    : null;
}

/** The exact text of a source; null if there is no file. @throws SaveRefused if the file is a link, or not a text. */
export function sourceText(content: string, file: string): string | null {
  const path = join(content, file);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (stats.isSymbolicLink())
    throw new SaveRefused("place", `${file} is a link. Edit the file that it points to.`);
  if (!stats.isFile()) throw new SaveRefused("content", `${file} is not a file.`);
  let bytes;
  try {
    ({ bytes } = new SourceReader().readBytes(path, file));
  } catch (cause) {
    if (cause instanceof SourceMissing) return null;
    throw cause;
  }
  if (bytes === undefined) throw tooLarge(file);
  const text = utf8Text(bytes);
  if (text === undefined)
    throw new SaveRefused("content", `${file} is not UTF-8. Run npx page-api fix first.`);
  return text;
}

/** The same; null also if it cannot be read as a text. */
export function sourceTextIfReadable(content: string, file: string): string | null {
  try {
    return sourceText(content, file);
  } catch (cause) {
    if (cause instanceof SaveRefused) return null;
    throw cause;
  }
}

export const tooLarge = (file: string): SaveRefused =>
  new SaveRefused("size", `${file} is larger than ${MAX_BYTES / 2 ** 20} MiB. Shorten its texts.`);

/** A text that is different if a file, or anything in a folder, is different; empty if there is nothing. */
function stateOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return "";
  const hash = createHash("sha256");
  if (stats.isDirectory())
    for (const name of readdirSync(path).sort()) hash.update(`${name}\0${stateOf(join(path, name))}\0`);
  else if (stats.isFile()) hash.update(readFileSync(path));
  return hash.digest("hex");
}

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
  mayRemove = isDraft(change.file),
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

const isDraft = (file: string): boolean => file.slice(file.lastIndexOf("/") + 1).startsWith("_");

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
    SITE_FILES.has(name) ||
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
