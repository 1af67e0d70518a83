import { slugOfName } from "./address.ts";

/** The kind of a file: a folder's own page, a page in a folder, or a draft, as every file in a draft section is. */
export type SourceKind = "index" | "leaf" | "draft";

/** By the number in `kinds`. */
export const KINDS: readonly SourceKind[] = ["index", "leaf", "draft"];

export interface Folder {
  /** Relative to the content folder, with slashes; the content folder itself is "". */
  path: string;
  /** The number of the folder that contains it; -1 for the content folder. */
  parent: number;
  /** A grouping folder has no page and is no part of an address. */
  isGroup: boolean;
  /** Its page is the home page of a language, which has no parent. */
  isHome?: boolean;
  /** The number of its index.json; -1 if it has none. */
  index: number;
  /** Its files have the numbers from `first` to `end - 1`. */
  first: number;
  end: number;
}

/** The sources in the order in which they were found. Another thread gets a copy. */
export interface SourceIndexColumns {
  folders: Folder[];
  names: string[];
  folderOf: Uint32Array;
  kinds: Uint8Array;
}

export class SourceIndex implements SourceIndexColumns {
  readonly folders: Folder[];
  readonly names: string[];
  readonly folderOf: Uint32Array;
  readonly kinds: Uint8Array;

  constructor({ folders, names, folderOf, kinds }: SourceIndexColumns) {
    this.folders = folders;
    this.names = names;
    this.folderOf = folderOf;
    this.kinds = kinds;
  }

  get count(): number {
    return this.names.length;
  }

  kind(i: number): SourceKind {
    return KINDS[this.kinds[i] ?? 0] ?? "leaf";
  }

  folder(i: number): Folder {
    const folder = this.folders[this.folderOf[i] ?? 0];
    if (folder === undefined) throw new RangeError(`no folder of file ${i}`);
    return folder;
  }

  name(i: number): string {
    return this.names[i] ?? "";
  }

  /** Relative to the content folder. */
  path(i: number): string {
    const { path } = this.folder(i);
    return path === "" ? this.name(i) : `${path}/${this.name(i)}`;
  }

  find(folder: number, name: string): number {
    const { first = 0, end = 0 } = this.folders[folder] ?? {};
    let [low, high] = [first, end - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = this.name(middle);
      if (at === name) return middle;
      if (at < name) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** The slug of a page, from the name of its file or folder; for a draft, the slug that it will have. */
  slug(i: number): string {
    const kind = this.kind(i);
    const name = this.name(i);
    if (kind !== "index" && name !== "index.json")
      return slugOfName(name.slice(name.startsWith("_") ? 1 : 0, -".json".length));
    const { path, parent } = this.folder(i);
    return parent === -1 ? "home" : slugOfName(path.slice(path.lastIndexOf("/") + 1));
  }

  /** The folder of the parent page of file i, skipping grouping folders; -1 for the home page. */
  parentOf(i: number): number {
    const folder = this.folderOf[i] ?? 0;
    if (this.kind(i) !== "index") return this.pageFolder(folder);
    const { parent = -1, isHome = false } = this.folders[folder] ?? {};
    return isHome ? -1 : this.pageFolder(parent);
  }

  /** By folder: 1 if its page has subpages. */
  havePagesBelow(): Uint8Array {
    const havePagesBelow = new Uint8Array(this.folders.length);
    for (const [f, { parent, index, first, end }] of this.folders.entries()) {
      const hasIndex = index !== -1;
      const [own, above] = [this.pageFolder(f), this.pageFolder(parent)];
      if (end - first > (hasIndex ? 1 : 0) && own !== -1) havePagesBelow[own] = 1;
      if (hasIndex && above !== -1) havePagesBelow[above] = 1;
    }
    return havePagesBelow;
  }

  private pageFolder(folder: number): number {
    let at = folder;
    while (at !== -1 && this.folders[at]?.isGroup === true) at = this.folders[at]?.parent ?? -1;
    return at;
  }
}
