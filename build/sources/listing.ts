/** The kind of a file: a folder's own page, a page in a folder, or a draft, as every file in a draft section is. */
export type SourceKind = "index" | "leaf" | "draft";

const KINDS: readonly SourceKind[] = ["index", "leaf", "draft"];

export interface Folder {
  /** Relative to the content folder, with slashes; the content folder itself is "". */
  path: string;
  /** The number of the folder that contains it; -1 for the content folder. */
  parent: number;
  /** Whether it is a grouping folder, which has no page and is no part of an address. */
  isGroup: boolean;
  /** The number of its index.json; -1 if it has none. */
  index: number;
  /** Its files have the numbers from `first` to `end - 1`. */
  first: number;
  end: number;
}

/**
 * The sources in the order in which they were found, in columns of shared memory: a million names cost only their bytes,
 * and another thread reads them without a copy.
 */
export interface ListingColumns {
  folders: Folder[];
  count: number;
  folderOf: Uint32Array;
  kinds: Uint8Array;
  /** All names in UTF-8, without separators; name i is from `nameStarts[i]` to `nameStarts[i + 1]`. */
  names: Uint8Array;
  nameStarts: Uint32Array;
}

export class Listing implements ListingColumns {
  readonly folders: Folder[];
  readonly count: number;
  readonly folderOf: Uint32Array;
  readonly kinds: Uint8Array;
  readonly names: Uint8Array;
  readonly nameStarts: Uint32Array;
  private readonly text: Buffer;

  constructor(columns: ListingColumns) {
    this.folders = columns.folders;
    this.count = columns.count;
    this.folderOf = columns.folderOf;
    this.kinds = columns.kinds;
    this.names = columns.names;
    this.nameStarts = columns.nameStarts;
    this.text = Buffer.from(this.names.buffer, this.names.byteOffset, this.names.byteLength);
  }

  /** The data to pass to another thread. */
  columns(): ListingColumns {
    const { folders, count, folderOf, kinds, names, nameStarts } = this;
    return { folders, count, folderOf, kinds, names, nameStarts };
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
    const [start, end] = [this.nameStarts[i], this.nameStarts[i + 1]];
    return this.text.toString(this.kind(i) === "draft" ? "utf8" : "latin1", start, end);
  }

  /** Relative to the content folder. */
  path(i: number): string {
    const { path } = this.folder(i);
    return path === "" ? this.name(i) : `${path}/${this.name(i)}`;
  }

  /** The number of the file with a name in a folder; -1 if there is none. */
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
      return name.slice(name.startsWith("_") ? 1 : 0, -".json".length);
    const { path, parent } = this.folder(i);
    return parent === -1 ? "home" : path.slice(path.lastIndexOf("/") + 1);
  }

  /** The folder of the parent page of file i, skipping grouping folders; -1 for the home page. */
  parentOf(i: number): number {
    const folder = this.folderOf[i] ?? 0;
    return this.kind(i) === "index"
      ? this.pageFolder(this.folders[folder]?.parent ?? -1)
      : this.pageFolder(folder);
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

/** Number of names that are written together: writing each by itself takes several times as long. */
const WRITTEN_TOGETHER = 4096;

/** Collects a listing; columns grow by doubling. */
export function listingColumns() {
  const folders: Folder[] = [];
  let count = 0;
  let waiting: string[] = [];
  let written = 0;
  let kinds = new Uint8Array(new SharedArrayBuffer(1 << 10));
  let folderOf = new Uint32Array(new SharedArrayBuffer(4 << 10));
  let nameStarts = new Uint32Array(new SharedArrayBuffer(4 << 10));
  let names = Buffer.from(new SharedArrayBuffer(1 << 15));
  const writeNames = (): void => {
    const end = nameStarts[count] ?? 0;
    if (end > names.length) {
      const wider = Buffer.from(new SharedArrayBuffer(Math.max(end, 2 * names.length)));
      wider.set(names);
      names = wider;
    }
    names.write(waiting.join(""), written);
    waiting = [];
    written = end;
  };
  return {
    get count(): number {
      return count;
    },
    addFolder(path: string, parent: number, isGroup: boolean): number {
      return folders.push({ path, parent, isGroup, index: -1, first: count, end: count }) - 1;
    },
    /** Adds a file to the folder added last. */
    addFile(name: string, kind: SourceKind): void {
      const folder = folders.length - 1;
      if (count + 1 >= kinds.length) {
        kinds = grown(kinds, (n) => new Uint8Array(new SharedArrayBuffer(n)));
        folderOf = grown(folderOf, (n) => new Uint32Array(new SharedArrayBuffer(4 * n)));
        nameStarts = grown(nameStarts, (n) => new Uint32Array(new SharedArrayBuffer(4 * n)));
      }
      // A draft's name may have any characters, because it is not yet part of an address.
      const length = kind === "draft" ? Buffer.byteLength(name) : name.length;
      nameStarts[count + 1] = (nameStarts[count] ?? 0) + length;
      kinds[count] = KINDS.indexOf(kind);
      folderOf[count] = folder;
      const of = folders[folder];
      if (of !== undefined) {
        if (kind === "index") of.index = count;
        of.end = count + 1;
      }
      count++;
      if (waiting.push(name) === WRITTEN_TOGETHER) writeNames();
    },
    finish(): Listing {
      writeNames();
      return new Listing({ folders, count, folderOf, kinds, names, nameStarts });
    },
  };
}

function grown<T extends Uint8Array | Uint32Array>(column: T, make: (length: number) => T): T {
  const wider = make(2 * column.length);
  wider.set(column);
  return wider;
}
