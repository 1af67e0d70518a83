import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../base/failure.ts";
import { utf8Text } from "../source/json/encoding.ts";
import { MAX_BYTES } from "../source/json/parse.ts";
import { SITE_FILES } from "../source/site-files.ts";
import { MEDIA_FOLDER } from "../source/image-kinds.ts";
import { isReservedName } from "../source/address.ts";
import { SLUG } from "../source/find.ts";
import { SourceReader, SourceMissing } from "../source/read.ts";
import { obstacleIn } from "./files.ts";
import { editAlone, type EditOptions } from "./session.ts";
import { GROUP } from "./target.ts";

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

/** A change of a source. `before`: the exact text to replace, null for a new file; `after`: null to remove a draft. */
export interface SavedSource {
  file: string;
  before: string | null;
  after: string | null;
}

/**
 * Writes a page source, if its text has not changed since its editor opened it.
 *
 * @param content the real path of the content folder.
 * @throws SaveRefused, SourceChanged, or an error of the system, before any change.
 */
export function saveSource(
  content: string,
  { file, before, after }: SavedSource,
  options: EditOptions = {},
): void {
  assertSourceName(file);
  if (after !== null) assertText(file, after);
  else if (!isDraft(file))
    throw new SaveRefused("content", `${file} is a page: retire it, so that its address is kept.`);
  editAlone(
    content,
    (session) => {
      assertFolders(content, file);
      const current = sourceText(content, file);
      if (current !== before) throw new SourceChanged(file, current);
      if (after === null) {
        if (current !== null) session.remove(file);
        return;
      }
      session.makeFolder(dirname(file));
      session.stage(file, after, current === null);
      try {
        session.commit();
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === "EEXIST" && current === null)
          throw new SourceChanged(file, sourceText(content, file));
        throw cause;
      }
    },
    options,
  );
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

const isDraft = (file: string): boolean => file.slice(file.lastIndexOf("/") + 1).startsWith("_");

const tooLarge = (file: string): SaveRefused =>
  new SaveRefused("size", `${file} is larger than ${MAX_BYTES / 2 ** 20} MiB. Shorten its texts.`);

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
  const [, draft, slug = ""] = /^(_?)(.*)\.json$/s.exec(name) ?? [];
  const isGroup = folders.at(-1)?.startsWith("_") === true;
  if (
    !SLUG.test(slug) ||
    SITE_FILES.has(name) ||
    folders[0] === MEDIA_FOLDER ||
    (slug === "index" && draft === "" && isGroup) ||
    !folders.every((part) => (part.startsWith("_") ? GROUP : SLUG).test(part)) ||
    [...folders, slug].some(isReservedName)
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
