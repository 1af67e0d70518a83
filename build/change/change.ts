/* A change of a site's sources, as commands, forms and proposals make it. Runs in the browser and in Node. */

/** A source file and its exact text. */
export interface SourceFile {
  /** The path below the content folder, with `/`. */
  file: string;
  text: string;
}

/** A source file with another text. */
export interface FileChange {
  /** The path below the content folder, with `/`. */
  file: string;
  /** The exact text to replace; null for a new file. */
  before: string | null;
  /** The new text; null removes the file. */
  after: string | null;
  /** Of an image, whose texts are its bytes as base64. */
  encoding?: "base64" | undefined;
}

/** A link whose target was retired or made a draft. */
export interface BrokenLink {
  href: string;
  place: { file: string; line: number; column: number };
}

export interface Rename {
  from: string;
  to: string;
}

/** All changes of one operation: they are made together, and undone together. */
export interface SiteChange {
  /** Files, or folders with all that is in them, that get other paths. */
  renames?: readonly Rename[];
  /** The files with other texts, at their paths after the renames. */
  files: readonly FileChange[];
  /** Folders that are removed if they then contain only empty folders. */
  emptied?: readonly string[];
}

/** Gives the paths of files after renames, which are made one after the other. */
export function renaming(renames: readonly Rename[]): (file: string) => string {
  const numbers = new Map<string, number[]>();
  for (const [k, { from }] of renames.entries()) numbers.set(from, [...(numbers.get(from) ?? []), k]);
  return (file) => {
    let [path, next] = [file, 0];
    for (;;) {
      let first = renames.length;
      for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
        first = Math.min(first, numbers.get(path.slice(0, end))?.find((k) => k >= next) ?? first);
      const { from, to } = renames[first] ?? {};
      if (from === undefined || to === undefined) return path;
      path = to + path.slice(from.length);
      next = first + 1;
    }
  };
}

/** The path of a file after renames. */
export const renamed = (file: string, renames: readonly Rename[]): string => renaming(renames)(file);

/** The renames that take others back. */
export const reversed = (renames: readonly Rename[]): Rename[] =>
  renames.map(({ from, to }) => ({ from: to, to: from })).toReversed();

/**
 * The same change as a list of files only: a renamed file is removed at its former path, and new at the other.
 *
 * @param sources the renamed files.
 */
export function withoutRenames(
  { renames = [], files }: SiteChange,
  sources: readonly SourceFile[],
): FileChange[] {
  const changed = new Map(files.map((change) => [change.file, change.after]));
  const moved = sources.flatMap(({ file, text }): FileChange[] => {
    const to = renamed(file, renames);
    return [
      { file, before: text, after: null },
      { file: to, before: null, after: changed.get(to) ?? text },
    ];
  });
  const known = new Set(moved.map(({ file }) => file));
  return [...moved, ...files.filter(({ file }) => !known.has(file))];
}
