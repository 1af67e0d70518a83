import { createHash } from "node:crypto";
import { chmodSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { linkOrCopy } from "../base/file.ts";
import { utf8Text, MAX_BYTES } from "../source/json/parse.ts";
import { alone, carryOut, formerPath, stagedPath, type Journal } from "../source/journal.ts";
import { SourceMissing, SourceReader } from "../source/read.ts";
import { renaming, reversed, type FileChange, type SiteChange } from "./change.ts";
import { assertReadable } from "./files.ts";

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
