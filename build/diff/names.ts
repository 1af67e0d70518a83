import { folderEntries, type FolderEntries } from "../sources/find.ts";
import type { NameKind } from "../sources/git.ts";

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
