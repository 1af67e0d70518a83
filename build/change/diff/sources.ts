import { folderEntries, type FolderEntries } from "../../source/find.ts";
import { readObjects, type NameKind, type Repository, type TreeEntry } from "../../source/git.ts";
import { SourceReader } from "../../source/read.ts";
import type { Contents, ReadContents } from "./snapshot.ts";

export function diskSources(content: string): ReadContents {
  const reader = new SourceReader();
  return (file) => reader.readBytes(`${content}/${file}`, file);
}

export type FormerSources = ReturnType<typeof formerSources>;

/** Reads the former sources: unchanged ones from the disk, the others from git. */
export function formerSources(
  repository: Repository,
  tree: ReadonlyMap<string, TreeEntry>,
  changed: ReadonlySet<string>,
  disk: ReadContents,
) {
  /** The former contents of the files that existed, in the order of `files`. */
  function* readAll(files: readonly string[]): Generator<[file: string, contents: Contents], undefined> {
    const there = files.filter((path) => tree.get(path)?.kind === "file");
    const objects = readObjects(
      repository,
      there.map((path) => tree.get(path)?.object ?? ""),
    );
    for (const path of there) {
      const { value: stored } = objects.next();
      if (stored !== undefined) yield [path, stored];
    }
    return undefined;
  }
  /** The former contents of changed sources that other pages depend on: `_site.json`, and folders' own pages. */
  const kept = new Map<string, Buffer>();
  for (const [path, { bytes }] of readAll(
    [...changed].filter((file) => /(?:^|\/)(?:index|_site)\.json$/.test(file)),
  ))
    if (bytes !== undefined) kept.set(path, Buffer.from(bytes));
  const read: ReadContents = (file) => {
    if (!changed.has(file)) return disk(file);
    const bytes = kept.get(file);
    const contents = bytes === undefined ? readAll([file]).next().value?.[1] : { bytes, size: bytes.length };
    if (contents === undefined) throw new RangeError(`${file} was not there`);
    return contents;
  };
  /** Like `readAll`, but unchanged ones are read from the disk. */
  function* readEach(files: readonly string[]): Generator<[file: string, contents: Contents], undefined> {
    yield* readAll(files.filter((file) => changed.has(file)));
    for (const file of files) if (!changed.has(file)) yield [file, disk(file)];
    return undefined;
  }
  return { read, readAll, readEach };
}

interface NamedEntry {
  name: string;
  kind: NameKind | "folder";
}

/** The entries of each folder, derived from the paths of all files: for listing sources that are not on a disk. */
export function foldersOf(files: ReadonlyMap<string, { kind: NameKind }>): (folder: string) => FolderEntries {
  const folders = new Map<string, NamedEntry[]>([["", []]]);
  const holderOf = (path: string): [folder: NamedEntry[], name: string] => {
    const slash = path.lastIndexOf("/");
    const folder = slash === -1 ? "" : path.slice(0, slash);
    let entries = folders.get(folder);
    if (entries === undefined) {
      folders.set(folder, (entries = []));
      const [above, name] = holderOf(folder);
      above.push({ name, kind: "folder" });
    }
    return [entries, path.slice(slash + 1)];
  };
  for (const [path, { kind }] of files) {
    const [folder, name] = holderOf(path);
    folder.push({ name, kind });
  }
  return (folder) => folderEntries(folder, NO_STAT, (folders.get(folder) ?? []).map(asEntry));
}

const NO_STAT = { size: 0, mtime: 0, ctime: 0, inode: 0, racy: false };

const asEntry = ({ name, kind }: NamedEntry) => ({
  name,
  isDirectory: () => kind === "folder",
  isFile: () => kind === "file",
  isSymbolicLink: () => kind === "link",
});
